"""The formulas that deduction finds, held against the formulas written by hand.

Terms are unordered and know powers only, so formulas are compared after both sides are brought into one form: sums and
products without order, x * x as x ** 2, a * (1 / b) as a / b, rsqrt(v) as 1 / sqrt(v), max(a, b) in any order. What
differs even so must still mean the same on real launches. `raw` is what the code computes, `text` the textbook form;
where that is not reached, the comparison is expected to fail and is counted. Facts that the formula written by hand takes
from the launch (its `given`: shapes, a grid) are options of the lift."""

import ast
import functools
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import ROOT
from test_lift import MISSING
from triton_tools.case import all_cases
from triton_tools.formulas import evaluate, expected, fit
from triton_tools.lifted import ASSAY, names_of, run, view, whole, worst_error

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

OPERATORS = ROOT / "examples" / "kernels" / "operators"
CASES = all_cases()
OUTPUTS = [(name, output) for name in CASES if name not in MISSING for output in expected(name)["outputs"]]

WITHOUT_A_GRID = {"loops/matmul_split_k.c_ptr"}  # pointwise: that grid_z is the number of splits is given
# raw differs from the hand-written one in more than order; the value is the same.
OTHER_RAW = {
    "loops/group_norm.y_ptr": "the variance is a difference of sums over the group, which is a row of x",
    "quantize_rows_int8.q_ptr": "trunc of an integer is dropped; products divided out",
    **{
        f"loops/attention_backward{mask}.{name}_ptr": "the scale and the transposed scores stand where the kernel has them"
        for mask in ("", "_causal")
        for name in ("dq", "dk", "dv")
    },
    "loops/layer_norm_lanes.y_ptr": "the variance is a difference of sums over n",
    "loops/layer_norm_welford.y_ptr": "the variance is a difference of sums over n",
    "loops/matmul_grouped_gelu.c_ptr": "the literal 1.5957692 is not twice that of the formula to the last digit",
    "loops/attention_causal.out_ptr": "the mask stands after exp, as a zero",
    "loops/attention_exp2_lse_causal.out_ptr": "base two, and the mask stands after exp2, as a zero",
    "loops/attention_exp2_lse_causal.lse_ptr": "base two, and the mask stands after exp2, as a zero",
    **{
        f"loops/attention_staged_{mask}.{name}_ptr": (
            "the shift is no maximum of the scores, as the sign of the scale is not known: it is left out"
        )
        for mask in ("full", "causal")
        for name in ("out", "lse")
    },
    **{
        f"loops/attention_staged_causal_1e6.{name}_ptr": (
            "not equal by its own note: beyond the diagonal's tile nothing is summed"
        )
        for name in ("out", "lse")
    },
    "loops/attention_exp2_lse.out_ptr": "base two, as the code has it",
    "loops/attention_exp2_lse.lse_ptr": "base two, as the code has it",
    "loops/attention_bias.out_ptr": "the scale stands at q, as in the code",
    "loops/attention_gqa.out_ptr": "repeated heads are a take",
    "loops/cross_entropy.loss_ptr": "the logarithm of a sum is written out, as the code has it",
    "loops/cross_entropy.logits_ptr": "one choice around both cases, as the code has it",
    "loops/embedding_backward.dw_ptr": "a masked sum instead of a product",
    "loops/conv1d_causal_depthwise.y_ptr": "a masked sum over the window, as the code has it",
    "loops/selective_scan.y_ptr": "exponentials of sums are written out",
    "loops/fused_linear_cross_entropy.loss_ptr": "the label's word is taken out of w, not out of the product",
    "loops/linear_recurrence.h_ptr": "products of a are written out",
}
# raw is not, text is (is_proved where it is another one).
TEXTBOOK = {
    "loops/group_norm.y_ptr",
    "loops/attention_gqa.out_ptr",
    "loops/cross_entropy.logits_ptr",
    *(f"loops/attention_backward{mask}.{name}_ptr" for mask in ("", "_causal") for name in ("dq", "dk", "dv")),
    "quantize_rows_int8.q_ptr",
    "loops/cross_entropy.loss_ptr",
    "loops/embedding_backward.dw_ptr",
    "loops/conv1d_causal_depthwise.y_ptr",
    "loops/selective_scan.y_ptr",
    "loops/fused_linear_cross_entropy.loss_ptr",
    "loops/linear_recurrence.h_ptr",
    "loops/layer_norm_lanes.y_ptr",
    "loops/layer_norm_welford.y_ptr",
    "loops/matmul_grouped_gelu.c_ptr",
    "loops/attention_causal.out_ptr",
    "loops/attention_bias.out_ptr",
    *(f"loops/attention_staged_{mask}.{name}_ptr" for mask in ("full", "causal") for name in ("out", "lse")),
    "loops/attention_exp2_lse.out_ptr",
    "loops/attention_exp2_lse.lse_ptr",
    "loops/attention_exp2_lse_causal.out_ptr",
    "loops/attention_exp2_lse_causal.lse_ptr",
}
OTHER_TEXT = {
    **{key: reason for key, reason in OTHER_RAW.items() if key not in TEXTBOOK},
}


class Form:
    """A formula without order: nested tuples that are equal for equal formulas. `let` names parts; `shapes` are those of the
    tensors, for slices that go to the end."""

    def __init__(self, let=None, shapes=None):
        self.let, self.shapes = let or {}, shapes or {}

    def of(self, text):
        return self.visit(ast.parse(text, mode="eval").body)

    def visit(self, node):
        return getattr(self, type(node).__name__)(node)

    def Name(self, node):
        return self.of(self.let[node.id]) if node.id in self.let else ("name", node.id)

    def Constant(self, node):
        return ("number", Fraction(str(node.value)) if isinstance(node.value, (int, float)) else node.value)

    def UnaryOp(self, node):
        if isinstance(node.op, ast.USub):
            return self.sum(self.summands(node))
        return (type(node.op).__name__, self.visit(node.operand))

    def BinOp(self, node):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return self.sum(self.summands(node))
        if isinstance(node.op, (ast.Mult, ast.Div, ast.Pow)):
            return self.product(self.factors(node, Fraction(1)))
        left, right = self.visit(node.left), self.visit(node.right)
        return (
            type(node.op).__name__,
            *(sorted((left, right), key=repr) if isinstance(node.op, (ast.BitAnd, ast.BitOr)) else (left, right)),
        )

    def summands(self, node, sign=1):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.summands(node.operand, -sign)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            return self.summands(node.left, sign) + self.summands(
                node.right, sign if isinstance(node.op, ast.Add) else -sign
            )
        form = self.visit(node)
        k, rest = form[1:] if form[0] == "scaled" else (Fraction(1), form)
        if form[0] == "number":
            k, rest = form[1], ("number", Fraction(1))
        return [(sign * k, rest)]

    def sum(self, parts):
        total = Counter()
        for k, part in parts:
            total[part] += k
        items = [(part, k) for part, k in total.items() if k]
        if len(items) == 1:
            part, k = items[0]
            if part == ("number", 1):
                return ("number", k)
            return part if k == 1 else ("scaled", k, part)
        return ("sum", frozenset(items))

    def factors(self, node, exponent):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return [(("number", Fraction(-1)), Fraction(1))] + self.factors(node.operand, exponent)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
            return self.factors(node.left, exponent) + self.factors(
                node.right, exponent if isinstance(node.op, ast.Mult) else -exponent
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
            return self.factors(node.left, exponent * Fraction(str(node.right.value)))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("sqrt", "rsqrt"):
            return self.factors(node.args[0], exponent * Fraction(1 if node.func.id == "sqrt" else -1, 2))
        form = self.visit(node)
        if form[0] == "product":
            return [(base, e * exponent) for base, e in form[1]]
        if form[0] == "scaled" and exponent.denominator == 1:
            inner = list(form[2][1]) if form[2][0] == "product" else [(form[2], Fraction(1))]
            return [(("number", form[1] ** int(exponent)), Fraction(1))] + [(base, e * exponent) for base, e in inner]
        return [(form, exponent)]

    def product(self, parts):
        k, total = Fraction(1), Counter()
        for base, exponent in parts:
            if base[0] == "number" and exponent.denominator == 1:
                k *= base[1] ** int(exponent)
            else:
                total[base] += exponent
        items = [(base, e) for base, e in total.items() if e]
        if not items:
            return ("number", k)
        rest = items[0][0] if len(items) == 1 and items[0][1] == 1 else ("product", frozenset(items))
        return rest if k == 1 else ("scaled", k, rest)

    def Compare(self, node):
        left, right, op = self.visit(node.left), self.visit(node.comparators[0]), type(node.ops[0]).__name__
        flipped = {"Gt": "Lt", "GtE": "LtE"}
        return (flipped[op], right, left) if op in flipped else (op, left, right)

    def Call(self, node):
        if node.func.id in ("sqrt", "rsqrt"):
            return self.product(self.factors(node, Fraction(1)))
        args = [self.visit(a) for a in node.args]
        if node.func.id == "where" and args[0][0] == "name":  # where(mask, x, y) of a mask that is a number
            args = [("Eq", args[0], ("number", Fraction(0))), args[2], args[1]]
        if node.func.id in ("maximum", "minimum"):
            args.sort(key=repr)
        if node.func.id == "where" and args[0][0] == "NotEq":  # where(a != b, x, y)
            args = [("Eq", *args[0][1:]), args[2], args[1]]
        if (
            node.func.id == "where"
            and args[0][0] == "LtE"
            and self.is_causal(*args[0][1:])
            and args[2] == ("scaled", Fraction(-1), ("name", "inf"))
        ):
            return ("call", "causal_mask", args[1])
        named = sorted((k.arg, self.visit(k.value)) for k in node.keywords)
        if node.func.id == "take" and not named:
            named = [("axis", ("number", Fraction(0)))]
        return ("call", node.func.id, *args, *named)

    @staticmethod
    def is_causal(key, query):
        """index(keys) <= column(index(queries)), with any names of sizes"""
        return key[:2] == ("call", "index") and query[:2] == ("call", "column") and query[2][:2] == ("call", "index")

    def Lambda(self, node):
        return ("lambda", ast.dump(node))

    def Subscript(self, node):
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        shape = self.shapes.get(node.value.id, ()) if isinstance(node.value, ast.Name) else ()
        places = [self.part(a, shape[k] if k < len(shape) else None) for k, a in enumerate(axes)]
        while places and places[-1] == ("all",):
            places.pop()
        return ("subscript", self.visit(node.value), *places) if places else self.visit(node.value)

    def part(self, node, length):
        """One axis: a slice to the end is one to the axis' length, and one of everything is none."""
        if not isinstance(node, ast.Slice):
            return self.visit(node)
        whole = self.of(length) if length else None
        low = self.visit(node.lower) if node.lower else ("number", Fraction(0))
        high = self.visit(node.upper) if node.upper else whole
        step = self.visit(node.step) if node.step else ("number", Fraction(1))
        return (
            ("all",)
            if low == ("number", 0) and step == ("number", 1) and high == whole
            else ("slice", low, high, step)
        )


class Renamed(ast.NodeTransformer):
    """A formula with other expressions in the place of its names."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        return ast.parse(str(self.names[node.id]), mode="eval").body if node.id in self.names else node


def renamed(text, names):
    return ast.unparse(Renamed(names).visit(ast.parse(text, mode="eval")))


def cost(text):
    """How many different parts a reader meets: what occurs several times has one name."""
    return len({ast.dump(node) for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.expr)})


def spelled_out(text, let):
    """Without the names of its parts, of which later ones use earlier ones."""
    for name, part in reversed(let.items()):
        text = renamed(text, {name: part})
    return text


def sources(name, corpus):
    """What is lifted, options, and what names of the kernels are called there: the operator of several launches where a file
    tells what they share, then each kernel by itself. Options are what the formula written by hand takes as given."""
    case, operator, given = CASES[name], OPERATORS / f"{Path(name).name}.json", expected(name).get("given", [])
    if operator.exists():
        names = [launch["args"] for launch in json.loads(operator.read_text())["launches"]]
        yield operator, (), {old: new for arguments in names for old, new in arguments.items() if old != new}
    for kernel in case.kernels:
        yield corpus / f"{case.stem(kernel)}.ttir", tuple(given), {}


@functools.lru_cache(None)
def is_proved(source, options, output, text):
    done = run("check", source, *options, "--only", output, "-e", f"{output} = {text}", "--json")
    return done.stdout.startswith("{") and json.loads(done.stdout)["verdict"] == "proved"


def compare(name, output, kind, corpus, lifted):
    """Of one form up to order; the textbook's formula may also be another one that is no longer, and proved to be equal."""
    hand = expected(name)
    for source, options, names in sources(name, corpus):
        report = lifted(source, *options).report
        shown = names.get(output, output)
        entry = {entry["name"]: entry for entry in report["outputs"]}.get(shown)
        if not entry:
            continue
        assert entry["form"] == "tensor"
        shapes = {t["name"]: t["shape"] for t in report["inputs"] + report["outputs"] if t.get("shape")}
        let = {part: renamed(text, names) for part, text in hand.get("let", {}).items()}
        ours, theirs = entry["formula"][kind], renamed(hand["outputs"][output][kind], names)
        if Form(shapes=shapes).of(ours) == Form(let, shapes).of(theirs):
            return
        whole = spelled_out(theirs, let)
        assert (
            kind == "text" and cost(ours) <= cost(whole) and is_proved(source, options, shown, whole)
        ), f"{ours}   instead of   {theirs}"
        return
    raise AssertionError(f"no kernel writes {output}")


def parameters(*tables):
    reasons = {key: reason for table in tables for key, reason in table.items()}
    unknown = (
        set(reasons)
        - {f"{name}.{output}" for name, output in OUTPUTS}
        - {f"{name}.{output}" for name in MISSING for output in expected(name)["outputs"]}
    )
    assert not unknown, unknown
    return [
        pytest.param(
            name,
            output,
            id=f"{name}.{output}",
            marks=(
                [pytest.mark.xfail(reason=reasons[f"{name}.{output}"], strict=True)]
                if f"{name}.{output}" in reasons
                else []
            ),
        )
        for name, output in OUTPUTS
    ]


@pytest.mark.parametrize("name, output", parameters(OTHER_RAW))
def test_raw_is_the_expected_one_up_to_order(name, output, corpus, lifted):
    compare(name, output, "raw", corpus, lifted)


@pytest.mark.parametrize("name, output", parameters(OTHER_TEXT))
def test_text_is_the_expected_one_up_to_order(name, output, corpus, lifted):
    compare(name, output, "text", corpus, lifted)


@pytest.mark.parametrize("name", [name for name in CASES if name not in MISSING])
def test_formulas_mean_what_launches_wrote(name, launched, lifted):
    """Where the form is `tensor`, and which outputs those are."""
    tolerance = max(CASES[name].tolerance, 1e-5)
    for index, launch, path in launched[name]:
        if index not in (0, 3, 6, 11):
            continue
        report = lifted(path).report
        entries = {
            entry["name"]: entry for entry in report["inputs"] + report["outputs"] if entry.get("shape") is not None
        }
        names = names_of([launch], entries)
        for argument in launch.arguments:
            if argument.kind == "tensor" and argument.name in entries:
                value = view(argument, whole(argument, launch, "before"), entries[argument.name], names)
                names[argument.name] = (
                    value.double()
                    if value.is_floating_point()
                    else value if value.dtype.is_signed is False else value.long()
                )
        for entry in report["outputs"]:
            if entry["form"] != "tensor":
                assert entry["form"] == "pointwise" and f"{name}.{entry['name']}" in WITHOUT_A_GRID
                continue
            argument = launch[entry["name"]]
            after = view(argument, whole(argument, launch, "after"), entry, names)
            for kind in ("raw", "text"):
                value = fit(evaluate(entry["formula"][kind], names), after.shape)
                assert (
                    worst_error(value, after) <= tolerance
                ), f"{entry['name']} ({kind}), case {index}: {entry['formula'][kind]}"


def test_forms_are_counted(corpus, lifted, record_property):
    count = Counter()
    for name, case in CASES.items():
        for kernel in case.kernels:
            for output in lifted(corpus / f"{case.stem(kernel)}.ttir").report.get("outputs", []):
                count[output["form"]] += 1
    for form, number in sorted(count.items()):
        record_property(form, number)
    print(dict(count))
    assert count["tensor"] > 100 and not count["opaque"]


def test_forms_ignore_order_and_nothing_else():
    form = Form().of
    assert form("x * x * (1 / y) - 2 * z") == form("-z * 2 + x ** 2 / y")
    assert form("rsqrt(v + eps)") == form("1 / sqrt(eps + v)")
    assert form("a - b") != form("b - a")
    assert form("sum(x, axis=1)") != form("sum(x, axis=0)")
    assert form("x[:, :n]") != form("x[:, n:]")
    assert form("2 * x") != form("x")
