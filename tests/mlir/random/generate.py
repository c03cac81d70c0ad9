"""Random functions over the operations that are executed, from a seed. Each recipe adds one operation (with what it
needs) to the function, and picks its operands among the values in scope; what it cannot place it leaves out."""

import math

from ir import Function, Op, PREDICATES_F, PREDICATES_I, Region, Shaped, Value, is_float, memref, tensor, width

INTEGERS = ["i8", "i16", "i32", "i32", "i64", "index"]
FLOATS = ["f32", "f32", "f32", "f64", "f16"]


class Skip(Exception):
    """The recipe has no operands here."""


class Maker:
    def __init__(self, rng, name, profile):
        self.rng, self.name, self.profile = rng, name, profile
        self.args, self.ops, self.scope, self.depth = [], [], [], 0
        self.sizes = {}  # of a dynamic dimension

    # -- values

    def emit(self, name, operands, types, regions=(), **attrs):
        op = Op(name, list(operands), [Value(t) for t in types], attrs, list(regions))
        self.ops.append(op)
        self.scope += op.results
        return op.result if len(op.results) == 1 else op.results

    def argument(self, t):
        v = Value(t)
        self.args.append(v)
        self.scope.append(v)
        return v

    def constant(self, value, t="index"):
        return self.emit("arith.constant", [], [t], value=value)

    def number(self, t):
        if is_float(t):
            return self.rng.choice([0.0, -0.0, 1.0, 2.0, 0.5, -1.0, 3.0, 0.25, 10.0])
        if t == "i1":
            return bool(self.rng.randrange(2))
        return self.rng.choice([0, 1, 2, 3, 4, 5, 7, 8, -1, -2, 16])

    def pick(self, test):
        found = [v for v in self.scope if test(v.type)]
        if not found:
            raise Skip
        # late values are used more often, so that less is dead
        return self.rng.choice(found[-6:] if self.rng.random() < 0.7 else found)

    def like(self, t):
        """A value of that type; scalars and constants are made where there is none."""
        found = [v for v in self.scope if v.type == t]
        if isinstance(t, Shaped):
            if found and self.rng.random() < 0.8:
                return self.rng.choice(found)
            if t.kind == "tensor" and all(isinstance(d, int) for d in t.dims) and self.rng.random() < 0.7:
                return self.constant(self.dense(t), t)
            if found:
                return self.rng.choice(found)
            if self.depth == 0 and len(self.args) < 6:
                return self.argument(t)
            raise Skip
        if found and self.rng.random() < 0.7:
            return self.rng.choice(found)
        if self.rng.random() < 0.3 and self.depth == 0 and len(self.args) < 6:
            return self.argument(t)
        return self.constant(self.number(t), t)

    def dense(self, t):
        n = math.prod(t.dims)
        if n > 12 or self.rng.random() < 0.4:
            return self.number(t.element)
        return [self.number(t.element) for _ in range(n)]

    def size(self, d):
        """A dimension as a value."""
        if isinstance(d, int):
            return self.constant(d)
        for v in self.scope:
            if isinstance(v.type, Shaped) and d in v.type.dims and v in self.args:
                if (d, self.depth) not in self.sizes or self.sizes[d, self.depth] not in self.scope:
                    name = v.type.kind + ".dim"
                    self.sizes[d, self.depth] = self.emit(name, [v, self.constant(v.type.dims.index(d))], ["index"])
                return self.sizes[d, self.depth]
        raise Skip

    def dynamic(self, dims):
        return [self.size(d) for d in dims if isinstance(d, str)]

    def empty(self, t):
        return self.emit("tensor.empty", self.dynamic(t.dims), [t])

    def filled(self, t, value=None):
        """An output: filled, a tensor in scope, or nothing defined."""
        if value is None and self.rng.random() < 0.3:
            try:
                return self.like(t)
            except Skip:
                pass
        value = self.constant(self.number(t.element) if value is None else value, t.element)
        return self.emit("linalg.fill", [value, self.empty(t)], [t])

    def dim(self):
        return (
            self.rng.choice([1, 2, 2, 3, 3, 4, "n", "m"])
            if self.profile != "tosa"
            else self.rng.choice([1, 2, 2, 3, 3])
        )

    def type_(self, rank=None):
        rank = self.rng.choice([1, 1, 2, 2, 3]) if rank is None else rank
        return tensor([self.dim() for _ in range(rank)], self.element())

    def element(self):
        return self.rng.choice(["f32", "f32", "f32", "i32", "i32", "i8", "i64", "f64"])

    def axis(self, v):
        if not v.type.dims:
            raise Skip
        return self.rng.randrange(len(v.type.dims))

    def is_tensor(self, rank=None):
        return lambda t: isinstance(t, Shaped) and t.kind == "tensor" and (rank is None or len(t.dims) == rank)

    def source(self, test=None, rank=None):
        """A tensor in scope, or a new argument."""
        try:
            if self.rng.random() < 0.85:
                return self.pick(lambda t: self.is_tensor(rank)(t) and (not test or test(t)))
        except Skip:
            pass
        t = self.type_(rank)
        if test and not test(t) or self.depth or len(self.args) >= 6:
            raise Skip
        return self.argument(t)

    def body(self, args, make, end):
        """A region: make() adds to it and returns what is yielded; what is outside stays in scope."""
        ops, scope = self.ops, list(self.scope)
        region = Region([Value(t) for t in args])
        self.ops, self.scope, self.depth = region.ops, scope + region.args, self.depth + 1
        try:
            got = make(*region.args)
            self.ops.append(Op(end, list(got), []))
        finally:
            self.ops, self.depth = ops, self.depth - 1
            self.scope = scope
        return region

    # -- scalars (and tensors, element by element)

    def operand(self, kinds):
        """A scalar of one of the types, or a tensor of them."""
        if self.profile in ("tensor", "linalg") and self.depth == 0 and self.rng.random() < 0.6:
            return self.source(lambda t: t.element in kinds)
        try:
            if self.rng.random() < 0.85:
                return self.pick(lambda t: t in kinds)
        except Skip:
            pass
        return self.like(self.rng.choice(kinds))

    def retyped(self, t, element):
        return Shaped(t.kind, t.dims, element) if isinstance(t, Shaped) else element

    def element_of(self, t):
        return t.element if isinstance(t, Shaped) else t

    def r_integer(self):
        a = self.operand(INTEGERS)
        name = self.rng.choice(
            "addi subi muli andi ori xori maxsi minsi maxui minui shli shrsi shrui divsi divui remsi "
            "remui floordivsi ceildivsi ceildivui addi subi muli".split()
        )
        attrs = {}
        if name in ("addi", "subi", "muli", "shli") and self.rng.random() < 0.25:
            attrs["overflow"] = self.rng.choice(["overflow<nsw>", "overflow<nuw>", "overflow<nsw, nuw>"])
        b = self.like(a.type)
        is_static = not isinstance(a.type, Shaped) or all(isinstance(d, int) for d in a.type.dims)
        if is_static and name[:3] in ("shl", "shr", "div", "rem", "flo", "cei") and self.rng.random() < 0.7:
            value = self.rng.choice([1, 2, 3, 4, 5, 8])
            b = self.constant(value, a.type)
        self.emit("arith." + name, [a, b], [a.type], **attrs)

    def r_integer_unary(self):
        a = self.operand(["i8", "i32", "i64"])
        self.emit("math." + self.rng.choice("absi ctpop ctlz cttz".split()), [a], [a.type])

    def r_extended(self):
        a = self.operand(["i8", "i16", "i32"])
        name = self.rng.choice(["mulsi_extended", "mului_extended", "addui_extended"])
        second = self.retyped(a.type, "i1") if name == "addui_extended" else a.type
        self.emit("arith." + name, [a, self.like(a.type)], [a.type, second])

    def r_float(self):
        a = self.operand(FLOATS)
        name = self.rng.choice("addf addf subf mulf mulf divf maximumf minimumf remf".split())
        b = self.like(a.type)
        if a is b and name in ("maximumf", "minimumf"):  # x itself, which floats that are abstract do not have
            raise Skip
        self.emit("arith." + name, [a, b], [a.type])

    def r_float_unary(self):
        a = self.operand(FLOATS)
        self.emit(
            self.rng.choice(
                "arith.negf math.absf math.exp math.sqrt math.floor math.ceil math.trunc math.tanh".split()
            ),
            [a],
            [a.type],
        )

    def r_compare(self):
        if self.rng.random() < 0.5:
            a = self.operand(INTEGERS)
            name, p = "arith.cmpi", self.rng.choice(PREDICATES_I)
        else:
            a = self.operand(FLOATS)
            name, p = "arith.cmpf", self.rng.choice(PREDICATES_F)
        self.emit(name, [a, self.like(a.type)], [self.retyped(a.type, "i1")], _predicate=p)

    def r_select(self):
        c = self.pick(lambda t: self.element_of(t) == "i1")
        t = self.retyped(c.type, self.rng.choice(["i32", "f32", "i64"]))
        found = [
            v.type for v in self.scope if self.retyped(v.type, "i1") == c.type and self.element_of(v.type) != "i1"
        ]
        t = self.rng.choice(found) if found else t
        self.emit("arith.select", [c, self.like(t), self.like(t)], [t])

    def r_cast(self):
        kind = self.rng.choice("ext trunc index sitofp uitofp fptosi fptoui extf truncf bitcast".split())
        order = ["i1", "i8", "i16", "i32", "i64"]
        if kind in ("ext", "trunc"):
            a = self.operand(order[:-1] if kind == "ext" else order[1:])
            at = order.index(self.element_of(a.type))
            to = self.rng.choice(order[at + 1 :] if kind == "ext" else order[:at])
            name = self.rng.choice(["extsi", "extui"]) if kind == "ext" else "trunci"
        elif kind == "index":
            a = self.operand(["index", "i32", "i64"])
            to = "index" if self.element_of(a.type) != "index" else self.rng.choice(["i32", "i64"])
            name = self.rng.choice(["index_cast", "index_castui"])
        elif kind in ("sitofp", "uitofp"):
            a, to, name = self.operand(["i8", "i16", "i32", "i64"]), self.rng.choice(FLOATS), kind
        elif kind in ("fptosi", "fptoui"):
            a, to, name = self.operand(FLOATS), self.rng.choice(["i8", "i32", "i64"]), kind
        elif kind == "bitcast":
            pairs = {"f32": "i32", "f64": "i64", "i32": "f32", "i64": "f64"}
            a = self.operand(["i32", "i64"])  # a NaN has many bits
            to, name = pairs[self.element_of(a.type)], "bitcast"
        else:
            a = self.operand(["f16", "f32"] if kind == "extf" else ["f32", "f64"])
            e = self.element_of(a.type)
            to = {"f16": "f32", "f32": "f64"}[e] if kind == "extf" else {"f32": "f16", "f64": "f32"}[e]
            name = kind
        self.emit("arith." + name, [a], [self.retyped(a.type, to)], _cast=True)

    def scalars(self, count, want):
        """A few scalar operations, and then a value of that type."""
        for _ in range(count):
            self.attempt(
                self.rng.choice(
                    [self.r_integer, self.r_float, self.r_float_unary, self.r_compare, self.r_select, self.r_cast]
                )
            )
        found = [v for v in self.scope if v.type == want]
        return self.rng.choice(found[-4:]) if found else self.constant(self.number(want), want)

    # -- tensors

    def index_in(self, d):
        """An index into that dimension, mostly inside."""
        found = [v for v in self.scope if v.type == "index"]
        if found and self.rng.random() < 0.3:
            return self.rng.choice(found)
        if isinstance(d, str):
            return self.constant(self.rng.choice([0, 0, 1]))
        return self.constant(self.rng.randrange(d) if d else 0)

    def r_extract(self):
        t = self.source()
        self.emit("tensor.extract", [t, *map(self.index_in, t.type.dims)], [t.type.element])

    def r_insert(self):
        t = self.source()
        v = self.like(t.type.element)
        self.emit("tensor.insert", [v, t, *map(self.index_in, t.type.dims)], [t.type])

    def slice_(self, dims):
        offsets, sizes, strides = [], [], []
        for d in dims:
            if isinstance(d, str):
                o, s, k = 0, 1, 1
                if self.rng.random() < 0.6:
                    o, s, k = 0, None, 1
                elif self.rng.random() < 0.5:
                    o, s = 1, 1
            else:
                k = self.rng.choice([1, 1, 1, 2])
                s = self.rng.randrange(1, (d + k - 1) // k + 1) if d else 0
                o = self.rng.randrange(0, d - (s - 1) * k) if s else 0
            offsets.append(o), sizes.append(s), strides.append(k)
        return offsets, sizes, strides

    def r_extract_slice(self):
        t = self.source()
        o, s, k = self.slice_(t.type.dims)
        extra = [self.size(d) for d, n in zip(t.type.dims, s) if n is None]
        dims = [d if n is None else n for d, n in zip(t.type.dims, s)]
        self.emit("tensor.extract_slice", [t, *extra], [tensor(dims, t.type.element)], offsets=o, sizes=s, strides=k)

    def r_insert_slice(self):
        t = self.source()
        o, s, k = self.slice_(t.type.dims)
        dims = [d if n is None else n for d, n in zip(t.type.dims, s)]
        v = self.like(tensor(dims, t.type.element))
        extra = [self.size(d) for d, n in zip(t.type.dims, s) if n is None]
        self.emit("tensor.insert_slice", [v, t, *extra], [t.type], offsets=o, sizes=s, strides=k)

    def r_pad(self):
        t = self.source(lambda t: all(isinstance(d, int) for d in t.dims))
        low = [self.rng.randrange(3) for _ in t.type.dims]
        high = [self.rng.randrange(3) for _ in t.type.dims]
        dims = [d + a + b for d, a, b in zip(t.type.dims, low, high)]
        v = self.like(t.type.element)
        region = self.body(["index"] * len(dims), lambda *_: [v], "tensor.yield")
        self.emit("tensor.pad", [t], [tensor(dims, t.type.element)], [region], low=low, high=high)

    def r_generate(self):
        t = self.type_(self.rng.choice([1, 2]))
        extra = self.dynamic(t.dims)

        def make(*index):
            return [self.scalars(self.rng.randrange(3), t.element)]

        region = self.body(["index"] * len(t.dims), make, "tensor.yield")
        self.emit("tensor.generate", extra, [t], [region])

    def r_from_elements(self):
        dims = self.rng.choice([(1,), (2,), (3,), (2, 2)])
        e = self.element()
        self.emit("tensor.from_elements", [self.like(e) for _ in range(math.prod(dims))], [tensor(dims, e)])

    def r_splat(self):
        t = tensor([self.rng.choice([1, 2, 3]) for _ in range(self.rng.choice([1, 2]))], self.element())
        self.emit("tensor.splat", [self.like(t.element)], [t])

    def r_concat(self):
        t = self.source(lambda t: all(isinstance(d, int) for d in t.dims))
        u = self.like(t.type)
        axis = self.axis(t)
        dims = [2 * d if i == axis else d for i, d in enumerate(t.type.dims)]
        self.emit("tensor.concat", [t, u], [tensor(dims, t.type.element)], dim=axis)

    def r_collapse(self):
        t = self.source(lambda t: len(t.dims) >= 2 and all(isinstance(d, int) for d in t.dims))
        at = self.rng.randrange(len(t.type.dims) - 1)
        groups, dims = [], []
        for i, d in enumerate(t.type.dims):
            if i == at + 1:
                groups[-1].append(i)
                dims[-1] *= d
            else:
                groups.append([i])
                dims.append(d)
        self.emit("tensor.collapse_shape", [t], [tensor(dims, t.type.element)], groups=groups)

    def r_expand(self):
        t = self.source(
            lambda t: any(isinstance(d, int) and d in (2, 4, 6, 9, 12) for d in t.dims) and len(t.dims) < 4
        )
        at = self.rng.choice([i for i, d in enumerate(t.type.dims) if isinstance(d, int) and d in (2, 4, 6, 9, 12)])
        groups, dims, k = [], [], 0
        for i, d in enumerate(t.type.dims):
            parts = [d] if i != at else self.rng.choice([(a, d // a) for a in range(1, d + 1) if d % a == 0])
            groups.append(list(range(k, k + len(parts))))
            dims += parts
            k += len(parts)
        extra = [self.size(d) for d in dims if isinstance(d, str)]
        self.emit("tensor.expand_shape", [t, *extra], [tensor(dims, t.type.element)], groups=groups)

    def r_tensor_cast(self):
        t = self.source(lambda t: any(isinstance(d, int) for d in t.dims))
        self.emit("tensor.cast", [t], [t.type])

    # -- linalg

    def r_fill(self):
        t = self.type_()
        self.emit("linalg.fill", [self.like(t.element), self.empty(t)], [t])

    def r_transpose(self):
        t = self.source(lambda t: len(t.dims) >= 2)
        p = list(range(len(t.type.dims)))
        self.rng.shuffle(p)
        r = tensor([t.type.dims[i] for i in p], t.type.element)
        self.emit("linalg.transpose", [t, self.empty(r)], [r], permutation=p)

    def r_broadcast(self):
        t = self.source(lambda t: len(t.dims) <= 2)
        at = self.rng.randrange(len(t.type.dims) + 1)
        dims = list(t.type.dims)
        dims.insert(at, self.rng.choice([1, 2, 3] + [d for d in t.type.dims if isinstance(d, str)]))
        r = tensor(dims, t.type.element)
        self.emit("linalg.broadcast", [t, self.empty(r)], [r], dimensions=[at])

    def combine(self, t, a, b):
        name = self.rng.choice(
            ["addf", "mulf", "maximumf", "minimumf"] if is_float(t) else ["addi", "muli", "maxsi", "minui"]
        )
        if a is b and is_float(t):
            name = "addf"
        return self.emit("arith." + name, self.rng.choice([[a, b], [b, a]]), [t])

    def r_reduce(self):
        t = self.source(lambda t: len(t.dims) >= 1)
        at = self.axis(t)
        e = t.type.element
        r = tensor([d for i, d in enumerate(t.type.dims) if i != at], e)
        out = self.filled(r)
        region = self.body([e, e], lambda a, b: [self.combine(e, a, b)], "linalg.yield")
        self.emit("linalg.reduce", [t, out], [r], [region], dimensions=[at])

    def r_map(self):
        t = self.source()
        u = self.like(t.type)
        e = t.type.element
        out = self.empty(t.type)
        # what is yielded is the last operation's: of a body with one, mlir-opt prints no yield
        region = self.body(
            [e, e], lambda x, y: [self.combine(e, self.scalars(self.rng.randrange(3), e), y)], "linalg.yield"
        )
        self.emit("linalg.map", [t, u, out], [t.type], [region])

    def r_generic(self):
        """Elementwise, transposed, broadcast and reduced operands."""
        a = self.source()
        rank = len(a.type.dims)
        order = list(range(rank))
        self.rng.shuffle(order)  # loop i runs over dimension order[i] of a
        loops = [a.type.dims[i] for i in order]
        a_map = [[(order.index(i), 1), 0] for i in range(rank)]
        ins, maps = [a], [a_map]
        for _ in range(self.rng.randrange(2)):
            keep = [i for i in range(rank) if self.rng.random() < 0.8]
            if self.rng.random() < 0.4:
                self.rng.shuffle(keep)
            b = self.like(tensor([loops[i] for i in keep], self.rng.choice([a.type.element, self.element()])))
            ins.append(b)
            maps.append([[(i, 1), 0] for i in keep])
        reduced = self.rng.random() < 0.35
        keep = [i for i in range(rank) if not reduced or self.rng.random() < 0.5]
        if self.rng.random() < 0.3:
            self.rng.shuffle(keep)
        e = self.rng.choice([v.type.element for v in ins])
        t = tensor([loops[i] for i in keep], e)
        out = self.filled(t) if len(keep) < rank else self.rng.choice([self.filled, self.empty])(t)

        def make(*args):
            if self.rng.random() < 0.2 and rank:
                self.emit("linalg.index", [], ["index"], dim=self.rng.randrange(rank))
            v = self.scalars(self.rng.randrange(1, 4), e)
            if len(keep) < rank:
                v = self.combine(e, v, args[-1])
            return [v]

        region = self.body([v.type.element for v in ins] + [e], make, "linalg.yield")
        self.emit(
            "linalg.generic",
            ins + [out],
            [t],
            [region],
            maps=maps + [[[(i, 1), 0] for i in keep]],
            loops=rank,
            iterators=["parallel" if i in keep else "reduction" for i in range(rank)],
            outs=1,
        )

    def r_contraction(self):
        name = self.rng.choice(
            ["matmul", "matmul", "matvec", "vecmat", "dot", "batch_matmul", "matmul_transpose_a", "matmul_transpose_b"]
        )
        ranks = {
            "matmul": (2, 2),
            "matvec": (2, 1),
            "vecmat": (1, 2),
            "dot": (1, 1),
            "batch_matmul": (3, 3),
            "matmul_transpose_a": (2, 2),
            "matmul_transpose_b": (2, 2),
        }[name]
        a = self.source(rank=ranks[0])
        e, d = a.type.element, a.type.dims
        j = self.dim()
        shapes = {
            "matmul": lambda: ((d[-1], j), (d[0], j)),
            "matvec": lambda: ((d[1],), (d[0],)),
            "vecmat": lambda: ((d[0], j), (j,)),
            "dot": lambda: ((d[0],), ()),
            "batch_matmul": lambda: ((d[0], d[2], j), (d[0], d[1], j)),
            "matmul_transpose_a": lambda: ((d[0], j), (d[1], j)),
            "matmul_transpose_b": lambda: ((j, d[1]), (d[0], j)),
        }
        other, result = shapes[name]()
        b = self.like(tensor(other, e))
        r = tensor(result, e)
        self.emit("linalg." + name, [a, b, self.filled(r)], [r])

    def r_convolution(self):
        e = self.rng.choice(["f32", "i32"])
        name = self.rng.choice(
            [
                "conv_1d",
                "conv_2d",
                "conv_2d_nhwc_hwcf",
                "conv_2d_nchw_fchw",
                "depthwise_conv_2d_nhwc_hwc",
                "pooling_nhwc_sum",
                "pooling_nhwc_max",
                "pooling_nhwc_min",
            ]
        )
        if name in ("conv_1d", "conv_2d"):
            rank = int(name[5])
            k = [self.rng.choice([1, 2]) for _ in range(rank)]
            o = [self.rng.choice([1, 2, 3]) for _ in range(rank)]
            shapes = [x + y - 1 for x, y in zip(k, o)], k, o
            attrs = {}
        else:
            s = [self.rng.choice([1, 1, 2]) for _ in range(2)]
            u = [self.rng.choice([1, 1, 2]) for _ in range(2)]
            k, o = [self.rng.choice([1, 2]) for _ in range(2)], [self.rng.choice([1, 2]) for _ in range(2)]
            i = [(x - 1) * a + (y - 1) * b + 1 for x, a, y, b in zip(o, s, k, u)]
            c, f = self.rng.choice([1, 2]), self.rng.choice([1, 2])
            if name.startswith("pooling"):
                shapes = [1, *i, c], k, [1, *o, c]
            elif name.startswith("depthwise"):
                shapes = [1, *i, c], [*k, c], [1, *o, c]
            elif name == "conv_2d_nhwc_hwcf":
                shapes = [1, *i, c], [*k, c, f], [1, *o, f]
            else:
                shapes = [1, c, *i], [f, c, *k], [1, f, *o]
            attrs = {
                "strides": f"dense<[{s[0]}, {s[1]}]> : tensor<2xi64>",
                "_strides": s,
                "dilations": f"dense<[{u[0]}, {u[1]}]> : tensor<2xi64>",
                "_dilations": u,
            }
        a, b, r = (tensor(d, e) for d in shapes)
        self.emit("linalg." + name, [self.like(a), self.like(b), self.filled(r)], [r], **attrs)

    def r_linalg_elementwise(self):
        if self.rng.random() < 0.3:
            t = self.source(lambda t: is_float(t.element))
            self.emit("linalg." + self.rng.choice(["exp", "negf"]), [t, self.empty(t.type)], [t.type])
            return
        t = self.source()
        self.emit(
            "linalg." + self.rng.choice(["add", "sub", "mul", "max"]),
            [t, self.like(t.type), self.empty(t.type)],
            [t.type],
        )

    # -- control

    def r_if(self):
        c = self.like("i1") if self.rng.random() < 0.5 else self.pick(lambda t: t == "i1")
        if self.profile == "memory" and self.rng.random() < 0.5:
            regions = [self.body([], lambda: self.some(self.rng.randrange(1, 3)), "scf.yield") for _ in range(2)]
            self.emit("scf.if", [c], [], regions)
            return
        t = self.pick(lambda t: not isinstance(t, Shaped) or t.kind == "tensor").type

        def make():
            if isinstance(t, Shaped):
                self.some(self.rng.randrange(2))
                return [self.like(t)]
            return [self.scalars(self.rng.randrange(1, 3), t)]

        regions = [self.body([], make, "scf.yield") for _ in range(2)]
        self.emit("scf.if", [c], [t], regions)

    def some(self, count):
        for _ in range(count):
            self.attempt(self.rng.choice(self.recipes()))
        return []

    def bounds(self):
        hi = self.rng.choice([0, 1, 2, 3, 4, 5])
        names = sorted({d for v in self.args if isinstance(v.type, Shaped) for d in v.type.dims if isinstance(d, str)})
        top = self.size(self.rng.choice(names)) if names and self.rng.random() < 0.5 else self.constant(hi)
        return self.constant(self.rng.choice([0, 0, 0, 1])), top, self.constant(self.rng.choice([1, 1, 1, 2]))

    def r_for(self):
        lo, hi, step = self.bounds()
        t = self.pick(lambda t: t in ("f32", "i32", "f64", "i64") or isinstance(t, Shaped) and t.kind == "tensor").type
        start = self.like(t)

        def make(iv, carried):
            if not isinstance(t, Shaped):
                v = self.scalars(self.rng.randrange(3), t)
                for arg in [v for v in self.scope if isinstance(v.type, Shaped) and v.type.element == t][-1:]:
                    if len(arg.type.dims) == 1 and arg.type.kind == "tensor" and self.rng.random() < 0.7:
                        v = self.emit("tensor.extract", [arg, iv], [t])
                return [self.combine(t, v, carried)]
            if self.rng.random() < 0.5:
                at = [iv if i == 0 else self.index_in(d) for i, d in enumerate(t.dims)]
                old = self.emit("tensor.extract", [carried, *at], [t.element])
                v = self.scalars(self.rng.randrange(2), t.element)
                return [self.emit("tensor.insert", [self.combine(t.element, v, old), carried, *at], [t])]
            self.some(self.rng.randrange(1, 3))
            return [self.like(t)]

        region = self.body(["index", t], make, "scf.yield")
        self.emit("scf.for", [lo, hi, step, start], [t], [region])

    # -- memory

    def is_memref(self, t):
        return isinstance(t, Shaped) and t.kind == "memref"

    def buffer(self, t=None):
        try:
            if self.rng.random() < 0.85:
                return self.pick(lambda u: self.is_memref(u) and (t is None or u == t))
        except Skip:
            pass
        if t is None:
            t = memref(
                [self.rng.choice([2, 3, 4, "n"]) for _ in range(self.rng.choice([1, 1, 2]))],
                self.rng.choice(["f32", "i32"]),
            )
        if self.depth == 0 and len(self.args) < 5 and self.rng.random() < 0.7:
            return self.argument(t)
        return self.emit(
            "memref.alloc",
            self.dynamic(t.dims),
            [t],
            operandSegmentSizes=f"array<i32: {len([d for d in t.dims if isinstance(d, str)])}, 0>",
        )

    def r_load(self):
        m = self.buffer()
        self.emit("memref.load", [m, *map(self.index_in, m.type.dims)], [m.type.element])

    def r_store(self):
        m = self.buffer()
        v = self.scalars(self.rng.randrange(2), m.type.element)
        self.emit("memref.store", [v, m, *map(self.index_in, m.type.dims)], [])

    def r_copy(self):
        a = self.buffer()
        b = self.buffer(memref(a.type.dims, a.type.element))
        if a is not b:
            self.emit("memref.copy", [a, b], [])

    def r_subview(self):
        m = self.pick(lambda t: self.is_memref(t) and all(isinstance(d, int) for d in t.dims) and not t.layout)
        o, s, k = self.slice_(m.type.dims)
        strides, at = [], 1
        for d in reversed(m.type.dims):
            strides.insert(0, at)
            at *= d
        offset = sum(a * b for a, b in zip(o, strides))
        t = memref(s, m.type.element, (tuple(a * b for a, b in zip(strides, k)), str(offset)))
        self.emit("memref.subview", [m], [t], offsets=o, sizes=s, strides=k)

    def r_fill_memory(self):
        m = self.buffer()
        self.emit("linalg.fill", [self.like(m.type.element), m], [])

    def r_generic_memory(self):
        a = self.buffer()
        e, rank = a.type.element, len(a.type.dims)
        p = list(range(rank))
        self.rng.shuffle(p)
        reduced = self.rng.random() < 0.3
        out = self.buffer(memref([a.type.dims[i] for i in p][reduced:], e))
        if out is a:
            raise Skip
        maps = [[[(p.index(i), 1), 0] for i in range(rank)], [[(i, 1), 0] for i in range(reduced, rank)]]

        def make(x, y):
            v = self.scalars(self.rng.randrange(1, 3), e)
            return [self.combine(e, v, y) if reduced else v]

        profile, self.profile = self.profile, "scalar"
        region = self.body([e, e], make, "linalg.yield")
        self.profile = profile
        self.emit(
            "linalg.generic",
            [a, out],
            [],
            [region],
            maps=maps,
            loops=rank,
            outs=1,
            iterators=["reduction"] * reduced + ["parallel"] * (rank - reduced),
        )

    def r_matmul_memory(self):
        a = self.buffer()
        if len(a.type.dims) != 2:
            raise Skip
        b = self.buffer(memref((a.type.dims[1], 3), a.type.element))
        c = self.buffer(memref((a.type.dims[0], 3), a.type.element))
        self.emit("linalg.matmul", [a, b, c], [])

    def r_loop_memory(self):
        m = self.buffer()
        dims = m.type.dims
        affine = self.rng.random() < 0.5
        other = self.buffer(memref(dims, m.type.element))
        e = m.type.element

        def load(buffer, index, shift):
            if affine:
                return self.emit("affine.load", [buffer, *index], [e], plus=([shift] + [0] * len(index))[: len(index)])
            if shift and index:
                index = [self.emit("arith.addi", [index[0], self.constant(shift)], ["index"]), *index[1:]]
            return self.emit("memref.load", [buffer, *index], [e])

        shift = self.rng.choice([0, 0, 0, 1])

        def inner(index):
            v = load(other, index, shift if self.rng.random() < 0.5 else 0)
            kind = self.rng.randrange(4)
            if kind == 0:
                v = self.combine(e, v, load(m, index, 0))
            elif kind == 1:
                v = self.combine(e, v, self.like(e))
            elif kind == 2:
                v = self.scalars(self.rng.randrange(2), e)
            if affine:
                self.emit("affine.store", [v, m, *index], [], plus=[0] * len(index))
            else:
                self.emit("memref.store", [v, m, *index], [])
            return []

        def nest(index):
            if len(index) == len(dims):
                return inner(index)
            d = dims[len(index)]
            last = self.rng.random() < 0.2
            if affine:
                hi = d - (shift if not index else 0) if isinstance(d, int) else None
                operands = [] if hi is not None else [self.size(d)]
                region = self.body(["index"], lambda iv: nest(index + [iv]), "affine.yield")
                self.emit(
                    "affine.for",
                    operands,
                    [],
                    [region],
                    lo=1 if last else 0,
                    hi=hi,
                    step=self.rng.choice([1, 1, 1, 2]),
                )
            else:
                hi = self.constant(d - (shift if not index else 0)) if isinstance(d, int) else self.size(d)
                lo, step = self.constant(1 if last else 0), self.constant(self.rng.choice([1, 1, 1, 2]))
                region = self.body(["index"], lambda iv: nest(index + [iv]), "scf.yield")
                self.emit("scf.for", [lo, hi, step], [], [region])
            return []

        nest([])

    # -- tosa (static shapes)

    def tosa_source(self, test=None, rank=None):
        return self.source(
            lambda t: t.element in ("f32", "i32")
            and all(isinstance(d, int) for d in t.dims)
            and (not test or test(t)),
            rank,
        )

    def r_tosa_binary(self):
        a = self.tosa_source()
        t = a.type
        dims = [1 if self.rng.random() < 0.2 else d for d in t.dims]
        b = self.like(tensor(dims, t.element))
        name = self.rng.choice("add sub maximum minimum".split())
        if t.element == "i32" and self.rng.random() < 0.3:
            name = self.rng.choice("bitwise_and bitwise_or bitwise_xor".split())
        if self.rng.random() < 0.15:
            self.emit("tosa." + self.rng.choice("equal greater greater_equal".split()), [a, b], [tensor(t.dims, "i1")])
            return
        if self.rng.random() < 0.2:
            self.emit("tosa.mul", [a, b], [t], shift="0 : i8")
            return
        self.emit("tosa." + name, [a, b], [t])

    def r_tosa_unary(self):
        a = self.tosa_source()
        names = "abs negate ceil floor exp tanh" if is_float(a.type.element) else "abs negate"
        self.emit("tosa." + self.rng.choice(names.split()), [a], [a.type])

    def r_tosa_clamp(self):
        a = self.tosa_source()
        lo, hi = sorted(self.rng.sample([-3, -1, 0, 1, 4, 6], 2))
        f = is_float(a.type.element)
        # the fields of the other kind are there and unused
        self.emit(
            "tosa.clamp",
            [a],
            [a.type],
            min_int=f"{lo} : i64",
            max_int=f"{hi} : i64",
            min_fp=f"{lo}.0 : f32",
            max_fp=f"{hi}.0 : f32",
            _low=float(lo) if f else lo,
            _high=float(hi) if f else hi,
        )

    def r_tosa_reduce(self):
        a = self.tosa_source()
        at = self.axis(a)
        r = tensor([1 if i == at else d for i, d in enumerate(a.type.dims)], a.type.element)
        self.emit("tosa.reduce_" + self.rng.choice(["sum", "max", "min", "prod"]), [a], [r], axis=I32(at))

    def r_tosa_transpose(self):
        a = self.tosa_source(lambda t: len(t.dims) >= 2)
        p = list(range(len(a.type.dims)))
        self.rng.shuffle(p)
        perms = self.emit("tosa.const", [], [tensor((len(p),), "i32")], value=list(p))
        r = tensor([a.type.dims[i] for i in p], a.type.element)
        self.emit("tosa.transpose", [a, perms], [r], _perm=p)

    def r_tosa_shape(self):
        a = self.tosa_source()
        d = a.type.dims
        which = self.rng.choice(["reverse", "tile", "slice", "reshape", "concat"])
        at = self.axis(a)
        e = a.type.element
        if which == "reverse":
            self.emit("tosa.reverse", [a], [a.type], axis=I32(at))
        elif which == "tile":
            n = [self.rng.choice([1, 1, 2]) for _ in d]
            self.emit(
                "tosa.tile",
                [a],
                [tensor([x * y for x, y in zip(d, n)], e)],
                multiples=f"array<i64: {', '.join(map(str, n))}>",
            )
        elif which == "slice":
            o, s, _ = self.slice_(d)
            o = [min(x, y - z) for x, y, z in zip(o, d, s)]
            self.emit(
                "tosa.slice",
                [a],
                [tensor(s, e)],
                start=f"array<i64: {', '.join(map(str, o))}>",
                size=f"array<i64: {', '.join(map(str, s))}>",
                _start=o,
            )
        elif which == "reshape":
            n = math.prod(d)
            f = self.rng.choice([k for k in range(1, n + 1) if n % k == 0])
            s = [f, n // f]
            self.emit("tosa.reshape", [a], [tensor(s, e)], new_shape=f"array<i64: {', '.join(map(str, s))}>")
        else:
            s = [2 * x if i == at else x for i, x in enumerate(d)]
            self.emit("tosa.concat", [a, self.like(a.type)], [tensor(s, e)], axis=I32(at))

    def r_tosa_matmul(self):
        a = self.tosa_source(rank=3)
        d, j = a.type.dims, self.rng.choice([1, 2, 3])
        b = self.like(tensor((d[0], d[2], j), a.type.element))
        self.emit("tosa.matmul", [a, b], [tensor((d[0], d[1], j), a.type.element)])

    def r_tosa_select(self):
        c = self.pick(
            lambda t: isinstance(t, Shaped) and t.element == "i1" and all(isinstance(d, int) for d in t.dims)
        )
        t = self.retyped(c.type, self.rng.choice(["f32", "i32"]))
        self.emit("tosa.select", [c, self.like(t), self.like(t)], [t])

    # -- functions

    def recipes(self):
        scalar = [
            self.r_integer,
            self.r_integer,
            self.r_integer_unary,
            self.r_extended,
            self.r_float,
            self.r_float,
            self.r_float_unary,
            self.r_compare,
            self.r_select,
            self.r_cast,
        ]
        tensors = [
            self.r_extract,
            self.r_insert,
            self.r_extract_slice,
            self.r_insert_slice,
            self.r_pad,
            self.r_generate,
            self.r_from_elements,
            self.r_splat,
            self.r_concat,
            self.r_collapse,
            self.r_expand,
        ]
        linalg = [
            self.r_fill,
            self.r_transpose,
            self.r_broadcast,
            self.r_reduce,
            self.r_map,
            self.r_generic,
            self.r_generic,
            self.r_contraction,
            self.r_convolution,
            self.r_linalg_elementwise,
        ]
        memory = [
            self.r_load,
            self.r_store,
            self.r_store,
            self.r_copy,
            self.r_subview,
            self.r_fill_memory,
            self.r_generic_memory,
            self.r_matmul_memory,
            self.r_loop_memory,
            self.r_loop_memory,
            self.r_float,
            self.r_integer,
        ]
        tosa = [
            self.r_tosa_binary,
            self.r_tosa_binary,
            self.r_tosa_unary,
            self.r_tosa_clamp,
            self.r_tosa_reduce,
            self.r_tosa_transpose,
            self.r_tosa_shape,
            self.r_tosa_matmul,
            self.r_tosa_select,
        ]
        control = [self.r_if, self.r_for] if self.depth < 2 else []
        return {
            "scalar": scalar + control[:1],
            "control": scalar + control * 4,
            "tensor": tensors + scalar + control,
            "linalg": linalg * 2 + tensors + scalar[4:6] + control,
            "memory": memory + control[:1],
            "tosa": tosa,
        }[self.profile]

    def attempt(self, recipe):
        ops, scope, args = len(self.ops), len(self.scope), len(self.args)
        try:
            recipe()
        except Skip:
            del self.ops[ops:]
            gone = self.args[args:]
            del self.scope[scope:]
            del self.args[args:]
            assert not any(v in gone for v in self.scope)

    def function(self):
        rng = self.rng
        if self.profile in ("scalar", "control"):
            for _ in range(rng.choice([1, 2, 3])):
                self.argument(rng.choice(INTEGERS + FLOATS + ["i1"]))
        for _ in range(rng.choice([1, 2, 3, 4, 6])):
            self.attempt(rng.choice(self.recipes()))
        results = [v for v in self.scope if v not in self.args and not self.is_memref(v.type)]
        used = {id(v) for op in self.ops for v in op.operands}
        results = [v for v in results if id(v) not in used][-3:] or results[-1:]
        self.ops.append(Op("func.return", results, []))
        return Function(self.name, self.args, self.ops)


class I32(str):
    """An axis: the text of an attribute of 32 bits, and its value."""

    def __new__(cls, value):
        new = super().__new__(cls, f"{value} : i32")
        new.value = value
        return new

    def __deepcopy__(self, memo):
        return self


PROFILES = ["scalar", "control", "tensor", "linalg", "memory", "tosa"]


def function(rng, name, profile=None):
    return Maker(rng, name, profile or rng.choice(PROFILES)).function()
