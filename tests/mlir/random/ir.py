"""Operations of MLIR as Python objects: types, text, and mutations. evaluate.py runs them, generate.py makes them.

A type is a string for scalars ("i32", "index", "f32"), or Shaped. A dimension is a number, or a name where it is
dynamic: dimensions of one name are equal in the inputs that evaluate.py draws.
"""

import copy
from dataclasses import dataclass, field
from typing import Any, Optional, Tuple


@dataclass(frozen=True)
class Shaped:
    kind: str  # tensor, memref
    dims: Tuple[Any, ...]
    element: str
    layout: Optional[Tuple[Tuple[Any, ...], Any]] = None  # strides, offset; None in them: dynamic

    def __str__(self):
        text = "".join(f"{d if isinstance(d, int) else '?'}x" for d in self.dims) + self.element
        if self.layout:
            strides = ", ".join("?" if s is None else str(s) for s in self.layout[0])
            offset = "?" if self.layout[1] is None else str(self.layout[1])
            text += f", strided<[{strides}]" + ("" if offset == "0" else f", offset: {offset}") + ">"
        return f"{self.kind}<{text}>"


def tensor(dims, element):
    return Shaped("tensor", tuple(dims), element)


def memref(dims, element, layout=None):
    return Shaped("memref", tuple(dims), element, layout)


def is_float(t):
    return t[0] in "fb"


def width(t):
    return 64 if t == "index" else int(t.lstrip("ifb"))


class Value:
    def __init__(self, type_):
        self.type = type_


@dataclass
class Region:
    args: list = field(default_factory=list)
    ops: list = field(default_factory=list)


@dataclass
class Op:
    name: str
    operands: list
    results: list
    attrs: dict = field(default_factory=dict)
    regions: list = field(default_factory=list)

    @property
    def result(self):
        return self.results[0]


@dataclass
class Function:
    name: str
    args: list
    ops: list  # the last one is the return


# ---- text


def attribute(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value} : i64"
    if isinstance(value, list):
        return "[" + ", ".join(str(v) if isinstance(v, int) else attribute(v) for v in value) + "]"
    return str(value)


def number(value, type_):
    if is_float(type_):
        if value != value or value in (float("inf"), float("-inf")):
            bits = {
                "f32": ("7FC00000", "7F800000", "FF800000"),
                "f64": ("7FF8000000000000", "7FF0000000000000", "FFF0000000000000"),
                "f16": ("7E00", "7C00", "FC00"),
            }[type_]
            return "0x" + bits[0 if value != value else 1 if value > 0 else 2]
        text = repr(float(value))
        return text.replace("e", ".0e") if "e" in text and "." not in text else text
    if type_ == "i1":
        return "true" if value else "false"
    return str(value)


def literal(value, shaped):
    """A value as dense<..>: a number, or a flat list."""
    if not isinstance(value, list):
        return f"dense<{number(value, shaped.element)}> : {shaped}"

    def nest(flat, dims):
        if not dims:
            return number(flat[0], shaped.element)
        n = len(flat) // dims[0] if dims[0] else 0
        return "[" + ", ".join(nest(flat[i * n : (i + 1) * n], dims[1:]) for i in range(dims[0])) + "]"

    return f"dense<{nest(value, shaped.dims)}> : {shaped}"


def affine_map(results, count):
    """Each result: a list of (dimension, factor), and a constant last."""

    def one(result):
        terms = [f"d{d}" if f == 1 else f"d{d} * {f}" for d, f in result[:-1]]
        if result[-1] or not terms:
            terms.append(str(result[-1]))
        return " + ".join(terms)

    return f"affine_map<({', '.join(f'd{i}' for i in range(count))}) -> ({', '.join(map(one, results))})>"


class Printer:
    def __init__(self):
        self.names = {}
        self.lines = []

    def name(self, value):
        return self.names.setdefault(value, f"%v{len(self.names)}")

    def many(self, values):
        return ", ".join(map(self.name, values))

    def types(self, values):
        return ", ".join(str(v.type) for v in values)

    def block(self, ops, indent):
        for op in ops:
            self.op(op, indent)

    def region(self, region, indent, head=True):
        if head and region.args:
            self.lines.append(f"{indent}^bb0({', '.join(f'{self.name(a)}: {a.type}' for a in region.args)}):")
        self.block(region.ops, indent + "  ")

    def op(self, op, indent):
        head = self.many(op.results) + " = " if op.results else ""
        custom = getattr(self, "print_" + op.name.replace(".", "_"), None)
        if custom:
            custom(op, indent, indent + head)
            return
        dialect = op.name.split(".")[0]
        attrs = {k: v for k, v in op.attrs.items() if not k.startswith("_")}
        simple = dialect in ("arith", "math") and not op.regions
        if simple:
            flags = "".join(f" {v}" for v in attrs.values())
            a, r = op.operands[0].type, op.results[0].type
            lead = op.attrs["_predicate"] + ", " if "_predicate" in op.attrs else ""
            if op.attrs.get("_cast"):
                tail = f"{a} to {r}"
            elif op.name == "arith.addui_extended":
                tail = f"{a}, {op.results[1].type}"
            elif op.name == "arith.select":
                tail = f"{a}, {r}" if isinstance(a, Shaped) else str(r)
            else:
                tail = str(a)
            self.lines.append(f"{indent}{head}{op.name} {lead}{self.many(op.operands)}{flags} : {tail}")
            return
        text = ""
        if attrs:
            text = " <{" + ", ".join(f"{k} = {attribute(v)}" for k, v in attrs.items()) + "}>"
        line = f'{indent}{head}"{op.name}"({self.many(op.operands)}){text}'
        if op.regions:
            self.lines.append(line + " ({")
            for i, region in enumerate(op.regions):
                if i:
                    self.lines.append(indent + "}, {")
                self.region(region, indent)
            line = indent + "})"
        self.lines.append(f"{line} : ({self.types(op.operands)}) -> ({self.types(op.results)})")

    def print_func_return(self, op, indent, head):
        self.lines.append(
            f"{indent}return {self.many(op.operands)} : {self.types(op.operands)}"
            if op.operands
            else f"{indent}return"
        )

    def print_arith_constant(self, op, indent, head):
        t = op.result.type
        text = literal(op.attrs["value"], t) if isinstance(t, Shaped) else number(op.attrs["value"], t)
        self.lines.append(f"{head}arith.constant {text}" + ("" if isinstance(t, Shaped) or t == "i1" else f" : {t}"))

    def print_tosa_const(self, op, indent, head):
        text = literal(op.attrs["value"], op.result.type)
        self.lines.append(f'{head}"tosa.const"() <{{value = {text}}}> : () -> {op.result.type}')

    def print_linalg_generic(self, op, indent, head):
        maps = ", ".join(affine_map(m, op.attrs["loops"]) for m in op.attrs["maps"])
        kinds = ", ".join(f'"{k}"' for k in op.attrs["iterators"])
        n = len(op.operands) - op.attrs["outs"]
        ins, outs = op.operands[:n], op.operands[n:]
        read = f" ins({self.many(ins)} : {self.types(ins)})" if ins else ""
        self.lines.append(
            f"{head}linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
            f"{read} outs({self.many(outs)} : {self.types(outs)}) {{"
        )
        self.region(op.regions[0], indent)
        self.lines.append(indent + "}" + (f" -> ({self.types(op.results)})" if op.results else ""))

    def structured(self, op, head, dps=True):
        n = len(op.operands) - 1
        ins, outs = op.operands[:n], op.operands[n:]
        attrs = {k: v for k, v in op.attrs.items() if not k.startswith("_")}
        text = " {" + ", ".join(f"{k} = {v}" for k, v in attrs.items()) + "}" if attrs else ""
        tail = f" -> {self.types(op.results)}" if op.results and dps else ""
        return (
            f"{head}{op.name}{text} ins({self.many(ins)} : {self.types(ins)}) "
            f"outs({self.many(outs)} : {self.types(outs)}){tail}"
        )

    def print_linalg_transpose(self, op, indent, head):
        self.lines.append(
            f"{head}linalg.transpose ins({self.name(op.operands[0])} : {op.operands[0].type}) "
            f"outs({self.name(op.operands[1])} : {op.operands[1].type}) "
            f"permutation = {attribute(op.attrs['permutation'])}"
        )

    def print_linalg_broadcast(self, op, indent, head):
        self.lines.append(
            f"{head}linalg.broadcast ins({self.name(op.operands[0])} : {op.operands[0].type}) "
            f"outs({self.name(op.operands[1])} : {op.operands[1].type}) "
            f"dimensions = {attribute(op.attrs['dimensions'])}"
        )

    def print_linalg_reduce(self, op, indent, head):
        self.lines.append(
            f"{head}linalg.reduce ins({self.name(op.operands[0])} : {op.operands[0].type}) "
            f"outs({self.name(op.operands[1])} : {op.operands[1].type}) "
            f"dimensions = {attribute(op.attrs['dimensions'])}"
        )
        args = op.regions[0].args
        self.lines.append(f"{indent}  ({', '.join(f'{self.name(a)}: {a.type}' for a in args)}) {{")
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "  }")

    def print_linalg_map(self, op, indent, head):
        ins, out = op.operands[:-1], op.operands[-1]
        self.lines.append(
            f"{head}linalg.map ins({self.many(ins)} : {self.types(ins)}) outs({self.name(out)} : {out.type})"
        )
        args = op.regions[0].args
        self.lines.append(f"{indent}  ({', '.join(f'{self.name(a)}: {a.type}' for a in args)}) {{")
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "  }")

    def print_scf_if(self, op, indent, head):
        tail = f" -> ({self.types(op.results)})" if op.results else ""
        self.lines.append(f"{head}scf.if {self.name(op.operands[0])}{tail} {{")
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "} else {")
        self.block(op.regions[1].ops, indent + "  ")
        self.lines.append(indent + "}")

    def print_scf_for(self, op, indent, head):
        iv, carried = op.regions[0].args[0], op.regions[0].args[1:]
        lo, hi, step = map(self.name, op.operands[:3])
        text = f"{head}scf.for {self.name(iv)} = {lo} to {hi} step {step}"
        if carried:
            pairs = ", ".join(f"{self.name(a)} = {self.name(v)}" for a, v in zip(carried, op.operands[3:]))
            text += f" iter_args({pairs}) -> ({self.types(op.results)})"
        self.lines.append(text + " {")
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "}")

    def print_affine_for(self, op, indent, head):
        iv = op.regions[0].args[0]
        hi = self.name(op.operands[0]) if op.operands else op.attrs["hi"]
        self.lines.append(f"{head}affine.for {self.name(iv)} = {op.attrs['lo']} to {hi} step {op.attrs['step']} {{")
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "}")

    def print_scf_parallel(self, op, indent, head):
        n = len(op.regions[0].args)
        part = [self.many(op.operands[i * n : (i + 1) * n]) for i in range(3)]
        self.lines.append(
            f"{head}scf.parallel ({self.many(op.regions[0].args)}) = ({part[0]}) to ({part[1]}) step ({part[2]}) {{"
        )
        self.block(op.regions[0].ops, indent + "  ")
        self.lines.append(indent + "}")

    def print_affine_yield(self, op, indent, head):
        pass

    def subscripts(self, op, first):
        """Of affine.load and store: loop variable plus a constant each."""
        parts = []
        for v, c in zip(op.operands[first:], op.attrs["plus"]):
            parts.append(self.name(v) + (f" + {c}" if c > 0 else f" - {-c}" if c < 0 else ""))
        return ", ".join(parts)

    def print_affine_load(self, op, indent, head):
        self.lines.append(
            f"{head}affine.load {self.name(op.operands[0])}[{self.subscripts(op, 1)}] : {op.operands[0].type}"
        )

    def print_affine_store(self, op, indent, head):
        self.lines.append(
            f"{head}affine.store {self.name(op.operands[0])}, {self.name(op.operands[1])}"
            f"[{self.subscripts(op, 2)}] : {op.operands[1].type}"
        )

    def print_affine_apply(self, op, indent, head):
        self.lines.append(
            f"{head}affine.apply {affine_map([op.attrs['map']], len(op.operands))}({self.many(op.operands)})"
        )

    def slice_(self, op, first):
        lists = [op.attrs[k] for k in ("offsets", "sizes", "strides")]
        rest = iter(op.operands[first:])
        return " ".join(
            "[" + ", ".join(self.name(next(rest)) if v is None else str(v) for v in part) + "]" for part in lists
        )

    def print_tensor_extract_slice(self, op, indent, head):
        self.lines.append(
            f"{head}tensor.extract_slice {self.name(op.operands[0])}{self.slice_(op, 1)} : "
            f"{op.operands[0].type} to {op.result.type}"
        )

    def print_tensor_insert_slice(self, op, indent, head):
        self.lines.append(
            f"{head}tensor.insert_slice {self.name(op.operands[0])} into {self.name(op.operands[1])}"
            f"{self.slice_(op, 2)} : {op.operands[0].type} into {op.operands[1].type}"
        )

    def print_memref_subview(self, op, indent, head):
        self.lines.append(
            f"{head}memref.subview {self.name(op.operands[0])}{self.slice_(op, 1)} : "
            f"{op.operands[0].type} to {op.result.type}"
        )

    def print_tensor_pad(self, op, indent, head):
        low, high = ("[" + ", ".join(map(str, op.attrs[k])) + "]" for k in ("low", "high"))
        self.lines.append(f"{head}tensor.pad {self.name(op.operands[0])} low{low} high{high} {{")
        self.region(op.regions[0], indent)
        self.lines.append(f"{indent}}} : {op.operands[0].type} to {op.result.type}")

    def print_tensor_generate(self, op, indent, head):
        self.lines.append(f"{head}tensor.generate {self.many(op.operands)} {{")
        self.region(op.regions[0], indent)
        self.lines.append(f"{indent}}} : {op.result.type}")

    def print_tensor_collapse_shape(self, op, indent, head):
        self.lines.append(
            f"{head}{op.name} {self.name(op.operands[0])} {attribute(op.attrs['groups'])} : "
            f"{op.operands[0].type} into {op.result.type}"
        )

    def print_tensor_expand_shape(self, op, indent, head):
        sizes = iter(op.operands[1:])
        shape = ", ".join(str(d) if isinstance(d, int) else self.name(next(sizes)) for d in op.result.type.dims)
        self.lines.append(
            f"{head}{op.name} {self.name(op.operands[0])} {attribute(op.attrs['groups'])} "
            f"output_shape [{shape}] : {op.operands[0].type} into {op.result.type}"
        )

    def print_tensor_concat(self, op, indent, head):
        self.lines.append(
            f"{head}tensor.concat dim({op.attrs['dim']}) {self.many(op.operands)} : "
            f"({self.types(op.operands)}) -> {op.result.type}"
        )


STRUCTURED = (
    "fill copy matmul batch_matmul matvec vecmat dot batch_matvec matmul_transpose_a matmul_transpose_b add sub mul"
    " max exp negf conv_1d conv_2d conv_2d_nhwc_hwcf conv_2d_nchw_fchw depthwise_conv_2d_nhwc_hwc pooling_nhwc_sum"
    " pooling_nhwc_max pooling_nhwc_min pooling_nchw_max"
).split()
for _name in STRUCTURED:

    def _print(self, op, indent, head):
        # results of linalg.fill and friends are those of their outputs
        self.lines.append(self.structured(op, head))

    setattr(Printer, f"print_linalg_{_name}", _print)


def text_of(function):
    p = Printer()
    args = ", ".join(f"{p.name(a)}: {a.type}" for a in function.args)
    results = p.types(function.ops[-1].operands)
    p.block(function.ops, "  ")
    arrow = f" -> ({results})" if results else ""
    return "\n".join([f"func.func @{function.name}({args}){arrow} {{", *p.lines, "}", ""])


# ---- mutations

SIBLINGS = [
    "arith.addi arith.subi arith.muli arith.andi arith.ori arith.xori arith.maxsi arith.minsi arith.maxui arith.minui",
    "arith.divsi arith.divui arith.remsi arith.remui arith.floordivsi arith.ceildivsi arith.ceildivui",
    "arith.shli arith.shrsi arith.shrui",
    "arith.addf arith.subf arith.mulf arith.divf arith.remf arith.maximumf arith.minimumf arith.maxnumf arith.minnumf",
    "math.absf arith.negf math.exp math.sqrt math.floor math.ceil math.trunc math.tanh",
    "math.ctlz math.cttz math.ctpop math.absi",
    "arith.extsi arith.extui",
    "arith.sitofp arith.uitofp",
    "arith.fptosi arith.fptoui",
    "arith.mulsi_extended arith.mului_extended",
    "linalg.pooling_nhwc_sum linalg.pooling_nhwc_max linalg.pooling_nhwc_min",
    "linalg.add linalg.sub linalg.mul linalg.max",
    "linalg.exp linalg.negf",
    "tosa.add tosa.sub tosa.maximum tosa.minimum",
    "tosa.abs tosa.negate",
    "tosa.ceil tosa.floor tosa.exp tosa.tanh",
    "tosa.reduce_sum tosa.reduce_max tosa.reduce_min tosa.reduce_prod",
    "tosa.bitwise_and tosa.bitwise_or tosa.bitwise_xor",
    "tosa.equal tosa.greater tosa.greater_equal",
]
SIBLINGS = {name: row.split() for row in SIBLINGS for name in row.split()}
PREDICATES_I = "eq ne slt sle sgt sge ult ule ugt uge".split()
PREDICATES_F = "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()


def all_ops(ops, scope):
    """Each operation, with the values that are in scope before it."""
    scope = list(scope)
    for i, op in enumerate(ops):
        yield ops, i, op, list(scope)
        for region in op.regions:
            yield from all_ops(region.ops, scope + region.args)
        scope += op.results


def other_number(rng, value, type_):
    if is_float(type_):
        return rng.choice([-value, value + 1.0, 0.0, -0.0, 1.0, 2.0])
    if type_ == "i1":
        return not value
    top = 1 << (width(type_) - 1)
    new = rng.choice([value + 1, value - 1, -value, value * 2, 0, 1])
    return (new + top) % (2 * top) - top


def mutations(function):
    """Names of what may be changed, each with the function that does it."""
    found = []
    for ops, at, op, scope in all_ops(function.ops, function.args):
        for i, v in enumerate(op.operands):
            found += [("operand", op, i, w) for w in scope if w is not v and w.type == v.type]
        if op.name in SIBLINGS:
            found += [("name", op, None, n) for n in SIBLINGS[op.name] if n != op.name]
        if op.name == "arith.constant":
            found += [("value", op, None, None)] * 3
        if "_predicate" in op.attrs:
            rows = PREDICATES_I if op.name == "arith.cmpi" else PREDICATES_F
            found += [("_predicate", op, None, p) for p in rows if p != op.attrs["_predicate"]]
        for key in ("offsets", "strides", "low", "permutation", "maps", "plus", "map", "lo", "step", "overflow"):
            if key in op.attrs:
                found += [("attribute", op, None, key)] * 2
        if not op.results and not op.name.endswith(("return", "yield", "reduce")):
            found.append(("drop", op, ops, at))
    return found


def mutate(rng, function):
    """A copy with one change that keeps the types, and what was changed; None: there was none to make."""
    copied = copy.deepcopy(function)
    found = mutations(copied)
    if not found:
        return None, ""
    kinds = sorted({f[0] for f in found})
    kind = rng.choice(kinds)
    _, op, where, what = rng.choice([f for f in found if f[0] == kind])
    if kind == "operand":
        op.operands[where] = what
    elif kind == "name":
        op.name = what
        if what not in ("arith.addi", "arith.subi", "arith.muli", "arith.shli"):
            op.attrs.pop("overflow", None)
    elif kind == "value":
        t = op.result.type
        if isinstance(op.attrs["value"], list):
            if not op.attrs["value"]:
                return None, ""
            i = rng.randrange(len(op.attrs["value"]))
            op.attrs["value"] = list(op.attrs["value"])
            op.attrs["value"][i] = other_number(rng, op.attrs["value"][i], t.element)
        else:
            op.attrs["value"] = other_number(rng, op.attrs["value"], t.element if isinstance(t, Shaped) else t)
    elif kind == "_predicate":
        op.attrs["_predicate"] = what
    elif kind == "drop":
        del where[what]
    elif not change_attribute(rng, op, what):
        return None, ""
    return copied, f"{kind} of {op.name}"


def change_attribute(rng, op, key):
    old = op.attrs[key]
    if isinstance(old, list) and not old:
        return False
    if key == "overflow":
        new = rng.choice(["overflow<nsw>", "overflow<nuw>", "overflow<nsw, nuw>", ""])
    elif key in ("lo",):
        new = max(0, old + rng.choice([1, -1]))
    elif key in ("step",):
        new = old + 1
    elif key == "permutation":
        dims = op.operands[0].type.dims
        choices = [i for i in range(len(old)) if dims.count(dims[old[i]]) > 1]
        if len(choices) < 2:
            return False
        new = list(old)
        i, j = rng.sample(choices, 2)
        if dims[old[i]] != dims[old[j]]:
            return False
        new[i], new[j] = new[j], new[i]
    elif key == "maps":
        i = rng.randrange(len(old))
        if len(old[i]) < 2 or i >= len(old) - op.attrs["outs"]:
            return False
        new = [list(m) for m in old]
        a, b = rng.sample(range(len(new[i])), 2)
        dims = op.operands[i].type.dims
        if dims[a] != dims[b]:
            return False
        new[i][a], new[i][b] = new[i][b], new[i][a]
    elif key == "map":
        new = list(old)
        new[-1] += rng.choice([1, -1])
    elif key == "low":  # the sizes stay
        i = rng.randrange(len(old))
        new, high = list(old), list(op.attrs["high"])
        if not high[i]:
            return False
        new[i] += 1
        high[i] -= 1
        op.attrs["high"] = high
    else:
        if not isinstance(old, list):
            return False
        places = [i for i, v in enumerate(old) if v is not None]
        if not places:
            return False
        i = rng.choice(places)
        new = list(old)
        change = 1 if key in ("offsets", "strides") else rng.choice([1, -1])
        new[i] += change
        if key in ("offsets", "strides"):
            dims = op.operands[1 if op.name == "tensor.insert_slice" else 0].type.dims
            size = op.attrs["sizes"][i]
            offset = new[i] if key == "offsets" else op.attrs["offsets"][i]
            stride = new[i] if key == "strides" else op.attrs["strides"][i]
            if not all(isinstance(v, int) for v in (dims[i], size, offset, stride)):
                return key == "offsets" and isinstance(dims[i], str) and put(op, key, new)
            if op.name == "memref.subview":
                return False  # its type has them
            if offset + (size - 1) * stride >= dims[i]:
                return False
    if new == old:
        return False
    return put(op, key, new)


def put(op, key, value):
    op.attrs[key] = value
    return True
