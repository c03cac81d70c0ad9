"""Runs functions of ir.py on numbers: an interpreter of its own, which shares nothing with the one in src/.

An element is a number or POISON; undefined behaviour raises Undefined. Floats are IEEE 754's, all NaNs being one.
"""

import itertools
import math
import struct

from ir import Shaped, is_float, width

POISON = "poison"


class Undefined(Exception):
    pass


class Tensor:
    def __init__(self, dims, data):
        self.dims, self.data = tuple(dims), data

    def at(self, index):
        return self.data[self.place(index)]

    def place(self, index):
        at = 0
        for i, d in zip(index, self.dims):
            if not 0 <= i < d:
                raise Undefined("outside")
            at = at * d + i
        return at

    def copy(self):
        return Tensor(self.dims, list(self.data))


class Memref:
    def __init__(self, block, offset, dims, strides):
        self.block, self.offset, self.dims, self.strides = block, offset, tuple(dims), tuple(strides)

    def place(self, index):
        for i, d in zip(index, self.dims):
            if not 0 <= i < d:
                raise Undefined("outside")
        return self.offset + sum(i * s for i, s in zip(index, self.strides))

    def at(self, index):
        return self.block[self.place(index)]

    def set(self, index, value):
        self.block[self.place(index)] = value

    def places(self):
        return [self.place(i) for i in indices(self.dims)]


def row_major(dims):
    strides, s = [], 1
    for d in reversed(dims):
        strides.insert(0, s)
        s *= d
    return strides


def indices(dims):
    return itertools.product(*map(range, dims))


# ---- scalars


def wrap(v, bits):
    if bits == 1:
        return v & 1
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def unsigned(v, bits):
    return v & ((1 << bits) - 1)


def signed(v, bits):
    return -v if bits == 1 else v


PACK = {"f16": "e", "f32": "f", "f64": "d"}


def rounded(v, type_):
    if v != v or v in (math.inf, -math.inf):
        return v
    try:
        return struct.unpack(PACK[type_], struct.pack(PACK[type_], v))[0]
    except OverflowError:
        return math.copysign(math.inf, v)


def of_integer(v, type_):
    """The nearest float of an integer, ties to even, rounded once."""
    precision = {"f16": 11, "f32": 24, "f64": 53}[type_]
    size = abs(v).bit_length()
    if size > precision:
        drop = size - precision
        rest = abs(v) & ((1 << drop) - 1)
        q = abs(v) >> drop
        half = 1 << (drop - 1)
        q += rest > half or (rest == half and q & 1)
        v = (q << drop) * (1 if v > 0 else -1)
    return rounded(float(v), type_)


def divide(a, b):
    if a != a or b != b:
        return math.nan
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, a) * math.copysign(1, b)
    try:
        return a / b
    except OverflowError:
        return math.inf


def remainder(a, b):
    if a != a or b != b or abs(a) == math.inf or b == 0:
        return math.nan
    return math.fmod(a, b)


def multiply(a, b):
    return a * b


def greatest(a, b, sign=1):
    if a != a or b != b:
        return math.nan
    if a == b == 0:
        return max(a, b, key=lambda x: sign * math.copysign(1, x))
    return max(a, b) if sign > 0 else min(a, b)


def greatest_number(a, b, sign=1):
    if a != a:
        return b
    return a if b != b else greatest(a, b, sign)


def guarded(f):
    def run(x):
        try:
            return f(x) if x == x else math.nan
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return run


def whole(f):
    """floor and the like: infinities and the sign of zero stay."""
    return lambda x: x if x != x or abs(x) == math.inf else math.copysign(float(f(x)), x)


FLOATS = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": multiply,
    "arith.divf": divide,
    "arith.remf": remainder,
    "arith.negf": lambda a: -a,
    "math.absf": abs,
    "arith.maximumf": greatest,
    "arith.minimumf": lambda a, b: greatest(a, b, -1),
    "arith.maxnumf": greatest_number,
    "arith.minnumf": lambda a, b: greatest_number(a, b, -1),
    "math.exp": guarded(math.exp),
    "math.sqrt": guarded(lambda x: math.sqrt(x) if x else x),
    "math.tanh": guarded(math.tanh),
    "math.floor": whole(math.floor),
    "math.ceil": whole(math.ceil),
    "math.trunc": whole(math.trunc),
    "math.copysign": lambda a, b: a if a != a else math.copysign(a, b if b == b else 1.0),
}


def need(condition, why):
    if not condition:
        raise Undefined(why)


def quotient(name, a, b, w):
    if "u" in name[-3:]:
        a, b = unsigned(a, w), unsigned(b, w)
    need(b != 0, "division by 0")
    floor, rest = a // b, a % b
    need("u" in name[-3:] or not (a == -(1 << (w - 1)) and b == -1), "overflow")
    cut = floor + 1 if rest and floor < 0 else floor
    return {"div": cut, "rem": a - b * cut, "flo": floor, "cei": -(-a // b)}[name[:3]]


INTEGERS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
}


def integer(op, a, b, w):
    name = op.name.split(".")[1]
    if name[:3] in ("div", "rem", "flo", "cei"):
        return wrap(quotient(name, a, b, w), w)
    if name in ("maxui", "minui"):
        return (max if name == "maxui" else min)(a, b, key=lambda v: unsigned(v, w))
    if name in ("shli", "shrsi", "shrui"):
        by = unsigned(b, w)
        if by >= w:
            return POISON
        if name == "shrsi":
            return a >> by
        if name == "shrui":
            return wrap(unsigned(a, w) >> by, w)
        exact, full = a << by, unsigned(a, w) << by
    else:
        exact = INTEGERS[name](a, b)
        full = INTEGERS[name](unsigned(a, w), unsigned(b, w))
    flags = op.attrs.get("overflow", "")
    if "nsw" in flags and exact != wrap(exact, w) or "nuw" in flags and full != unsigned(full, w):
        return POISON
    return wrap(exact, w)


COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def compare_integers(predicate, a, b, w):
    if predicate[0] == "u":
        a, b = unsigned(a, w), unsigned(b, w)
    else:
        a, b = signed(a, w), signed(b, w)
    return int(COMPARE[predicate.lstrip("su") if predicate not in ("eq", "ne") else predicate](a, b))


def compare_floats(predicate, a, b):
    if predicate in ("true", "false"):
        return int(predicate == "true")
    nan = a != a or b != b
    if predicate in ("ord", "uno"):
        return int(nan == (predicate == "uno"))
    return int(predicate[0] == "u") if nan else int(COMPARE[predicate[1:]](a, b))


def cast(name, v, a, r):
    w = width(r)
    if name == "arith.bitcast":
        if is_float(a):
            return v if is_float(r) else wrap(int.from_bytes(struct.pack(PACK[a], v), "little"), w)
        return struct.unpack(PACK[r], unsigned(v, w).to_bytes(w // 8, "little"))[0]
    if name in ("arith.extui", "arith.index_castui"):
        return wrap(unsigned(v, width(a)), w)
    if name in ("arith.extsi", "arith.trunci", "arith.index_cast"):
        return wrap(signed(v, width(a)), w)
    if name in ("arith.sitofp", "arith.uitofp"):
        return of_integer(unsigned(v, width(a)) if name == "arith.uitofp" else signed(v, width(a)), r)
    if name in ("arith.fptosi", "arith.fptoui"):
        if v != v or abs(v) == math.inf:
            return POISON
        n = int(v)
        fits = 0 <= n < 1 << w if name == "arith.fptoui" else wrap(n, w) == n if w > 1 else n in (0, -1)
        return wrap(n, w) if fits else POISON
    return rounded(v, r)  # extf, truncf


def scalar(op, args, types, result):
    """One element of an operation of arith or math."""
    name, t = op.name, types[0]
    if name == "arith.select":
        return POISON if args[0] is POISON else args[1] if args[0] else args[2]
    if POISON in args:
        if name.split(".")[1][:3] in ("div", "rem", "flo", "cei") and not is_float(t):
            need(args[1] is not POISON, "poison divisor")
            need(args[1] != 0, "division by 0")
        return [POISON, POISON] if "extended" in name else POISON
    if name == "arith.cmpi":
        return compare_integers(op.attrs["_predicate"], *args, width(t))
    if name == "arith.cmpf":
        return compare_floats(op.attrs["_predicate"], *args)
    if op.attrs.get("_cast"):
        return cast(name, args[0], t, result)
    if is_float(t):
        return rounded(FLOATS[name](*args), t)
    w = width(t)
    if name == "math.absi":
        return wrap(abs(args[0]), w)
    if name == "math.ctpop":
        return wrap(bin(unsigned(args[0], w)).count("1"), w)
    if name == "math.ctlz":
        return wrap(w - unsigned(args[0], w).bit_length(), w)
    if name == "math.cttz":
        u = unsigned(args[0], w)
        return wrap((u & -u).bit_length() - 1 if u else w, w)
    if "extended" in name:
        a, b = args if name == "arith.mulsi_extended" else (unsigned(v, w) for v in args)
        if name == "arith.addui_extended":
            return [wrap(a + b, w), int((a + b) >> w)]
        return [wrap(a * b, w), wrap((a * b) >> w, w)]
    return integer(op, *args, w)


# ---- operations


class Run:
    def __init__(self, sizes):
        self.values, self.sizes, self.steps = {}, sizes, 0

    def dims(self, shaped):
        return [self.sizes[d] if isinstance(d, str) else d for d in shaped.dims]

    def get(self, v):
        return self.values[v]

    def whole(self, v):
        """An address, a size: poison is undefined there."""
        x = self.values[v]
        need(x is not POISON, "poison index")
        return x

    def block(self, region, args):
        for a, x in zip(region.args, args):
            self.values[a] = x
        return self.run(region.ops)

    def run(self, ops):
        for op in ops:
            self.steps += 1
            if self.steps > 200000:
                raise TimeoutError
            if op.name.endswith(("return", "yield")):
                return [self.get(v) for v in op.operands]
            got = self.op(op)
            for r, x in zip(op.results, got or []):
                self.values[r] = x
        return []

    def op(self, op):
        dialect = op.name.split(".")[0]
        method = getattr(self, op.name.replace(".", "_"), None)
        if method:
            got = method(op, *[self.get(v) for v in op.operands])
            return got if isinstance(got, list) or got is None else [got]
        if dialect in ("arith", "math"):
            return self.elementwise(op)
        if dialect == "tosa":
            return [self.tosa(op)]
        if dialect == "linalg":
            return self.named(op)
        raise NotImplementedError(op.name)

    def elementwise(self, op):
        args = [self.get(v) for v in op.operands]
        shapes = [a for a in args if isinstance(a, Tensor)]
        types = [v.type.element if isinstance(v.type, Shaped) else v.type for v in op.operands]
        results = [r.type.element if isinstance(r.type, Shaped) else r.type for r in op.results]
        if not shapes:
            got = scalar(op, args, types, results[0])
            return got if isinstance(got, list) else [got]
        dims = shapes[0].dims
        need(all(s.dims == dims for s in shapes), "shapes")
        rows = [
            scalar(op, [a.data[i] if isinstance(a, Tensor) else a for a in args], types, results[0])
            for i in range(len(shapes[0].data))
        ]
        if len(results) > 1:
            return [Tensor(dims, [row[k] for row in rows]) for k in range(len(results))]
        return [Tensor(dims, rows)]

    def arith_constant(self, op):
        t, v = op.result.type, op.attrs["value"]
        if not isinstance(t, Shaped):
            return int(v) if t == "i1" else v
        dims = self.dims(t)
        return Tensor(dims, list(v) if isinstance(v, list) else [v] * math.prod(dims))

    tosa_const = arith_constant

    # -- control

    def scf_if(self, op, c):
        need(c is not POISON, "poison branch")
        return self.block(op.regions[0 if c else 1], [])

    def scf_for(self, op, lo, hi, step, *carried):
        need(POISON not in (lo, hi, step), "poison bound")
        need(step > 0, "step")
        carried = list(carried)
        for i in range(lo, hi, step):
            carried = self.block(op.regions[0], [i] + carried)
        return carried

    def affine_for(self, op, hi=None):
        hi = op.attrs["hi"] if hi is None else hi
        need(hi is not POISON, "poison bound")
        for i in range(op.attrs["lo"], hi, op.attrs["step"]):
            self.block(op.regions[0], [i])

    def scf_parallel(self, op, *bounds):
        need(POISON not in bounds, "poison bound")
        n = len(op.regions[0].args)
        need(all(s > 0 for s in bounds[2 * n :]), "step")
        for index in itertools.product(*[range(*bounds[i::n]) for i in range(n)]):
            self.block(op.regions[0], list(index))

    def scf_reduce(self, op):
        return []

    def affine_apply(self, op, *dims):
        need(POISON not in dims, "poison index")
        return wrap(sum(dims[d] * f for d, f in op.attrs["map"][:-1]) + op.attrs["map"][-1], 64)

    # -- memory

    def memref_alloc(self, op, *sizes):
        need(POISON not in sizes and all(s >= 0 for s in sizes), "size")
        rest = iter(sizes)
        dims = [d if isinstance(d, int) else next(rest) for d in op.result.type.dims]
        return Memref([POISON] * math.prod(dims), 0, dims, row_major(dims))

    def memref_load(self, op, m, *index):
        need(POISON not in index, "poison index")
        return m.at(index)

    def memref_store(self, op, v, m, *index):
        need(POISON not in index, "poison index")
        m.set(index, v)

    def affine_load(self, op, m, *index):
        return self.memref_load(op, m, *[i + c for i, c in zip(index, op.attrs["plus"])])

    def affine_store(self, op, v, m, *index):
        self.memref_store(op, v, m, *[i + c for i, c in zip(index, op.attrs["plus"])])

    def memref_copy(self, op, a, b):
        need(a.dims == b.dims, "shapes")
        if a.block is b.block:
            pa, pb = a.places(), b.places()
            need(pa == pb or not set(pa) & set(pb), "overlap")
        data = [a.at(i) for i in indices(a.dims)]
        for i, v in zip(indices(b.dims), data):
            b.set(i, v)

    def memref_dim(self, op, m, i):
        need(i is not POISON and 0 <= i < len(m.dims), "dimension")
        return m.dims[i]

    tensor_dim = memref_dim

    def memref_cast(self, op, m):
        return m

    def slice_(self, op, first, dims):
        rest = iter([self.whole(v) for v in op.operands[first:]])
        o, s, t = ([next(rest) if v is None else v for v in op.attrs[k]] for k in ("offsets", "sizes", "strides"))
        for a, n, k, d in zip(o, s, t, dims):
            need(n >= 0 and a >= 0 and (n == 0 and a <= d or n and 0 <= a + (n - 1) * k < d), "slice")
        return o, s, t

    def memref_subview(self, op, m, *_):
        o, s, t = self.slice_(op, 1, m.dims)
        return Memref(
            m.block, m.offset + sum(a * b for a, b in zip(o, m.strides)), s, [a * b for a, b in zip(t, m.strides)]
        )

    # -- tensors

    def tensor_empty(self, op, *sizes):
        rest = iter(sizes)
        dims = [d if isinstance(d, int) else next(rest) for d in op.result.type.dims]
        need(POISON not in dims and all(d >= 0 for d in dims), "size")
        return Tensor(dims, [POISON] * math.prod(dims))

    def tensor_extract(self, op, t, *index):
        need(POISON not in index, "poison index")
        return t.at(index)

    def tensor_insert(self, op, v, t, *index):
        need(POISON not in index, "poison index")
        t = t.copy()
        t.data[t.place(index)] = v
        return t

    def tensor_extract_slice(self, op, t, *_):
        o, s, k = self.slice_(op, 1, t.dims)
        return Tensor(s, [t.at([a + i * b for a, i, b in zip(o, index, k)]) for index in indices(s)])

    def tensor_insert_slice(self, op, v, t, *_):
        o, s, k = self.slice_(op, 2, t.dims)
        need(tuple(s) == v.dims, "shapes")
        t = t.copy()
        for index in indices(s):
            t.data[t.place([a + i * b for a, i, b in zip(o, index, k)])] = v.at(index)
        return t

    def tensor_pad(self, op, t):
        low, high = op.attrs["low"], op.attrs["high"]
        dims = [d + a + b for d, a, b in zip(t.dims, low, high)]
        data = []
        for index in indices(dims):
            inner = [i - a for i, a in zip(index, low)]
            inside = all(0 <= i < d for i, d in zip(inner, t.dims))
            filled = self.block(op.regions[0], list(index))[0]
            data.append(t.at(inner) if inside else filled)
        return Tensor(dims, data)

    def tensor_generate(self, op, *sizes):
        rest = iter(sizes)
        dims = [d if isinstance(d, int) else next(rest) for d in op.result.type.dims]
        need(POISON not in dims and all(d >= 0 for d in dims), "size")
        return Tensor(dims, [self.block(op.regions[0], list(i))[0] for i in indices(dims)])

    def tensor_from_elements(self, op, *elements):
        return Tensor(op.result.type.dims, list(elements))

    def tensor_splat(self, op, v):
        return Tensor(op.result.type.dims, [v] * math.prod(op.result.type.dims))

    def tensor_cast(self, op, t):
        need(all(isinstance(d, str) or d == n for d, n in zip(op.result.type.dims, t.dims)), "shapes")
        return t

    def tensor_collapse_shape(self, op, t):
        return Tensor([math.prod(t.dims[i] for i in g) for g in op.attrs["groups"]], t.data)

    def tensor_expand_shape(self, op, t, *sizes):
        need(POISON not in sizes, "poison size")
        rest = iter(sizes)
        dims = [d if isinstance(d, int) else next(rest) for d in op.result.type.dims]
        for g, d in zip(op.attrs["groups"], t.dims):
            need(math.prod(dims[i] for i in g) == d, "shapes")
        return Tensor(dims, t.data)

    def tensor_concat(self, op, *parts, axis=None):
        axis = op.attrs["dim"] if axis is None else axis
        dims = list(parts[0].dims)
        for p in parts:
            need(all(a == b for i, (a, b) in enumerate(zip(p.dims, dims)) if i != axis), "shapes")
        dims[axis] = sum(p.dims[axis] for p in parts)
        data = []
        for index in indices(dims):
            index = list(index)
            for p in parts:
                if index[axis] < p.dims[axis]:
                    data.append(p.at(index))
                    break
                index[axis] -= p.dims[axis]
        return Tensor(dims, data)

    # -- linalg

    def into(self, op, out, write):
        """Runs `write(set, get)` on an output: a new tensor, or the memref."""
        if isinstance(out, Memref):
            write(out.set, out.at)
            return []
        new = out.copy()

        def put(index, v):
            new.data[new.place(index)] = v

        write(put, new.at)
        return [new]

    def apart(self, op, ins, outs, maps=None):
        """Outputs and other operands do not meet, but for an input that is the output, element by element, or that the
        body does not use."""
        for k, o in enumerate(outs):
            for i, other in enumerate(list(ins) + list(outs)):
                if other is o and (
                    i == len(ins) + k
                    or maps
                    and maps[i] == maps[len(ins) + k]
                    and len({r[0][0] for r in maps[i] if len(r) == 2}) == len(maps[i]) == len(o.dims)
                ):
                    continue
                if (
                    op.name == "linalg.generic"
                    and i < len(ins)
                    and not self.is_used(op.regions[0], op.regions[0].args[i])
                ):
                    continue
                if isinstance(o, Memref) and isinstance(other, Memref) and other.block is o.block:
                    need(not set(o.places()) & set(other.places()), "overlap")

    def is_used(self, region, value):
        return any(value in op.operands or any(self.is_used(r, value) for r in op.regions) for op in region.ops)

    def loop(self, op, ins, outs, maps, count, body):
        """A structured operation: maps as in ir.affine_map."""
        self.apart(op, ins, outs, maps)
        extents = [None] * count
        shaped = [(v, m) for v, m in zip(list(ins) + list(outs), maps)]
        for v, m in shaped:
            if not isinstance(v, (Tensor, Memref)):
                continue
            for d, result in zip(v.dims, m):
                if len(result) == 2 and result[0][1] == 1 and result[1] == 0:
                    k = result[0][0]
                    extents[k] = d if extents[k] is None else extents[k]
                    need(extents[k] == d, "shapes")
        outs = [o if isinstance(o, Memref) else o.copy() for o in outs]

        def at(v, m, index):
            if not isinstance(v, (Tensor, Memref)):
                return v
            return v.at(place(m, index))

        def place(m, index):
            return [sum(index[d] * f for d, f in r[:-1]) + r[-1] for r in m]

        for v, m in shaped:
            if isinstance(v, (Tensor, Memref)):
                for index in indices(extents):
                    v.at(place(m, index))
        for index in indices(extents):
            args = [at(v, m, index) for v, m in zip(list(ins) + outs, maps)]
            self.index = index
            for o, m, v in zip(outs, maps[len(ins) :], body(args)):
                if isinstance(o, Memref):
                    o.set(place(m, index), v)
                else:
                    o.data[o.place(place(m, index))] = v
        return [o for o in outs if isinstance(o, Tensor)]

    def linalg_generic(self, op, *args):
        n = len(args) - op.attrs["outs"]
        return self.loop(
            op, args[:n], args[n:], op.attrs["maps"], op.attrs["loops"], lambda a: self.block(op.regions[0], a)
        )

    def linalg_index(self, op):
        return self.index[op.attrs["dim"]]

    def linalg_fill(self, op, v, out):
        return self.into(op, out, lambda put, get: [put(i, v) for i in indices(out.dims)])

    def linalg_copy(self, op, a, out):
        need(a.dims == out.dims, "shapes")
        self.apart(op, [a], [out])
        return self.into(op, out, lambda put, get: [put(i, a.at(i)) for i in indices(out.dims)])

    def linalg_map(self, op, *args):
        ident = [[(i, 1)] + [0] for i in range(len(args[0].dims))]
        return self.loop(
            op, args[:-1], args[-1:], [ident] * len(args), len(ident), lambda a: self.block(op.regions[0], a[:-1])
        )

    def linalg_transpose(self, op, a, out):
        p = op.attrs["permutation"]
        ident = [[(i, 1), 0] for i in range(len(p))]
        source = [None] * len(p)
        for i, k in enumerate(p):
            source[k] = [(i, 1), 0]
        return self.loop(op, [a], [out], [source, ident], len(p), lambda x: [x[0]])

    def linalg_broadcast(self, op, a, out):
        rank = len(out.dims)
        ident = [[(i, 1), 0] for i in range(rank)]
        return self.loop(
            op,
            [a],
            [out],
            [[m for i, m in enumerate(ident) if i not in op.attrs["dimensions"]], ident],
            rank,
            lambda x: [x[0]],
        )

    def linalg_reduce(self, op, a, out):
        ident = [[(i, 1), 0] for i in range(len(a.dims))]
        return self.loop(
            op,
            [a],
            [out],
            [ident, [m for i, m in enumerate(ident) if i not in op.attrs["dimensions"]]],
            len(ident),
            lambda x: self.block(op.regions[0], x),
        )

    def arithmetic(self, t, what, *args):
        name = {
            "add": "arith.addf",
            "sub": "arith.subf",
            "mul": "arith.mulf",
            "max": "arith.maximumf",
            "min": "arith.minimumf",
            "exp": "math.exp",
            "negf": "arith.negf",
        }[what]
        if not is_float(t):
            name = {
                "add": "arith.addi",
                "sub": "arith.subi",
                "mul": "arith.muli",
                "max": "arith.maxsi",
                "min": "arith.minsi",
            }[what]
        from ir import Op

        return scalar(Op(name, [], []), list(args), [t], t)

    def named(self, op):
        *ins, out = [self.get(v) for v in op.operands]
        t = op.operands[-1].type.element
        name = op.name.split(".")[1]

        def d(*dims):
            return [[(k, 1), 0] if isinstance(k, int) else [(k[0], k[1]), (k[2], k[3]), 0] for k in dims]

        def run(count, maps, body):
            return self.loop(op, ins, [out], maps, count, body)

        def muladd(x):
            return [self.arithmetic(t, "add", x[2], self.arithmetic(t, "mul", x[0], x[1]))]

        contractions = {
            "matmul": (3, (0, 2), (2, 1), (0, 1)),
            "batch_matmul": (4, (0, 1, 3), (0, 3, 2), (0, 1, 2)),
            "matvec": (2, (0, 1), (1,), (0,)),
            "vecmat": (2, (1,), (1, 0), (0,)),
            "dot": (1, (0,), (0,), ()),
            "batch_matvec": (3, (0, 1, 2), (0, 2), (0, 1)),
            "matmul_transpose_a": (3, (2, 0), (2, 1), (0, 1)),
            "matmul_transpose_b": (3, (0, 2), (1, 2), (0, 1)),
            "conv_1d": (2, ((0, 1, 1, 1),), (1,), (0,)),
            "conv_2d": (4, ((0, 1, 2, 1), (1, 1, 3, 1)), (2, 3), (0, 1)),
        }
        if name in contractions:
            count, *maps = contractions[name]
            return run(count, [d(*m) for m in maps], muladd)
        s, u = op.attrs.get("_strides", (1, 1)), op.attrs.get("_dilations", (1, 1))
        if name == "conv_2d_nhwc_hwcf":
            return run(7, [d(0, (1, s[0], 4, u[0]), (2, s[1], 5, u[1]), 6), d(4, 5, 6, 3), d(0, 1, 2, 3)], muladd)
        if name == "conv_2d_nchw_fchw":
            return run(7, [d(0, 4, (2, s[0], 5, u[0]), (3, s[1], 6, u[1])), d(1, 4, 5, 6), d(0, 1, 2, 3)], muladd)
        if name == "depthwise_conv_2d_nhwc_hwc":
            return run(6, [d(0, (1, s[0], 4, u[0]), (2, s[1], 5, u[1]), 3), d(4, 5, 3), d(0, 1, 2, 3)], muladd)
        if name.startswith("pooling_nhwc"):
            return run(
                6,
                [d(0, (1, s[0], 4, u[0]), (2, s[1], 5, u[1]), 3), d(4, 5), d(0, 1, 2, 3)],
                lambda x: [self.arithmetic(t, {"sum": "add"}.get(name[-3:], name[-3:]), x[2], x[0])],
            )
        ident = [[(i, 1), 0] for i in range(len(out.dims))]
        return run(len(ident), [ident] * (len(ins) + 1), lambda x: [self.arithmetic(t, name, *x[:-1])])

    # -- tosa

    def tosa(self, op):
        name = op.name.split(".")[1]
        args = [self.get(v) for v in op.operands]
        t = op.operands[0].type.element
        dims = self.dims(op.result.type)
        x = args[0]
        if name == "transpose":
            p = op.attrs["_perm"]
            return Tensor(dims, [x.at([index[p.index(k)] for k in range(len(p))]) for index in indices(dims)])
        if name == "reshape":
            return Tensor(dims, x.data)
        if name == "concat":
            return self.tensor_concat(op, *args, axis=op.attrs["axis"].value)
        if name == "reverse":
            a = op.attrs["axis"].value
            return Tensor(
                dims,
                [x.at([x.dims[a] - 1 - i if k == a else i for k, i in enumerate(index)]) for index in indices(dims)],
            )
        if name == "tile":
            return Tensor(dims, [x.at([i % d for i, d in zip(index, x.dims)]) for index in indices(dims)])
        if name == "slice":
            return Tensor(dims, [x.at([i + s for i, s in zip(index, op.attrs["_start"])]) for index in indices(dims)])
        if name.startswith("reduce_"):
            return self.tosa_reduce(name[7:], x, op.attrs["axis"].value, t, dims)
        if name == "matmul":
            b = args[1]
            data = []
            for n, i, j in indices(dims):
                total = 0.0 if is_float(t) else 0
                for k in range(x.dims[2]):
                    product = self.arithmetic(t, "mul", x.at([n, i, k]), b.at([n, k, j]))
                    # one product of floats may be the sum: what it starts from is left open
                    one = is_float(t) and x.dims[2] == 1
                    total = product if one else self.arithmetic(t, "add", total, product)
                data.append(total)
            return Tensor(dims, data)
        if name == "select":
            rows = self.broadcast(args)
            return Tensor(dims, [POISON if a[0] is POISON else a[1] if a[0] else a[2] for a in rows])
        if name == "clamp":
            lo, hi = op.attrs["_low"], op.attrs["_high"]
            return Tensor(dims, [self.arithmetic(t, "min", self.arithmetic(t, "max", v, lo), hi) for v in x.data])
        if name == "gather":
            i = args[1]
            for v in i.data:
                need(v is not POISON and 0 <= v < x.dims[1], "gather")
            return Tensor(dims, [x.at([n, i.at([n, w]), c]) for n, w, c in indices(dims)])
        return Tensor(
            dims, [self.tosa_element(name, t, a) for a in self.broadcast(args[: 3 if name == "select" else 2])]
        )

    def broadcast(self, args):
        rank = len(args[0].dims)
        dims = [max((a.dims[i] for a in args), key=lambda d: d != 1) for i in range(rank)]
        for a in args:
            need(all(n in (1, d) for n, d in zip(a.dims, dims)), "shapes")
        return [[a.at([i if n != 1 else 0 for i, n in zip(index, a.dims)]) for a in args] for index in indices(dims)]

    def tosa_element(self, name, t, args):
        if POISON in args:
            return POISON
        compare = {"equal": "eq", "greater": "gt", "greater_equal": "ge"}
        if name in compare:
            return compare_floats("o" + compare[name], *args) if is_float(t) else int(COMPARE[compare[name]](*args))
        if name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
            return {"and": args[0] & args[-1], "or": args[0] | args[-1], "xor": args[0] ^ args[-1]}[name.split("_")[1]]
        two = {"add": "add", "sub": "sub", "mul": "mul", "maximum": "max", "minimum": "min"}
        if name in two:
            return self.arithmetic(t, two[name], *args)
        if is_float(t):
            f = {"abs": "math.absf", "negate": "arith.negf"}.get(name, "math." + name)
            return rounded(FLOATS[f](args[0]), t)
        return wrap(abs(args[0]) if name == "abs" else -args[0], width(t))

    def tosa_reduce(self, what, x, axis, t, dims):
        big = {"f32": 3.4028234663852886e38, "f16": 65504.0, "f64": 1.7976931348623157e308}.get(t)
        start = {
            "sum": 0,
            "prod": 1,
            "max": -big if big else -(1 << (width(t) - 1)),
            "min": big or (1 << (width(t) - 1)) - 1,
        }[what]
        data = []
        for index in indices(dims):
            total = float(start) if is_float(t) else start
            for k in range(x.dims[axis]):
                v = x.at([k if i == axis else n for i, n in enumerate(index)])
                # of one float, that is what it is: what the sum starts from is left open
                one = is_float(t) and x.dims[axis] == 1
                total = v if one else self.arithmetic(t, {"sum": "add", "prod": "mul"}.get(what, what), v, total)
            data.append(total)
        return Tensor(dims, data)


# ---- inputs, and two runs compared


def draw(rng, t):
    if is_float(t):
        v = rng.choice(
            [
                0.0,
                -0.0,
                1.0,
                -1.0,
                2.0,
                math.inf,
                -math.inf,
                math.nan,
                1e30,
                rng.randrange(-8, 9) / 2,
                rng.uniform(-10, 10),
                rng.uniform(-10, 10),
            ]
        )
        return rounded(v, t)
    w = width(t)
    if w == 1:
        return rng.randrange(2)
    top = 1 << (w - 1)
    return wrap(rng.choice([0, 1, -1, 2, 3, 5, top - 1, -top, rng.randrange(-10, 11), rng.randrange(-top, top)]), w)


def inputs(rng, function, sizes):
    """Arguments; memrefs are often views of one block."""
    blocks, args = {}, []
    for a in function.args:
        t = a.type
        if not isinstance(t, Shaped):
            args.append(rng.choice([0, 1, 2, 3, draw(rng, t)]) if t == "index" else draw(rng, t))
            continue
        dims = [sizes[d] if isinstance(d, str) else d for d in t.dims]
        n = math.prod(dims)
        if t.kind == "tensor":
            args.append(Tensor(dims, [draw(rng, t.element) for _ in range(n)]))
            continue
        block = blocks.get(t.element) if rng.random() < 0.4 else None
        if block is None:
            block = blocks[t.element] = [draw(rng, t.element) for _ in range(n + rng.randrange(4))]
        offset = rng.randrange(max(1, len(block) - n + 1))
        block += [draw(rng, t.element) for _ in range(offset + n - len(block))]
        args.append(Memref(block, offset, dims, row_major(dims)))
    return args


def copied(args):
    blocks = {}
    out = []
    for a in args:
        if isinstance(a, Memref):
            block = blocks.setdefault(id(a.block), list(a.block))
            out.append(Memref(block, a.offset, a.dims, a.strides))
        else:
            out.append(a)
    return out


def run(function, args, sizes):
    """Results, and the memory of each argument; raises Undefined."""
    args = copied(args)
    r = Run(sizes)
    for v, x in zip(function.args, args):
        r.values[v] = x
    results = r.run(function.ops)
    return results + [Tensor([len(a.block)], a.block) for a in args if isinstance(a, Memref)]


def flat(v):
    return v.data if isinstance(v, Tensor) else [v]


def is_refined(a, b):
    if isinstance(a, Tensor) and a.dims != b.dims:
        return False
    for x, y in zip(flat(a), flat(b)):
        if x is POISON:
            continue
        same = y is not POISON and (x == y and math.copysign(1, x) == math.copysign(1, y) or x != x and y != y)
        if not same:
            return False
    return True


def difference(rng, source, target, trials):
    """Arguments at which the target is no refinement of the source, or None; and how many runs were defined."""
    defined = 0
    names = sorted({d for a in source.args if isinstance(a.type, Shaped) for d in a.type.dims if isinstance(d, str)})
    for _ in range(trials):
        sizes = {n: rng.choice([0, 1, 2, 3, 4]) for n in names}
        args = inputs(rng, source, sizes)
        try:
            want = run(source, args, sizes)
        except Undefined:
            continue
        defined += 1
        try:
            got = run(target, args, sizes)
        except Undefined as e:
            return (sizes, args, want, str(e)), defined
        if not all(map(is_refined, want, got)):
            return (sizes, args, want, got), defined
    return None, defined
