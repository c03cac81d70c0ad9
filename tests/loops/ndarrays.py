"""Loops over NumPy arrays: the programs of lists.py, as they are written with arrays that are filled or changed."""

from math import exp, sqrt

import numpy as np


def color_burn_8(base, active):
    m, n = base.shape
    out = np.empty((m, n))
    for row in range(m):
        for col in range(n):
            if active[row, col] == 0:
                out[row, col] = 32
            else:
                out[row, col] = 32 - (32 - base[row, col]) // active[row, col]
    return out


def color_dodge_8(base, active):
    out = np.empty_like(base)
    for row in range(base.shape[0]):
        for col in range(base.shape[1]):
            if active[row, col] == 32:
                pixel = 32
            else:
                pixel = base[row, col] // (32 - active[row, col])
            out[row, col] = pixel
    return out


def darken_blend_8(base, active):
    out = np.zeros_like(base)
    for row in range(base.shape[0]):
        for col in range(base.shape[1]):
            out[row, col] = min(base[row, col], active[row, col])
    return out


def dissolve_blend_8(base, active, opacity, rand_cons):
    out = np.zeros(base.shape)
    rand_val = ((rand_cons % 100) + 1) // 100
    for row in range(base.shape[0]):
        for col in range(base.shape[1]):
            if opacity - rand_val >= 0:
                out[row, col] = active[row, col]
            else:
                out[row, col] = base[row, col]
    return out


def lighten_blend_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = active[i, j] if base[i, j] < active[i, j] else base[i, j]
    return out


def linear_burn_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i][j] = base[i][j] + active[i][j] - 32
    return out


def linear_dodge_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = base[i, j] + active[i, j]
    return out


def multiply_blend_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        row, above = base[i], active[i]
        for j in range(n):
            out[i, j] = row[j] * above[j] // 32
    return out


def normal_blend_8(base, active, opacity):
    out = np.empty(base.shape[0])
    for i in range(base.shape[0]):
        out[i] = opacity * active[i] + (32 - opacity) * base[i]
    return out


def normal_blend_f(base, active, opacity):
    out = np.empty(base.size)
    for i in range(base.size):
        out[i] = opacity * active[i] + (1 - opacity) * base[i]
    return out


def overlay_blend_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            twice = 2 * base[i, j]
            product = twice * base[i, j] // 32
            out[i, j] = twice + base[i, j] - product - 32 if base[i, j] >= 16 else product
    return out


def screen_blend_8(base, active):
    m, n = base.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = base[i, j] + active[i, j] - base[i, j] * active[i, j] // 32
    return out


def matmul(weight, x):
    m, n = weight.shape
    out = np.zeros(m)
    for i in range(m):
        for j in range(n):
            out[i] += weight[i, j] * x[j]
    return out


def rmsnorm_part1(x, weight):
    ss = 0.0
    for i in range(x.shape[0]):
        ss += x[i] * x[i]
    return ss


def rmsnorm_part2(x, weight, ss):
    size = x.shape[0]
    scale = 1 / sqrt(ss / size + 1)
    out = np.zeros(size)
    for i in range(size):
        out[i] = weight[i] * (scale * x[i])
    return out


def softmax_part1(x, max_pos):
    biggest = x[0]
    for i in range(1, max_pos):
        biggest = max(biggest, x[i])
    return biggest


def softmax_part2(x, max_pos, max_val):
    out = np.zeros(max_pos)
    for i in range(max_pos):
        out[i] = exp(x[i] - max_val)
    return out


def softmax_part3(out, max_pos):
    total = 0.0
    for i in range(max_pos):
        total += out[i]
    return total


def softmax_part4(unnormalized, max_pos, sum):
    out = np.empty(max_pos)
    for i in range(max_pos):
        out[i] = unnormalized[i] / sum
    return out


def transformer_part1(token_position, head, head_size, key_cache, q):
    attention = np.zeros(token_position)
    for timestep in range(token_position):
        for i in range(head_size):
            attention[timestep] += q[head * head_size + i] * key_cache[timestep, head * head_size + i]
        attention[timestep] /= np.sqrt(head_size)
    return attention


def transformer_part2(token_position, head, head_size, key_cache, attention):
    xb = np.zeros(head_size)
    for timestep in range(token_position + 1):
        for i in range(head_size):
            xb[i] += attention[timestep] * key_cache[timestep, head * head_size + i]
    return xb


def transformer_part3(x, hidden_dim):
    out = np.zeros(hidden_dim)
    for i in range(hidden_dim):
        out[i] = x[i] * (1 / (1 + np.exp(-x[i])))
    return out


def transformer_part4(a, b, hidden_dim):
    out = np.zeros(hidden_dim)
    for i in range(hidden_dim):
        out[i] = a[i] * b[i]
    return out


def dot(a, b, n):
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


def gemv(M, N, A, x):
    y = np.zeros(M)
    for i in range(M):
        for j in range(N):
            y[i] = y[i] + A[i, j] * x[j]
    return y


def mag_array(a, n):
    total = 0.0
    for i in range(n):
        total += a[i] ** 2
    return total


def matrix_add_matrix(source, to):
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            to[i, j] += source[i, j]


def mse_array(a, n):
    total = 0.0
    for i in range(n):
        total += a[i] * a[i]
    return total


def mult_add_into_cpu(N, X, Y, Z):
    for i in range(N):
        Z[i] += X[i] * Y[i]


def ol_l2_cpu1(n, pred, truth, error):
    for i in range(n):
        diff = truth[i] - pred[i]
        error[i] = diff * diff


def ol_l2_cpu2(n, pred, truth, delta):
    for i in range(n):
        diff = truth[i] - pred[i]
        delta[i] = diff


def scale_array(a, n, s):
    for i in range(n):
        a[i] *= s


def scale_matrix(m, scale):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            m[i, j] *= scale


def sum_array(a, n):
    total = 0.0
    for i in range(n):
        total += a[i]
    return total


def translate_array(a, n, s):
    for i in range(n):
        a[i] += s


def matadd(A, B, m, n):
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = A[i, j] + B[i, j]
    return out


def matscal(mat, val, m, n):
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = mat[i, j] * val
    return out


def matsub(A, B, m, n):
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = A[i, j] - B[i, j]
    return out


def vadd(a, b, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = a[i] + b[i]
    return out


def vcopy(a, n):
    out = np.empty(n)
    for i in range(n):
        out[i] = a[i]
    return out


def vmul(a, b, out, n):
    for i in range(n):
        out[i] = a[i] * b[i]


def vneg(arr, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = -arr[i]
    return out


def voffset(arr, v, n):
    out = np.full(n, v, dtype=float)
    for i in range(n):
        out[i] += arr[i]
    return out


def vrecip(arr, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = 1 // arr[i]
    return out


def vscal(arr, v, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = v * arr[i]
    return out


def vsub(a, b, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = a[i] - b[i]
    return out


def wvec(a, b, m, n):
    out = np.zeros(n)
    for i in range(n):
        out[i] = m * a[i] + b[i]
    return out


def mat1x3(N, h, x):
    y = np.zeros(N)
    for i in range(N):
        for f in range(N):
            y[i] += h[i, f] * x[f]
    return y


def n_real_updates(N, A, B, C):
    D = np.zeros(N)
    for i in range(N):
        product = A[i] * B[i]
        D[i] = C[i] + product
    return D


def sum_of_squares(arr, n):
    total = 0.0
    for i in range(n):
        total += arr[i] * arr[i]
    return total


def diveq(a, b, n):
    for i in range(n):
        a[i] //= b[i]


def diveq_sca(a, b, n):
    for i in range(n):
        a[i] /= b


def len_(arr, n):
    total = 0.0
    for i in range(n):
        total += np.square(arr[i])
    return total


def len_sq(arr, n):
    total = 0.0
    for x in arr[0:n]:
        total += x * x
    return total


def matmul_sca(A, val, m, n):
    for i in range(m):
        for j in range(n):
            A[i, j] = A[i, j] * val


def muleq(a, b, n):
    for i in range(n):
        a[i] = a[i] * b[i]


def muleq_sca(a, b, n):
    for i in range(n):
        a[i] = a[i] * b


def negate(arr, n):
    for i in range(n):
        arr[i] = -arr[i]


def pluseq(a, b, n):
    for i in range(n):
        a[i] = a[i] + b[i]


def subeq(a, b, n):
    for i in range(n):
        a[i] = a[i] - b[i]


def subeq_sca(a, b, n):
    for i in range(n):
        a[i] = a[i] - b


def array_inc(arr, n):
    for i in range(n):
        arr[i] = arr[i] + 1


def array_sum(arr, n):
    return np.sum(arr[:n])


def cube_in_place(arr, n):
    for i in range(n):
        arr[i] = arr[i] ** 3


def fourth_in_place(arr, n):
    for i in range(n):
        square = arr[i] * arr[i]
        arr[i] = square * square


def sum_elts(arr, n):
    total = 0.0
    for i in range(n):
        total = arr[i] + total
    return total


def fir_small(NTAPS, input, coefficient):
    return np.dot(input[:NTAPS], coefficient[:NTAPS])


def lmsfir1(NTAPS, input, coefficient):
    total = 0.0
    for i in range(NTAPS):
        total += input[i] * coefficient[i]
    return total


def lmsfir2(NTAPS, input, coefficient, error):
    for i in range(NTAPS - 1):
        coefficient[i] += input[i] * error
