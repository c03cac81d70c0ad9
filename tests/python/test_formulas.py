"""The tensor formulas that deduction finds, held against the formulas written by hand.

Terms are unordered and know powers only, so `raw` is compared after both sides are brought into one form:
sums and products without order, x * x as x ** 2, a * (1 / b) as a / b, rsqrt(v) as 1 / sqrt(v), max(a, b) in
any order. What differs even so must still mean the same on real launches. `text` is the textbook form: most
of it needs the simplifier, so there the comparison is counted and expected to fail, with the reason."""
import ast
from collections import Counter
from fractions import Fraction

import pytest
from triton_tools.case import all_cases
from triton_tools.formulas import environment, evaluate, expected, fit
from triton_tools.interpret import capture
from triton_tools.lifted import ASSAY, lift, worst_error

pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

NAMES = [name for name in all_cases() if "/" not in name]

# Outputs without a tensor form yet, and why.
POINTWISE = {"tanh.out_ptr": "the flat index is split by wrap-around arithmetic that recovery keeps"}
# raw differs from the hand-written one in more than order; the value is the same.
OTHER_SHAPE = {
    "avg_pool.out_ptr": "sizes are named by what bounds them: grid_y for out_height; a slice to the end has no end",
    "batch_norm_inference.y_ptr": "sums inside sums are flattened, products divided out",
    "cross_entropy.loss_ptr": "the labels may reach beyond n_cols, so the slice is shown",
    "cross_entropy.lse_ptr": "the labels may reach beyond n_cols, so the slice is shown",
    "masked_fill.out_ptr": "the mask is a number in memory: != 0",
    "quantize_rows_int8.q_ptr": "trunc of an integer is dropped; products divided out",
    "rotary_embedding.out_ptr": "a slice to the end has no end",
    "swiglu.out_ptr": "a slice to the end has no end",
}
# text needs the simplifier.
SIMPLIFIER = "textbook forms are the simplifier's work"


class Form:
    """A formula without order: nested tuples that are equal for equal formulas."""

    def of(self, text):
        return self.visit(ast.parse(text, mode="eval").body)

    def visit(self, node):
        return getattr(self, type(node).__name__)(node)

    def Name(self, node):
        return ("name", node.id)

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
        return (type(node.op).__name__, *(sorted((left, right), key=repr) if isinstance(node.op, (ast.BitAnd, ast.BitOr)) else (left, right)))

    def summands(self, node, sign=1):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.summands(node.operand, -sign)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            return self.summands(node.left, sign) + self.summands(node.right, sign if isinstance(node.op, ast.Add) else -sign)
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
            return self.factors(node.left, exponent) + self.factors(node.right, exponent if isinstance(node.op, ast.Mult) else -exponent)
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
        return ("call", node.func.id, *args, *((k.arg, self.visit(k.value)) for k in node.keywords))

    def Subscript(self, node):
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return ("subscript", self.visit(node.value), *(self.visit(a) for a in axes))

    def Slice(self, node):
        return ("slice", *(self.visit(part) if part else None for part in (node.lower, node.upper, node.step)))


@pytest.fixture(scope="module")
def formulas(corpus):
    known = {}

    def get(name):
        if name not in known:
            report = lift([corpus / f"{name}.ttir"], "--no-prove", emit=()).report
            known[name] = {output["name"]: output for output in report.get("outputs", [])}
        return known[name]

    return get


def outputs(reasons, skip=()):
    found = []
    for name in NAMES:
        for output in expected(name)["outputs"]:
            key = f"{name}.{output}"
            reason = reasons.get(key)
            if key not in skip:
                found.append(pytest.param(name, output, id=key, marks=pytest.mark.xfail(reason=reason, strict=True) if reason else ()))
    return found


@pytest.mark.parametrize("name, output", outputs(POINTWISE))
def test_a_tensor_form_is_found(name, output, formulas):
    assert formulas(name)[output]["form"] == "tensor"


@pytest.mark.parametrize("name, output", outputs(OTHER_SHAPE, POINTWISE))
def test_raw_is_the_expected_one_up_to_order(name, output, formulas):
    assert Form().of(formulas(name)[output]["formula"]["raw"]) == Form().of(expected(name)["outputs"][output]["raw"])


@pytest.mark.parametrize("name, output", outputs({}, POINTWISE))
def test_raw_and_text_mean_what_the_launch_wrote(name, output, formulas):
    case = all_cases()[name]
    for index in (0, 3, 6):
        launches = capture(case, index)
        after = launches[-1][output].after
        for kind in ("raw", "text"):
            value = fit(evaluate(formulas(name)[output]["formula"][kind], environment(launches)), after.shape)
            assert worst_error(value, after) <= max(case.tolerance, 1e-6), f"{kind}, case {index}"


def test_text_is_counted(formulas, record_property):
    same = Counter()
    for name in NAMES:
        for output, wanted in expected(name)["outputs"].items():
            got = formulas(name)[output]
            same[got["form"] == "tensor" and Form().of(got["formula"]["text"]) == Form().of(wanted["text"])] += 1
    record_property("textbook forms", same[True])
    if same[False]:
        pytest.xfail(f"{same[True]} of {sum(same.values())} outputs have the textbook form; {SIMPLIFIER}")


def test_forms_ignore_order_and_nothing_else():
    form = Form().of
    assert form("x * x * (1 / y) - 2 * z") == form("-z * 2 + x ** 2 / y")
    assert form("rsqrt(v + eps)") == form("1 / sqrt(eps + v)")
    assert form("a - b") != form("b - a")
    assert form("sum(x, axis=1)") != form("sum(x, axis=0)")
    assert form("x[:, :n]") != form("x[:, n:]")
    assert form("2 * x") != form("x")
