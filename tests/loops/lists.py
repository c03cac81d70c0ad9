"""Loops over Python lists: layers of an image blended, and what inference and signal code does to vectors.

The functions are read, never run, by `assay lift`; the tests run them beside what is emitted.
"""

import math


def color_burn_8(base, active):
    out = []
    m = len(base)
    n = len(base[0])
    for row in range(m):
        line = []
        for col in range(n):
            if active[row][col] == 0:
                pixel = 32
            else:
                pixel = 32 - (32 - base[row][col]) // active[row][col]
            line.append(pixel)
        out.append(line)
    return out


def color_dodge_8(base, active):
    out = []
    for row in range(len(base)):
        line = []
        for col in range(len(base[0])):
            line.append(32 if active[row][col] == 32 else base[row][col] // (32 - active[row][col]))
        out.append(line)
    return out


def darken_blend_8(base, active):
    out = []
    for below, above in zip(base, active):
        line = []
        for b, a in zip(below, above):
            if b > a:
                line.append(a)
            else:
                line.append(b)
        out.append(line)
    return out


def dissolve_blend_8(base, active, opacity, rand_cons):
    out = []
    for row in range(len(base)):
        line = []
        for col in range(len(base[0])):
            rand_val = ((rand_cons % 100) + 1) // 100
            pixel = active[row][col] if opacity - rand_val >= 0 else base[row][col]
            line.append(pixel)
        out.append(line)
    return out


def lighten_blend_8(base, active):
    return [[max(b, a) for b, a in zip(below, above)] for below, above in zip(base, active)]


def linear_burn_8(base, active):
    out = []
    for row in range(len(base)):
        out.append([base[row][col] + active[row][col] - 32 for col in range(len(base[0]))])
    return out


def linear_dodge_8(base, active):
    out = []
    for row in range(len(base)):
        line = []
        for col in range(len(base[0])):
            line.append(base[row][col] + active[row][col])
        out.append(line)
    return out


def multiply_blend_8(base, active):
    m, n = len(base), len(base[0])
    return [[(base[i][j] * active[i][j]) // 32 for j in range(n)] for i in range(m)]


def normal_blend_8(base, active, opacity):
    out = []
    for i in range(len(base)):
        out.append(opacity * active[i] + (32 - opacity) * base[i])
    return out


def normal_blend_f(base, active, opacity):
    return [opacity * a + (1 - opacity) * b for a, b in zip(active, base)]


def overlay_blend_8(base, active):
    out = []
    for row in range(len(base)):
        line = []
        for col in range(len(base[0])):
            b = base[row][col]
            if b >= 16:
                pixel = 2 * b + b - 2 * b * b // 32 - 32
            else:
                pixel = 2 * b * b // 32
            line.append(pixel)
        out.append(line)
    return out


def screen_blend_8(base, active):
    out = []
    for row in range(len(base)):
        line = []
        for col in range(len(base[0])):
            line.append(base[row][col] + active[row][col] - (base[row][col] * active[row][col]) // 32)
        out.append(line)
    return out


def matmul(weight, x):
    out = []
    for row in range(len(weight)):
        total = 0
        for col in range(len(x)):
            total += weight[row][col] * x[col]
        out.append(total)
    return out


def rmsnorm_part1(x, weight):
    ss = 0
    for i in range(len(x)):
        ss += x[i] * x[i]
    return ss


def rmsnorm_part2(x, weight, ss):
    size = len(x)
    scale = 1 / math.sqrt(ss / size + 1)
    out = []
    for i in range(size):
        out.append(weight[i] * (scale * x[i]))
    return out


def softmax_part1(x, max_pos):
    biggest = x[0]
    for i in range(1, max_pos):
        if x[i] > biggest:
            biggest = x[i]
    return biggest


def softmax_part2(x, max_pos, max_val):
    out = []
    for i in range(max_pos):
        out.append(math.exp(x[i] - max_val))
    return out


def softmax_part3(out, max_pos):
    total = 0
    for i in range(max_pos):
        total += out[i]
    return total


def softmax_part4(unnormalized, max_pos, sum):
    out = []
    for i in range(max_pos):
        out.append(unnormalized[i] / sum)
    return out


def transformer_part1(token_position, head, head_size, key_cache, q):
    attention = []
    for timestep in range(token_position):
        score = 0
        for i in range(head_size):
            score += q[head * head_size + i] * key_cache[timestep][head * head_size + i]
        score /= math.sqrt(head_size)
        attention.append(score)
    return attention


def transformer_part2(token_position, head, head_size, key_cache, attention):
    xb = []
    for i in range(head_size):
        current = 0
        for timestep in range(token_position + 1):
            current += attention[timestep] * key_cache[timestep][head * head_size + i]
        xb.append(current)
    return xb


def transformer_part3(x, hidden_dim):
    out = []
    for i in range(hidden_dim):
        out.append(x[i] * (1 / (1 + math.exp(-x[i]))))
    return out


def transformer_part4(a, b, hidden_dim):
    out = []
    for i in range(hidden_dim):
        out.append(a[i] * b[i])
    return out


def dot(a, b, n):
    return sum(a[i] * b[i] for i in range(n))


def gemv(M, N, A, x):
    y = []
    for i in range(M):
        total = 0
        for j in range(N):
            total += A[i][j] * x[j]
        y.append(total)
    return y


def mag_array(a, n):
    total = 0
    for i in range(n):
        total += a[i] ** 2
    return total


def matrix_add_matrix(source, to):
    out = []
    for i in range(len(source)):
        row = []
        for j in range(len(source[0])):
            row.append(source[i][j] + to[i][j])
        out.append(row)
    return out


def mse_array(a, n):
    total = 0
    for i in range(n):
        total = total + a[i] * a[i]
    return total


def mult_add_into_cpu(N, X, Y, Z):
    out = []
    for i in range(N):
        out.append(Z[i] + X[i] * Y[i])
    return out


def ol_l2_cpu1(n, pred, truth):
    error = []
    for i in range(n):
        diff = truth[i] - pred[i]
        error.append(diff * diff)
    return error


def ol_l2_cpu2(n, pred, truth):
    delta = [0] * n
    for i in range(n):
        diff = truth[i] - pred[i]
        delta[i] = diff
    return delta


def scale_array(a, n, s):
    return [a[i] * s for i in range(n)]


def scale_matrix(m, scale):
    return [[x * scale for x in row] for row in m]


def sum_array(a, n):
    total = 0
    for i in range(n):
        total += a[i]
    return total


def translate_array(a, n, s):
    out = []
    for i in range(n):
        out.append(a[i] + s)
    return out


def matadd(A, B, m, n):
    out = []
    for i in range(m):
        row = []
        for j in range(n):
            row.append(A[i][j] + B[i][j])
        out.append(row)
    return out


def matscal(mat, val, m, n):
    out = [[0] * n for _ in range(m)]
    for i in range(m):
        for j in range(n):
            out[i][j] = mat[i][j] * val
    return out


def matsub(A, B, m, n):
    out = []
    for i in range(m):
        row = [0] * n
        for j in range(n):
            row[j] = A[i][j] - B[i][j]
        out.append(row)
    return out


def vadd(a, b, n):
    out = []
    for i in range(n):
        out.append(a[i] + b[i])
    return out


def vcopy(a, n):
    out = []
    for i in range(n):
        out.append(a[i])
    return out


def vmul(a, b, n):
    out = [0] * n
    for i in range(n):
        out[i] = a[i] * b[i]
    return out


def vneg(arr, n):
    return [-x for x in arr[:n]]


def voffset(arr, v, n):
    out = []
    i = 0
    while i < n:
        out.append(arr[i] + v)
        i += 1
    return out


def vrecip(arr, n):
    out = []
    for i in range(n):
        out.append(1 // arr[i])
    return out


def vscal(arr, v, n):
    out = []
    for i in range(n):
        out.append(v * arr[i])
    return out


def vsub(a, b, n):
    out = []
    for i in range(n):
        out.append(a[i] - b[i])
    return out


def wvec(a, b, m, n):
    out = []
    for i in range(n):
        out.append(m * a[i] + b[i])
    return out


def mat1x3(N, h, x):
    y = [0] * N
    for i in range(N):
        for f in range(N):
            y[i] += h[i][f] * x[f]
    return y


def n_real_updates(N, A, B, C):
    D = []
    for i in range(N):
        product = A[i] * B[i]
        D.append(C[i] + product)
    return D


def sum_of_squares(arr, n):
    total = 0
    for x in arr[:n]:
        total += x * x
    return total


def diveq(a, b, n):
    out = []
    for i in range(n):
        out.append(a[i] // b[i])
    return out


def diveq_sca(a, b, n):
    out = []
    for i in range(n):
        out.append(a[i] / b)
    return out


def len_(arr, n):
    return sum(arr[i] * arr[i] for i in range(n))


def len_sq(arr, n):
    total = 0
    for i in range(n):
        total += arr[i] * arr[i]
    return total


def matmul_sca(A, val, m, n):
    return [[A[i][j] * val for j in range(n)] for i in range(m)]


def muleq(a, b, n):
    for i in range(n):
        a[i] *= b[i]


def muleq_sca(a, b, n):
    for i in range(n):
        a[i] *= b


def negate(arr, n):
    for i in range(n):
        arr[i] = -arr[i]
    return arr


def pluseq(a, b, n):
    for i in range(n):
        a[i] += b[i]


def subeq(a, b, n):
    for i in range(n):
        a[i] -= b[i]


def subeq_sca(a, b, n):
    for i in range(n):
        a[i] -= b


def array_inc(arr, n):
    for i in range(n):
        arr[i] += 1
    return arr


def array_sum(arr, n):
    total = 0
    for i in range(n):
        total += arr[i]
    return total


def cube_in_place(arr, n):
    for i in range(n):
        arr[i] = arr[i] * arr[i] * arr[i]


def fourth_in_place(arr, n):
    for i in range(n):
        square = arr[i] * arr[i]
        arr[i] = square * square


def sum_elts(arr, n):
    return sum(arr[:n])


def fir_small(NTAPS, input, coefficient):
    total = 0
    for i in range(NTAPS):
        total += input[i] * coefficient[i]
    return total


def lmsfir1(NTAPS, input, coefficient):
    total = 0
    for x, c in zip(input[:NTAPS], coefficient[:NTAPS]):
        total += x * c
    return total


def lmsfir2(NTAPS, input, coefficient, error):
    out = []
    for i in range(NTAPS - 1):
        out.append(coefficient[i] + input[i] * error)
    return out
