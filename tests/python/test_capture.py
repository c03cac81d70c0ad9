"""Launches are kept as they were, and their dump reads back."""

import json

import numpy as np
import torch
from triton_tools.case import all_cases
from triton_tools.interpret import capture, dump, inputs_of


def test_grid_scalars_and_constexprs():
    (launch,) = capture(all_cases()["sub"], 4)
    m, n = launch["x_ptr"].shape
    assert launch.kernel == "sub_kernel"
    assert launch.grid == (-(-m // 64), -(-n // 64), 1)
    assert (launch["M"].value, launch["N"].value, launch["BLOCK_M"].value) == (m, n, 64)
    assert launch["BLOCK_M"].kind == "constexpr"
    assert (launch["stride_xm"].value, launch["stride_xn"].value) == launch["x_ptr"].strides


def test_in_place_kernel_keeps_old_contents():
    (launch,) = capture(all_cases()["abs"], 6)
    assert torch.equal(launch["x_ptr"].before, inputs_of(all_cases()["abs"], 6)["x"])
    assert torch.equal(launch["x_ptr"].after, launch["x_ptr"].before.abs())


def test_inputs_are_left_alone():
    for name in ("softmax", "matmul_tile", "embedding", "cross_entropy"):
        for launch in capture(all_cases()[name], 5):
            for argument in launch.arguments[:]:
                if argument.kind == "tensor" and argument.name in (
                    "x_ptr",
                    "a_ptr",
                    "b_ptr",
                    "table_ptr",
                    "logits_ptr",
                ):
                    assert torch.equal(argument.before, argument.after)


def test_same_case_same_inputs():
    left, right = (inputs_of(all_cases()["softmax"], 9) for _ in range(2))
    assert torch.equal(left["x"], right["x"])


def test_dump_reads_back(tmp_path):
    (launch,) = launches = capture(all_cases()["softmax"], 1)  # padded rows: the view is not the whole storage
    dump(launches, tmp_path / "softmax.1")
    (described,) = json.loads((tmp_path / "softmax.1.json").read_text())
    blob = (tmp_path / "softmax.1.bin").read_bytes()
    assert described["kernel"] == "softmax_kernel" and described["grid"] == list(launch.grid)
    for argument in described["arguments"]:
        if argument["kind"] != "tensor":
            assert argument["value"] == launch[argument["name"]].value
            continue
        storage = described["storages"][argument["storage"]]
        for moment in ("before", "after"):
            data = np.frombuffer(blob[storage[moment] :][: storage["bytes"]], np.float32)[argument["offset"] :]
            view = np.lib.stride_tricks.as_strided(
                data, argument["shape"], [4 * stride for stride in argument["strides"]]
            )
            assert np.array_equal(view, getattr(launch[argument["name"]], moment).numpy(), equal_nan=True)
