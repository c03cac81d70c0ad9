"""Random functions of C with loops. Each takes arrays, of which it writes x (and z, where there is one), and integers,
and returns a number."""

import re

NARROW = ["int8_t", "uint8_t", "int16_t", "uint16_t"]
INTEGERS = [*NARROW, "int", "unsigned", "long", "size_t"]
SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


def converted(rng, text, probability, types=INTEGERS):
    return f"({rng.choice(types)})({text})" if rng.random() < probability else text


def header(rng, counter, ups, downs, steps=(1, 1, 1, 2, 3)):
    """A `for` that counts up from the first of `ups` to the second, or down from the first of `downs`."""
    step = rng.choice(steps)
    if rng.random() < 0.6:
        start, end = (rng.choice(texts) for texts in ups)
        return f"{start}; {counter} {rng.choice(['<', '<', '<='])} {end}; {counter} += {step}"
    start, end = (rng.choice(texts) for texts in downs)
    return f"{start}; {counter} {rng.choice(['>', '>', '>='])} {end}; {counter} -= {step}"


def counters(rng, name):
    """One loop over a counter of any type, with stores and a carried value."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    counter, n_type, m_type = pick(*INTEGERS[:6], *INTEGERS), pick(*INTEGERS, "int", "int"), pick("int", *INTEGERS)
    bound = pick(
        "n", "n", "n - 1", "n + 1", "n / 2", "2 * n", "n + m", "n - m", "100", "126", "256", "n % 8", "n & ~3", "m"
    )
    start, step = pick("0", "0", "0", "1", "3", "m", "n / 2", "n % 4"), pick(1, 1, 1, 2, 3, 4)
    if rng.random() < 0.55:
        first, last, compare = start, bound, pick("<", "<", "<", "<=", "!=" if step == 1 else "<")
        change = pick("i++", "++i") if step == 1 else f"i += {step}"
    else:
        first, last, compare = bound, pick(start, start, "-1"), pick(">", ">", ">=", "!=" if step == 1 else ">")
        change = pick("i--", "--i") if step == 1 else f"i -= {step}"
    first, last = converted(rng, first, 0.25), converted(rng, last, 0.25)
    index = pick(
        "i",
        "i",
        "i",
        "2*i",
        "i + 1",
        "i - 1",
        "n - i",
        "n - 1 - i",
        "i*m",
        "i / 2",
        "3*i + 1",
        "i + n",
        "i % 3",
        "i & 3",
        "i ^ 1",
    )
    read = pick("i", "i", "i", "2*i", "i + 1", "n - 1 - i", "i - 1", "0", "i / 2", "i + m")
    value = pick(
        "1",
        "i",
        f"y[{read}]",
        f"y[{read}] + i",
        "s",
        f"x[{index}] + 1",
        f"x[{read}]",
        "i % 3",
        "i > 2 ? i : 7",
        "i * i",
    )
    body = f"x[{index}] {pick('=', '=', '=', '+=')} {value};"
    if rng.random() < 0.2:
        body = (
            f"if ({pick('i > 2', 'i % 2 == 0', f'y[{read}] > 0', 'i < n - 1', '(unsigned)i < 3u', 'i != 4')}) " + body
        )
    if rng.random() < 0.4 or value == "s":
        carried = pick(f"+= y[{read}]", "+= i", "+= 1", "= i", "^= i", f"= s > y[{read}] ? s : y[{read}]")
        body = f"s {carried}; " + body
    if rng.random() < 0.08:
        body = f"if ({pick('i == 5', f'y[{read}] < -40', 'i > 9')}) break; " + body
    style = rng.random()
    if style < 0.7:
        loop = f"for (i = {first}; i {compare} {last}; {change}) {{ {body} }}"
    elif style < 0.85:
        loop = f"i = {first}; while (i {compare} {last}) {{ {body} {change}; }}"
    else:
        loop = f"i = {first}; do {{ {body} {change}; }} while (i {compare} {last});"
    element, result = pick("int", "int", "int", "uint8_t", "int16_t"), pick("s", "s", "n", "(int)i")
    return (
        f"int {name}({element} *x, const int *y, {n_type} n, {m_type} m) "
        f"{{ int s = {pick('0', '3')}; {counter} i; {loop} return {result}; }}"
    )


def nests(rng, name):
    """Two loops, one in the other, with a store in the inner one and perhaps one after it."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    n_type, m_type = pick("int", "int", "unsigned", "size_t", "uint8_t", "int16_t"), pick(
        "int", "int", "unsigned", "uint8_t"
    )
    outer, inner = pick("int", "int", n_type, "uint8_t", "size_t", "uint16_t"), pick(
        "int", "int", m_type, "uint8_t", "long"
    )
    rows, columns = ["n", "n", "n - 1", "n / 2", "n + 1"], ["m", "m", "m - 1", "i", "i + 1", "n", "m + 1", "n - i"]
    ends = ["0", "1", "-1" if outer in ("int", "int16_t") else "0"]
    first = header(rng, "i", (["0", "0", "1", "2"], rows), (rows, ends))
    second = header(rng, "j", (["0", "0", "1", "i"], columns), (columns, ["0", "1", "i"]))
    index = pick(
        "i*m + j",
        "i*m + j",
        "i + j*n",
        "i*10 + j",
        "i + j",
        "j",
        "i",
        "(n - i)*m + j",
        "i*m + (m - j)",
        "i*2*m + j",
        "i*m + 2*j",
    )
    read = pick("i*m + j", "j", "i", "i + j", "j*n + i", "i*m", "n*m - 1")
    value = pick("1", "i - j", f"y[{read}]", "i * j", "s", f"x[{index}] + 1", f"y[{read}] + y[i]", "j < 2 ? i : 0")
    total = f"s += y[{read}]; " if rng.random() < 0.4 or value == "s" else ""
    return (
        f"int {name}(int *x, const int *y, {n_type} n, {m_type} m) {{ int s = 0; for ({outer} i = {first}) "
        f"{{ {pick('', '', 's = 0;', 's = y[i];')} for ({inner} j = {second}) {{ {total}x[{index}] "
        f"{pick('=', '=', '+=')} {value}; }} {pick('', '', '', 'x[i] = s;', 'x[i*m] += s;')} }} return s; }}"
    )


def conversions(rng, name):
    """Counters and bounds that are converted between types, without arrays."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    n_type, m_type, counter = pick(*INTEGERS, "int", "uint8_t"), pick(*INTEGERS), pick(*NARROW * 3, *INTEGERS)

    def number():
        literals = ["10", "100", "127", "128", "200", "255", "256", "300", "1000", "65535", "32767"]
        return pick(
            *"n n n m n+m n-m n+1 n-1 2*n n/2 n%100 n&15 n>>2 -n ~n n*m n<m?n:m n>5?n:5 0 3".split(), pick(*literals)
        )

    small, step = pick("0", "0", "0", "1", "m", "3", "m % 7", "-1", "-3"), pick(1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 16)
    first, last = (converted(rng, converted(rng, text, 0.4), 0.3) for text in (small, number()))
    sign, compare = "+", pick("<", "<", "<", "<=", "!=")
    if rng.random() < 0.4:
        first, last, sign, compare = last, first, "-", pick(">", ">", ">", ">=", "!=")
    side = converted(rng, "i" + pick("", "", "", "", "", "", " + 1", " + 2", " - 1", " + 3"), 0.12)
    condition = f"{side} {compare} {last}" if rng.random() < 0.85 else f"{last} {SWAPPED[compare]} {side}"
    change = f"i {sign}= {step}"
    update = pick(
        "s++",
        "s++",
        "s += i",
        "s = i",
        "s ^= i",
        "s += i * i",
        "s += i & 3",
        "s += (uint8_t)i",
        "s += (i < m)",
        "s += (unsigned)i % 5u",
        "s = s > i ? s : i",
        "s += i / 2",
    )
    leave = pick("", "", "", "", "if (s > 50) break; ", "if (i == 9) continue; ", "if (s == 7) return 1000 + i; ")
    style = rng.random()
    if style < 0.75:
        loop = f"for (i = {first}; {condition}; {change}) {{ {leave}{update}; }}"
    elif style < 0.9:
        loop = f"i = {first}; while ({condition}) {{ {update}; {change}; }}"
    else:
        loop = f"i = {first}; do {{ {update}; {change}; }} while ({condition});"
    if rng.random() < 0.15:
        end = converted(rng, pick("i", "n", "s", "m"), 0.4)
        loop += f" for ({pick(*NARROW)} j = 0; j < {end}; j += {pick(1, 1, 2, 3)}) {{ s++; }}"
    total = pick("int", "int", "unsigned", "uint8_t", "long", "int16_t")
    return (
        f"int {name}(int *x, const int *y, {n_type} n, {m_type} m) "
        f"{{ {total} s = {pick('0', '0', '3')}; {counter} i; {loop} return {pick('s', 's', 's', 'i', 's + i')}; }}"
    )


def stores(rng, name):
    """Stores to many places, under conditions, and of two loops."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    ends = ["n", "n", "m", "n - 1", "n + 1", "m - 1", "n / 2", "2*n", "n - m", "0", "0", "1", "2", "5", "-1"]
    downs = ["n", "n - 1", "m", "2*n", "n + m", "n - 2"], ["0", "0", "1", "m", "-1", "2"]
    counter = pick("int", "int", "int", "long", "short", "unsigned", "size_t")
    loop = header(rng, "i", (ends, ends), downs, (1, 1, 2, 3, 4))
    index = pick(
        "i",
        "i",
        "i + 1",
        "i + m",
        "2*i",
        "2*i + 1",
        "3*i",
        "n - i",
        "n - 1 - i",
        "2*n - 2*i",
        "i*m",
        "i*m + 1",
        "i - 1",
        "m - i",
        "i / 2",
        "i / 3",
        "i % 4",
        "i & 7",
        "2*i + m",
        "m*n - i",
        "i*i",
        "n - 2*i + m",
    )
    read, old = pick("2*i", "n - i", "i + 1", "0", "i / 2", "i + m"), pick("i", "i + 1", "i - 1", "0", "2*i")
    value = pick("1", "i", "y[i]", f"y[{read}]", "i*2 + 1", "i % 3", f"x[{index}] + 1", f"x[{old}]")
    body = f"x[{index}] {pick('=', '=', '=', '=', '+=')} {value};"
    if rng.random() < 0.25:
        body = (
            f"if ({pick('i % 2 == 0', 'i > 3', 'i < n - 2', 'y[i] > 0', 'i != 4', 'i % 3 == 1', '(i & 1) && i < m')}) "
            + body
        )
    if rng.random() < 0.3:
        body += f" x[{pick('i', '0', 'i + 1', 'n', '2*i', 'i + n', '2*i + 1')}] = {pick('2', 'i', 'y[i] + 1', 's')};"
    if rng.random() < 0.3:
        body = "s += y[i]; " + body
    after = ""
    if rng.random() < 0.2:
        place = pick("k", "2*k", "k + n", "n - k")
        after = f" for (int k = 0; k < {pick('n', 'm', '3')}; k++) x[{place}] {pick('=', '+=')} {pick('k', '1', 's')};"
    return (
        f"int {name}(int *x, const int *y, {pick('int', 'int', 'int', 'unsigned', 'int16_t')} n, int m) "
        f"{{ int s = 0; for ({counter} i = {loop}) {{ {body} }}{after} return s; }}"
    )


def floats(rng, name):
    """Sums, extrema and stores of floats under conditions, with an early end."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    loop = header(rng, "i", (["0", "0", "1", "m"], ["n", "n", "n - 1", "m"]), (["n - 1", "n", "m"], ["0", "1", "-1"]))
    read = pick("i", "i", "i", "i + 1", "n - 1 - i", "2*i", "i / 2")
    test = pick(
        f"y[{read}] > 0",
        "y[i] < y[0]",
        "y[i] != 3",
        "s < 20",
        "!(y[i] > 2)",
        f"y[i] >= y[{read}]",
        "i % 2",
        "t > y[i]",
    )
    update = pick(
        f"s += y[{read}]",
        "s += y[i] * 2",
        "s = s > y[i] ? s : y[i]",
        "if (y[i] < s) s = y[i]",
        "s -= y[i]",
        "s = y[i]",
        "s = s * 2 + 1",
        "t += s",
        "t = s; s += y[i]",
        "s += y[i] > 1 ? y[i] : 1",
    )
    value = pick("s", f"y[{read}]", "y[i] * y[i]", f"y[i] > s ? y[i] : s", "s + t", "i", "x[i] + y[i]", "-y[i]", "t")
    parts = [f"if ({test}) {{ {update}; }}", f"x[{pick('i', 'i', 'i + 1', 'n - 1 - i', '2*i')}] = {value};"]
    if rng.random() < 0.5:
        parts[1] = f"if ({test}) {parts[1]} else {{ {pick('s += 1', 't = y[i]', 'x[i] = 0')}; }}"
    if rng.random() < 0.25:
        parts.append(pick(f"if ({test}) break;", f"if ({test}) return s;", f"if ({test}) continue; t += 1;"))
    rng.shuffle(parts)
    return (
        f"float {name}(float *x, const float *y, int n, int m) {{ float s = {pick('0', '0', '1', 'y[0]')}, t = 0; "
        f"for (int i = {loop}) {{ {' '.join(parts)} }} return {pick('s', 's', 't', 's + t')}; }}"
    )


def carried(rng, name):
    """Sums carried through two loops, which hand values to each other, and values of a switch."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    outer = header(rng, "i", (["0", "0", "1"], ["n", "n", "n - 1"]), (["n", "n - 1"], ["0", "-1"]), (1, 1, 1, 2))
    inner = header(
        rng, "j", (["0", "0", "i", "1"], ["m", "m", "i", "i + 1", "t"]), (["m", "i"], ["0", "1"]), (1, 1, 1, 2)
    )
    read = pick("i", "j", "i + j", "i*m + j", "0")
    cases = f"switch ({pick('i % 3', 'y[i] & 3', 'j', 'i', 's & 1')}) {{ case 0: t++; {pick('break;', '')} "
    cases += f"case 1: s += 2; break; case {pick('2', '3', '7')}: {pick('t = 0', 's = t', 's += i')}; "
    cases += f"{pick('break;', '')} default: {pick('s++', 't += 2', ';')}; }}"
    update = pick(
        f"s += y[{read}]; t += s;",
        "t += s; s++;",
        "s += t; t = i;",
        "int q = s; s = t; t = q + 1;",
        "s = s * 2 + t;",
        "t = s > t ? s : t; s += j;",
        "s += i; t ^= 1;",
        f"if (y[{read}] > 0) s++; else t++;",
        cases,
    )
    ends = pick(
        "",
        "",
        f"x[i] = {pick('s', 't', 's - t')};",
        "s = 0;",
        "t = s;",
        "x[i] = t; t = 0;",
        f"if (s > {pick('9', '100')}) break;",
    )
    begins = pick("", "", "s = 0;", "t = i;", "t = 1;", cases.replace("(j)", "(i)"))
    return (
        f"int {name}(int *x, const int *y, int n, int m) {{ int s = {pick('0', '1', 'm')}, t = {pick('0', '2')}; "
        f"for (int i = {outer}) {{ {begins} for (int j = {inner}) {{ {update} }} {ends} }} "
        f"return {pick('s', 't', 's + t')}; }}"
    )


def arrays(rng, name):
    """Stores to two arrays, one of which is read by the other's, of narrow and wide elements."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    first, second = pick("int", "uint8_t", "int8_t", "uint16_t", "unsigned"), pick(
        "int", "uint8_t", "int16_t", "unsigned"
    )
    counter, size = pick("int", "size_t", "unsigned", "size_t"), pick(
        "size_t", "size_t", "int", "unsigned", "uint16_t"
    )
    ends = ["n", "n", "n - 1", "n / 2", "n + 1", "n & ~1", "m", "n - m", "n >> 1"]
    loop = header(rng, "i", (["0", "0", "1", "m"], ends), (["n", "n - 1", "m"], ["0", "0", "1"]), (1, 1, 1, 2, 4))
    place, other = pick("i", "i", "2*i", "i + 1", "n - 1 - i"), pick("i", "i", "i / 2", "i + m", "i % 4")
    value = pick(
        "y[i]",
        "y[i] + 1",
        "y[i] * 3",
        "y[i] - y[i + 1]",
        "-y[i]",
        "~y[i]",
        "y[i] >> 1",
        "y[i] << 1",
        "y[i] / 3",
        "y[i] % 5",
        "y[i] & 15",
        "(uint8_t)(y[i] + 200)",
        "(int8_t)y[i]",
        f"z[{other}]",
        "s",
        "i",
        "y[i] > 9u",
    )
    later = pick(f"x[{place}]", f"x[{place}] + y[i]", "s", "y[i]", "i", f"z[{other}] + 1", "x[0]")
    total = pick("unsigned", "uint8_t", "uint16_t", "int")
    update = pick(
        "s += y[i];", "s = s * 2 + y[i];", f"s += x[{place}];", "s ^= y[i];", "s = y[i] < s ? y[i] : s;", "", ""
    )
    parts = [
        f"x[{place}] {pick('=', '=', '+=')} {value};",
        f"z[{other}] {pick('=', '=', '+=', '-=')} {later};",
        update,
    ]
    rng.shuffle(parts)
    return (
        f"int {name}({first} *x, {second} *z, const {pick('int', 'uint8_t', 'int8_t', 'unsigned')} *y, {size} n, "
        f"{pick(size, 'int')} m) {{ {total} s = 0; "
        f"for ({counter} i = {loop}) {{ {' '.join(parts)} }} return (int)s; }}"
    )


def pointers(rng, name):
    """Walks of pointers up and down, and loops that end at what they read."""
    pick = lambda *texts: rng.choice(texts)  # noqa: E731
    kind = rng.randrange(4)
    value = pick("*p", "*p + 1", "s", "*p > 0", "*p * *p", "n")
    update = pick("s += *p;", "s++;", "s = *p;", "if (*p > 3) s += *p;", "s = s > *p ? s : *p;", "")
    if kind == 0:
        begin, end, step = (
            pick("y", "y + 1", "y + m"),
            pick("y + n", "y + n - 1", "y + 2 * n", "y + m"),
            pick("p++", "p += 2", "++p"),
        )
        body = f"{update} *q{pick('++', '--', '++')} = {value};"
        loop = f"for (const int *p = {begin}; p {pick('<', '<', '!=')} {end}; {step}) {{ {body} }}"
    elif kind == 1:
        start, end = pick("y + n", "y + n - 1"), pick("y", "y + 1")
        loop = f"for (const int *p = {start}; p {pick('>', '>=', '!=')} {end}; p--) {{ {update} *q++ = {value}; }}"
    elif kind == 2:
        change = pick("n--", "n -= 2", "n /= 2", "n = n - m", "--n")
        test = pick("n > 0", "n != 0", "n > m", "n >= 1")
        loop = f"const int *p = y; while ({test}) {{ {update} *q++ = {value}; p++; {change}; }}"
    else:
        stop, end = pick("y[i] > 20", "y[i] == 7", "y[i] < y[0]", "s > 30", "i == m", "x[i] < 0"), pick(
            "return i", "break", "return s"
        )
        body = f"if ({stop}) {end}; {update} q[{pick('i', '2*i', '0')}] = {value}; i++; p++;"
        loop = f"int i = 0; const int *p = y; while (i < n) {{ {body} }}"
    result = pick("s", "s", "(int)(q - x)", "n")
    begin = pick("x", "x", "x + 1", "x + m")
    head = f"int {name}(int *x, const int *y, int n, int m)"
    return f"{head} {{ int s = 0; int *q = {begin}; {loop} return {result}; }}"


PROFILES = {f.__name__: f for f in (counters, nests, conversions, stores, floats, carried, arrays, pointers)}


def parameters(text):
    """(name, C type of the element or number, whether it is a pointer) of each parameter; the type of the result."""
    result, listed = re.match(r"(\w+) \w+\(([^)]*)\)", text).groups()
    parts = [re.fullmatch(r"(?:const )?(\w+) (\*?)(\w+)", p.strip()).groups() for p in listed.split(",")]
    return [(name, kind, bool(star)) for kind, star, name in parts], result
