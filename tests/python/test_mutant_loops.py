"""Loops of examples/kernels with one thing wrong that shows only after several blocks: what an iteration forgets, or rescales the wrong way.
Each is refuted against its reference; what is written otherwise and computes the same is not."""

import json
import subprocess

import pytest
from conftest import ROOT
from triton_tools.compile_once import compiled_forms
from triton_tools.forms import FOLDER
from triton_tools.lifted import ASSAY, patient

KERNELS, REFERENCES = ROOT / "examples" / "kernels" / "loops", ROOT / "examples" / "references" / "operators.py"
ROW, TILES = {"BLOCK": 1024}, {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_D": 64}
PTR, INT = "*fp32", "i32"
SOFTMAX = {"x_ptr": PTR, "y_ptr": PTR, "stride_x": INT, "stride_y": INT, "n_cols": INT}
LSE = {"x_ptr": PTR, "out_ptr": PTR, "stride_x": INT, "n_cols": INT}
ATTENTION = {
    name: INT
    for name in "n_queries n_keys head_dim stride_qh stride_qm stride_kh stride_kn stride_vh stride_vn stride_oh stride_om".split()
}
ATTENTION |= {"q_ptr": PTR, "k_ptr": PTR, "v_ptr": PTR, "out_ptr": PTR, "scale": "fp32"}
ENTROPY = {
    "logits_ptr": PTR,
    "labels_ptr": "*i64",
    "loss_ptr": PTR,
    "stride": INT,
    "n_classes": INT,
    "ignore_index": INT,
    "grad_scale": "fp32",
    "smoothing": "fp32",
}
SMOOTHED = """import torch


def smoothed(logits, labels, ignore_index, grad_scale, smoothing):
    n, ok, lse = logits.shape[1], labels != ignore_index, torch.logsumexp(logits, dim=-1)
    picked = torch.gather(logits, 1, labels[:, None])[:, 0]
    loss = (1.0 - smoothing) * (lse - picked) + smoothing * lse - smoothing / n * logits.sum(-1)
    target = torch.where(torch.arange(n)[None, :] == labels[:, None], 1.0 - smoothing, 0.0) + smoothing / n
    grad = (torch.softmax(logits, dim=-1) - target) * grad_scale
    return {"logits": torch.where(ok[:, None], grad, 0.0), "loss": torch.where(ok, loss, 0.0)}
"""
# file: function, types, literals, reference; tag: (what, becomes)
CASES = {
    "softmax_online": (
        "softmax_online_kernel",
        SOFTMAX,
        ROW,
        "softmax",
        {
            "no_rescaling": ("total * tl.exp(row_max - new_max)", "total"),
            "inverse": ("tl.exp(row_max - new_max)", "tl.exp(new_max - row_max)"),
            "forgets_sum": ("total * tl.exp(row_max - new_max) + tl.sum", "tl.sum"),
            "old_maximum": ("tl.exp(x - new_max)", "tl.exp(x - row_max)"),
            "keeps_no_maximum": ("        row_max = new_max\n", ""),
        },
    ),
    "softmax_online_lanes": (
        "softmax_online_lanes_kernel",
        SOFTMAX,
        ROW,
        "softmax",
        {
            "no_rescaling": ("lane_sum * tl.exp(lane_max - new_max)", "lane_sum"),
            "no_rescaling_of_lanes": ("lane_sum * tl.exp(lane_max - row_max)", "lane_sum"),
            "inverse": ("tl.exp(lane_max - new_max)", "tl.exp(new_max - lane_max)"),
        },
    ),
    "logsumexp_online": (
        "logsumexp_online_kernel",
        LSE,
        ROW,
        "logsumexp",
        {
            "no_rescaling": ("s * tl.exp(m - m_new)", "s"),
            "inverse": ("tl.exp(m - m_new)", "tl.exp(m_new - m)"),
            "block_as_it_is": ("tl.exp(block_max - m_new) * tl.sum", "tl.sum"),
        },
    ),
    "cross_entropy": (
        "cross_entropy_kernel",
        ENTROPY,
        ROW,
        "smoothed",
        {
            "no_rescaling": ("d * tl.exp(m - m_new)", "d"),
            "inverse": ("tl.exp(m - m_new)", "tl.exp(m_new - m)"),
            "last_block_alone": ("total += tl.sum", "total = tl.sum"),
            "other_gradient": ("grad = tl.exp(x - m) / d - even", "grad = tl.exp(x - m) / (d + even) - even"),
        },
    ),
    "cumsum": (
        "cumsum_kernel",
        SOFTMAX,
        ROW,
        "cumsum",
        {
            "carry_of_one_block": ("carry += tl.sum(x, axis=0)", "carry = tl.sum(x, axis=0)"),
            "twice": ("carry += tl.sum(x, axis=0)", "carry += 2 * tl.sum(x, axis=0)"),
            "first_lane": ("carry += tl.sum(x, axis=0)", "carry += tl.sum(tl.where(cols > start, x, 0.0), axis=0)"),
        },
    ),
    "argmax_long": (
        "argmax_long_kernel",
        LSE | {"out_ptr": "*i32"},
        ROW,
        "argmax_index",
        {
            "forgets_best": ("best = tl.where(better, block_best, best)", "best = block_best"),
            "no_start": ("start + block_index", "block_index"),
            "last_of_equals": ("block_best > best", "block_best >= best"),
        },
    ),
    "max_long": (
        "max_long_kernel",
        LSE,
        ROW,
        "max",
        {
            "forgets_best": ("best = tl.maximum(best, tl.max(x, axis=0))", "best = tl.max(x, axis=0)"),
            "two_blocks_alone": (
                "best = tl.maximum(best, tl.max(x, axis=0))",
                "best = tl.maximum(best, tl.max(x, axis=0)) if start < 2 else best",
            ),
            "no_tail": ("tl.cdiv(n_cols, BLOCK)", "n_cols // BLOCK"),
        },
    ),
    "layer_norm_welford": (
        "layer_norm_welford_kernel",
        SOFTMAX | {"w_ptr": PTR, "b_ptr": PTR, "eps": "fp32"},
        ROW,
        "layer_norm_y",
        {
            "no_shift": ("m2 += block_m2 + delta * delta * (count * block_count / new_count)", "m2 += block_m2"),
            "weight_of_others": ("mean += delta * (block_count / new_count)", "mean += delta * (count / new_count)"),
            "count_of_one_block": ("        count = new_count\n", "        count = block_count\n"),
        },
    ),
    "attention": (
        "attention_kernel",
        ATTENTION,
        TILES,
        "attention",
        {
            "no_rescaling": ("acc * rescale[:, None] + ", "acc + "),
            "no_rescaling_of_sum": ("running_sum * rescale + ", "running_sum + "),
            "inverse": ("tl.exp(running_max - new_max)", "tl.exp(new_max - running_max)"),
            "forgets_values": ("acc = acc * rescale[:, None] + tl.dot", "acc = tl.dot"),
            "no_mask": ('scores = tl.where(cols[None, :] < n_keys, scores, float("-inf"))\n', "\n"),
        },
    ),
}
# over the reals a softmax is the same for every shift: what is subtracted need not be the maximum
SAME = {
    ("softmax_online", "last_maximum"): (
        "new_max = tl.maximum(row_max, tl.max(x, axis=0))",
        "new_max = tl.max(x, axis=0)",
    ),
    ("attention", "last_maximum"): ("tl.maximum(running_max, tl.max(scores, axis=1))", "tl.max(scores, axis=1)"),
    ("cumsum", "last_column"): (
        "carry += tl.sum(x, axis=0)",
        "carry += tl.sum(tl.where(cols < n_cols - 1, x, 0.0), axis=0)",
    ),
}
WRONG = [(file, tag) for file, (*_, changes) in CASES.items() for tag in changes]
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")


def mutant(file, tag):
    function, types, literals, _, changes = CASES[file]
    old, new = changes.get(tag) or SAME[file, tag]
    text = (KERNELS / f"{file}.py").read_text()
    assert text.count(old) >= 1
    return (
        text.replace(old, new, 1)
        + f"\n\nFORMS = {{{tag!r}: dict(kernel={function}, types={types!r}, constexprs={literals!r})}}\n"
    )


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    folder, files = tmp_path_factory.mktemp("loops"), []
    for file, tag in [*WRONG, *SAME]:
        files.append(folder / f"loop_{file}_{tag}.py")
        files[-1].write_text(mutant(file, tag))
    (folder / "smoothed.py").write_text(SMOOTHED)
    compiled_forms(*files)
    return folder


def check(file, tag, folder):
    reference = CASES[file][3]
    path = folder / "smoothed.py" if reference == "smoothed" else REFERENCES
    done = subprocess.run(
        patient("check", "--json", FOLDER / f"loop_{file}_{tag}.{tag}.ttir", f"{path}:{reference}"),
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("file,tag", WRONG)
def test_wrong_loop_is_refuted(file, tag, compiled):
    answer = check(file, tag, compiled)
    assert answer["verdict"] == "refuted" and answer["witness"], answer["reason"]


@pytest.mark.parametrize("file,tag", SAME)
def test_what_computes_the_same_is_not_refuted(file, tag, compiled):
    assert check(file, tag, compiled)["verdict"] in ("proved", "probable")
