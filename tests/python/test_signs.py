"""A minus before a floor division: `-a // b` is `(-a) // b` in Python, and not `-(a // b)`."""

import importlib.util
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
ASSAY = Path(os.environ.get("ASSAY", ROOT / "build" / "assay"))
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

KERNEL = """\
module {
  tt.func public @neg(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
    %c3 = arith.constant dense<3> : tensor<64xi32>
    %c0 = arith.constant dense<0> : tensor<64xi32>
    %c64 = arith.constant 64 : i32
    %p = tt.get_program_id x : i32
    %s = arith.muli %p, %c64 : i32
    %ss = tt.splat %s : i32 -> tensor<64xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %o = arith.addi %ss, %r : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %o, %ns : tensor<64xi32>
    %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %xp = tt.addptr %xs, %o : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v = tt.load %xp, %m, %c0 : tensor<64x!tt.ptr<i32>>
    %d = arith.divsi %v, %c3 : tensor<64xi32>
    %q = arith.divsi %o, %c3 : tensor<64xi32>
    %e = arith.subi %d, %q : tensor<64xi32>
    %z = arith.subi %c0, %q : tensor<64xi32>
    %f = arith.muli %e, %z : tensor<64xi32>
    %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %yp = tt.addptr %ys, %o : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %yp, %f, %m : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
"""


# an unsigned number that is shifted by 0 is a negative one again
SHIFTED = KERNEL[: KERNEL.index("    %d = arith.divsi")] + """    %c31 = arith.constant dense<31> : tensor<64xi32>
    %by = arith.andi %o, %c31 : tensor<64xi32>
    %u = arith.shrui %v, %by : tensor<64xi32>
    %seven = arith.constant dense<7> : tensor<64xi32>
    %more = arith.cmpi sgt, %u, %seven : tensor<64xi32>
    %f = arith.extui %more : tensor<64xi1> to tensor<64xi32>
""" + KERNEL[KERNEL.index("    %ys = tt.splat") :]


def module(framework, folder, kernel=KERNEL):
    (folder / "neg.ttir").write_text(kernel)
    done = subprocess.run(
        [str(ASSAY), "lift", "--emit", framework, str(folder / "neg.ttir")], capture_output=True, text=True, check=True
    )
    path = folder / f"neg_{framework}.py"
    path.write_text(done.stdout)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded.neg


def truncated(a, b):
    return int(a / b)


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_quotients_are_negated_whole(framework, tmp_path):
    x = np.arange(-20, 21, dtype=np.int32)
    wanted = [(truncated(v, 3) - i // 3) * -(i // 3) for i, v in enumerate(x.tolist())]
    given = torch.from_numpy(x) if framework == "pytorch" else x
    assert np.asarray(module(framework, tmp_path)(x=given)["y"]).tolist() == wanted


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_unsigned_shifts_by_zero_keep_the_sign(framework, tmp_path):
    x = np.resize(np.array([-1, 5, -9, 2**31 - 1, -(2**31)], np.int32), 70)
    wanted = [int(((v % 2**32) >> (i % 32) if i % 32 else v) > 7) for i, v in enumerate(x.tolist())]
    given = torch.from_numpy(x) if framework == "pytorch" else x
    assert np.asarray(module(framework, tmp_path, SHIFTED)(x=given)["y"]).tolist() == wanted
