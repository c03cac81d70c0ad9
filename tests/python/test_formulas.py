"""The formulas that deduction finds, held against the formulas written by hand.

Terms are unordered and know powers only, so formulas are compared after both sides are brought into one form: sums and
products without order, x * x as x ** 2, a * (1 / b) as a / b, rsqrt(v) as 1 / sqrt(v), max(a, b) in any order. What
differs even so must still mean the same on real launches. `raw` is what the code computes, `text` the textbook form;
where only a later simplifier can reach `text`, the comparison is expected to fail and is counted."""

import ast
from collections import Counter
from fractions import Fraction

import pytest
from test_lift import MISSING
from triton_tools.case import all_cases
from triton_tools.formulas import evaluate, expected, fit
from triton_tools.lifted import ASSAY, names_of, view, whole, worst_error

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

CASES = all_cases()
OUTPUTS = [(name, output) for name in CASES if name not in MISSING for output in expected(name)["outputs"]]

SEVERAL = "an operator of several kernels is lifted kernel by kernel"
# Outputs without a tensor form, and why.
POINTWISE = {
    "loops/matmul_split_k.c_ptr": "that grid_z is the number of splits is known to the launch alone",
    "loops/group_norm.y_ptr": "x is read as groups and as channels: it stays flat",
    "loops/selective_scan.y_ptr": "the recurrence is longer as tensors than by elements",
    "loops/fused_linear_cross_entropy.loss_ptr": "the number of tiles that hold the label is not seen to be one",
    "loops/router_top1.count_ptr": "memory of i32 holds the count modulo 2^32, which += says",
}
# raw differs from the hand-written one in more than order; the value is the same.
OTHER_RAW = {
    "batch_norm_inference.y_ptr": "the channel of a row is shown: rows are samples times channels",
    "cross_entropy.loss_ptr": "the labels may reach beyond n_cols, so the slice is shown",
    "cross_entropy.lse_ptr": "the labels may reach beyond n_cols, so the slice is shown",
    "tanh.out_ptr": "numel need not be whole rows: the rows are cut",
    "loops/router_top1.count_ptr": "there may be more counters than experts: their number is their own",
    "masked_fill.out_ptr": "the mask is a number in memory: != 0",
    "quantize_rows_int8.q_ptr": "trunc of an integer is dropped; products divided out",
    "loops/sum_two_launch.out_ptr": SEVERAL,
    "loops/max_two_launch.out_ptr": SEVERAL,
    "loops/layer_norm_backward_dw_db.dw_ptr": SEVERAL,
    "loops/layer_norm_backward_dw_db.db_ptr": SEVERAL,
    "loops/attention_backward.dk_ptr": SEVERAL,
    "loops/attention_backward.dv_ptr": "the transposed product of the scores, as the kernel computes it",
    "loops/attention_backward.dq_ptr": SEVERAL,
    "loops/attention_backward_causal.dk_ptr": SEVERAL,
    "loops/attention_backward_causal.dv_ptr": "the transposed product of the scores, as the kernel computes it",
    "loops/attention_backward_causal.dq_ptr": SEVERAL,
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
            "the last tile ends at the diagonal's: beyond it nothing is summed"
        )
        for name in ("out", "lse")
    },
    "loops/attention_exp2_lse.out_ptr": "base two, as the code has it",
    "loops/attention_exp2_lse.lse_ptr": "base two, as the code has it",
    "loops/attention_bias.out_ptr": "the scale stands at q, as in the code",
    "loops/dropout_philox.y_ptr": "the bits are mapped to [0, 1) in the open",
    "loops/attention_gqa.out_ptr": "repeated heads are a take",
    "loops/cross_entropy.loss_ptr": "the labels may reach beyond n_classes, so the slice is shown",
    "loops/cross_entropy.logits_ptr": "the labels may reach beyond n_classes, so the slice is shown",
    "loops/embedding_backward.dw_ptr": "a masked sum instead of a product",
    "loops/conv1d_causal_depthwise.y_ptr": "the convolution is written as a masked sum over the window",
    "loops/linear_recurrence.h_ptr": "recurrence is no function of formulas: products of a are written out",
}
# text is not the textbook's, though raw is (or is what OTHER_RAW says and text gets no further).
TEXTBOOK = {
    "quantize_rows_int8.q_ptr",
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


def compare(name, output, kind, corpus, lifted):
    case, hand = CASES[name], expected(name)
    for kernel in case.kernels:
        report = lifted(corpus / f"{case.stem(kernel)}.ttir").report
        entry = {entry["name"]: entry for entry in report["outputs"]}.get(output)
        if not entry:
            continue
        assert entry["form"] == "tensor"
        shapes = {t["name"]: t["shape"] for t in report["inputs"] + report["outputs"] if t.get("shape")}
        ours, theirs = Form(shapes=shapes).of(entry["formula"][kind]), Form(hand.get("let"), shapes).of(
            hand["outputs"][output][kind]
        )
        assert ours == theirs, f"{entry['formula'][kind]}   instead of   {hand['outputs'][output][kind]}"
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


@pytest.mark.parametrize("name, output", parameters(POINTWISE, OTHER_RAW))
def test_raw_is_the_expected_one_up_to_order(name, output, corpus, lifted):
    compare(name, output, "raw", corpus, lifted)


@pytest.mark.parametrize("name, output", parameters(POINTWISE, OTHER_TEXT))
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
                assert entry["form"] == "pointwise" and f"{name}.{entry['name']}" in POINTWISE
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
