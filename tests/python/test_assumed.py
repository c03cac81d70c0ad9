"""What a claim rests on is printed, and what is printed is kept to: ends of loops, extents that nobody gave, witnesses."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASSAY = Path(os.environ.get("ASSAY", ROOT / "build" / "assay"))
pytestmark = pytest.mark.skipif(not ASSAY.exists(), reason="build/assay is not built")

LOOP = """\
module {
  tt.func public @count(%y: !tt.ptr<i32>, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %step = arith.constant STEP : i32
    %a = scf.for %i = %c0 to %n step %step iter_args(%s = %c0) -> (i32) : i32 {
      %t = arith.addi %s, %c1 : i32
      scf.yield %t : i32
    }
    tt.store %y, %a : !tt.ptr<i32>
    tt.return
  }
}
"""

BINS = """\
module {
  tt.func public @bins(%x: !tt.ptr<i32>, %h: !tt.ptr<i32>, %n: i32, %nb: i32) {
    %one = arith.constant dense<1> : tensor<64xi32>
    %zero = arith.constant dense<0> : tensor<64xi32>
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
    %v = tt.load %xp, %m, %zero : tensor<64x!tt.ptr<i32>>
    %ge = arith.cmpi sge, %v, %zero : tensor<64xi32>
    %nbs = tt.splat %nb : i32 -> tensor<64xi32>
    %lt = arith.cmpi slt, %v, %nbs : tensor<64xi32>
    %a = arith.andi %m, %ge : tensor<64xi1>
    %b = arith.andi %a, %lt : tensor<64xi1>
    %hs = tt.splat %h : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %hp = tt.addptr %hs, %v : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %old = tt.atomic_rmw add, acq_rel, gpu, %hp, %one, %b : (tensor<64x!tt.ptr<i32>>, tensor<64xi32>, tensor<64xi1>) -> tensor<64xi32>
    tt.return
  }
}
"""

# zeroes all but the last element of y, when it is launched with n = M - 1
ZERO = """\
module {
  tt.func public @zero(%y: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant dense<0.000000e+00> : tensor<64xf32>
    %c64 = arith.constant 64 : i32
    %p = tt.get_program_id x : i32
    %s = arith.muli %p, %c64 : i32
    %ss = tt.splat %s : i32 -> tensor<64xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %o = arith.addi %ss, %r : tensor<64xi32>
    %ns = tt.splat %n : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %o, %ns : tensor<64xi32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %yp, %zero, %m : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
"""

# rows of y by the strides sy0 and sy1
ROWS = """\
module {
  tt.func public @rows(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %sy0: i32, %sy1: i32, %N: i32) {
    %r = tt.get_program_id x : i32
    %j = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %ns = tt.splat %N : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %j, %ns : tensor<64xi32>
    %a = arith.muli %r, %sy0 : i32
    %ya = tt.addptr %y, %a : !tt.ptr<f32>, i32
    %s1 = tt.splat %sy1 : i32 -> tensor<64xi32>
    %b = arith.muli %j, %s1 : tensor<64xi32>
    %ys = tt.splat %ya : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %yp = tt.addptr %ys, %b : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %c = arith.muli %r, %N : i32
    %xa = tt.addptr %x, %c : !tt.ptr<f32>, i32
    %xs = tt.splat %xa : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %xp = tt.addptr %xs, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %xp, %m : tensor<64x!tt.ptr<f32>>
    tt.store %yp, %v, %m : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
"""


BITS = """\
module {
  tt.func public @bits(%x: !tt.ptr<FROM>, %y: !tt.ptr<TO>) {
    %p = tt.get_program_id x : i32
    %xp = tt.addptr %x, %p : !tt.ptr<FROM>, i32
    %yp = tt.addptr %y, %p : !tt.ptr<TO>, i32
    %v = tt.load %xp : !tt.ptr<FROM>
    %b = tt.bitcast %v : FROM -> TO
    %d = OP %b, %b : TO
    tt.store %yp, %d : !tt.ptr<TO>
    tt.return
  }
}
"""


# index = origin, then out[S * i] = table[index[i]] / table[i]; FROM and the others stand for names
COPY = """\
module {
  tt.func public @copy(%FROM: !tt.ptr<i32>, %TO: !tt.ptr<i32>, %COUNT: i32) {
    %c64 = arith.constant 64 : i32
    %p = tt.get_program_id x : i32
    %s0 = arith.muli %p, %c64 : i32
    %s1 = tt.splat %s0 : i32 -> tensor<64xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %o = arith.addi %s1, %r : tensor<64xi32>
    %n0 = tt.splat %COUNT : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %o, %n0 : tensor<64xi32>
    %f0 = tt.splat %FROM : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %f1 = tt.addptr %f0, %o : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %v = tt.load %f1, %m : tensor<64x!tt.ptr<i32>>
    %t0 = tt.splat %TO : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %t1 = tt.addptr %t0, %o : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    tt.store %t1, %v, %m : tensor<64x!tt.ptr<i32>>
    tt.return
  }
}
"""
GATHER = """\
module {
  tt.func public @gather(%FROM: !tt.ptr<f32>, %AT: !tt.ptr<i32>, %TO: !tt.ptr<f32>, %COUNT: i32, %STRIDE: i32) {
    %c64 = arith.constant 64 : i32
    %p = tt.get_program_id x : i32
    %s0 = arith.muli %p, %c64 : i32
    %s1 = tt.splat %s0 : i32 -> tensor<64xi32>
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %o = arith.addi %s1, %r : tensor<64xi32>
    %n0 = tt.splat %COUNT : i32 -> tensor<64xi32>
    %m = arith.cmpi slt, %o, %n0 : tensor<64xi32>
    %a0 = tt.splat %AT : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
    %a1 = tt.addptr %a0, %o : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
    %i = tt.load %a1, %m : tensor<64x!tt.ptr<i32>>
    %f0 = tt.splat %FROM : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %f1 = tt.addptr %f0, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %f1, %m : tensor<64x!tt.ptr<f32>>
    %g1 = tt.addptr %f0, %o : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %w = tt.load %g1, %m : tensor<64x!tt.ptr<f32>>
    %q = arith.divf %v, %w : tensor<64xf32>
    %by = tt.splat %STRIDE : i32 -> tensor<64xi32>
    %j = arith.muli %o, %by : tensor<64xi32>
    %t0 = tt.splat %TO : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %t1 = tt.addptr %t0, %j : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %t1, %q, %m : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
"""

# what `one` asks of an element reads as what `two` asks of its arguments
ONE = """\
#include <assert.h>
void one(const int *x, int *y, int n, int k) {
  int first = n;
  {
    int n = x[0];
    assert(n <= k);
  }
  y[0] = first;
}
"""
TWO = """\
#include <assert.h>
void two(const int *y, int *z, int n, int k) {
  assert(n <= k);
  z[0] = n < k ? n + y[0] : k + y[0];
}
"""


def run(command, *arguments):
    done = subprocess.run([str(ASSAY), command, "--json", *map(str, arguments)], capture_output=True, check=False)
    return json.loads(done.stdout)


def lift(path, *options):
    return run("lift", path, *options)


def texts(report):
    return [assumption["text"] for assumption in report["assumptions"]]


def written(folder, name, text):
    path = folder / f"{name}.ttir"
    path.write_text(text)
    return path


@pytest.mark.parametrize("step", [1 << 24, 3 << 24, 1 << 28, 1 << 30])
def test_the_end_of_a_loop_fits_whatever_its_step(tmp_path, step):
    report = lift(written(tmp_path, "count", LOOP.replace("STEP", str(step))))
    assert any(text.startswith(f"{step}*") and text.endswith("<= 2147483647") for text in texts(report)), texts(report)


def test_a_loop_whose_end_fits_for_all_sizes_assumes_nothing_of_it(tmp_path):
    assert not any("2147483647" in text for text in texts(lift(written(tmp_path, "count", LOOP.replace("STEP", "1")))))


def test_an_extent_that_nobody_gave_is_what_the_mask_lets_through(tmp_path):
    path = written(tmp_path, "bins", BINS)
    report = lift(path)
    assert report["safety"] == "proved" and report["outputs"][0]["shape"] == ["nb"]
    assert lift(path, "--shape", "h=nb")["safety"] == "proved"
    assert lift(path, "--shape", "h=H")["safety"] == "refuted"


def test_a_witness_meets_what_is_assumed_of_arguments(tmp_path):
    written(tmp_path, "zero", ZERO)
    operation = tmp_path / "s.json"
    launch = {"file": "zero.ttir", "kernel": "zero", "grid": ["cdiv(M,64)"], "args": {"y": "y", "n": "M-1"}}
    operation.write_text(
        json.dumps(
            {"schema": 1, "name": "s", "tensors": {"y": {"dtype": "f32", "shape": ["M"]}}, "launches": [launch]}
        )
    )
    report = lift(operation)
    found = [o["witness"]["sizes"]["M"] for o in report["obligations"] if o["verdict"] == "refuted"]
    assert "M - 1 >= 1" in texts(report) and found == [2]


@pytest.mark.parametrize("grid", [[], ["--grid", "R"]])
def test_a_witness_has_one_number_for_each_name(tmp_path, grid):
    path = written(tmp_path, "rows", ROWS)
    command = [
        str(ASSAY),
        "lift",
        str(path),
        "--shape",
        "y=R,N",
        "--strides",
        "y=N,1",
        "--set",
        "sy0=5",
        "--set",
        "sy1=1",
        *grid,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.findall(r"; at (.*)", done.stdout)
    assert found
    for line in found:
        names = re.findall(r"(\w+) = ", line)
        assert len(names) == len(set(names)) and "R = 2" in line, line


@pytest.mark.parametrize(
    "source,to,op,said",
    [
        (
            "i32",
            "f32",
            "arith.subf",
            "integers whose bits are taken for floats are finite floats",
        ),  # NaN - NaN is no 0
        ("f32", "i32", "arith.andi", "floats whose bits are taken are exact, and none is -0.0"),
        ("i32", "i32", "arith.andi", None),
    ],
)
def test_what_is_taken_of_bits_is_said(tmp_path, source, to, op, said):
    report = lift(written(tmp_path, "bits", BITS.replace("FROM", source).replace("TO", to).replace("OP", op)))
    assert report["verdict"] == "proved" and [text for text in texts(report) if "bits" in text] == (
        [said] if said else []
    )


def gathers(folder, source, at, to, count, stride):
    """The operation of two launches whose arguments have these names."""
    names = {"FROM": source, "AT": at, "TO": to, "COUNT": count, "STRIDE": stride}
    for name, text in (("copy", COPY), ("gather", GATHER)):
        written(folder, name, re.sub("%([A-Z]+)", lambda m: "%" + names[m[1]], text))
    shapes = {"table": "f32", "origin": "i32", "index": "i32", "out": "f32"}
    tensors = {name: {"dtype": dtype, "shape": ["N"]} for name, dtype in shapes.items()}
    tensors["out"]["strides"] = ["S"]
    copied = {source: "origin", to: "index", count: "N"}
    gathered = {source: "table", at: "index", to: "out", count: "N", stride: "S"}
    launches = [
        {"file": f"{name}.ttir", "kernel": name, "grid": ["cdiv(N, 64)"], "args": args}
        for name, args in (("copy", copied), ("gather", gathered))
    ]
    path = folder / "twice.json"
    path.write_text(json.dumps({"schema": 1, "name": "twice", "tensors": tensors, "launches": launches}))
    return lift(path)


@pytest.mark.parametrize(
    "names",
    [
        ("is", "of", "a", "x", "to"),
        ("inputs", "are", "pointer", "do", "from"),
        ("table", "lane", "element", "wraps", "sizes"),
        ("index", "out", "origin", "S", "N"),  # names of the operation, for other things
    ],
)
def test_an_argument_that_has_the_name_of_a_word_leaves_the_words_alone(tmp_path, names):
    plain = gathers(tmp_path, "src", "where", "dst", "cnt", "step")
    assert "inputs are finite" in texts(plain) and "different pointer arguments do not overlap" in texts(plain)
    details = [o["detail"] for o in plain["obligations"]]
    assert "a division by what may be 0: table[index[i]] / table[i]; this depends on the inputs" in details
    named = gathers(tmp_path, *names)
    limit = r'"wraps from [NS] = \d+, [NS] = \d+"'  # which of them comes first goes by the symbols of the kernel
    for part in ("verdict", "safety", "reason", "outputs", "assumptions", "obligations"):
        left, right = (re.subn(limit, '"limit"', json.dumps(report[part])) for report in (plain, named))
        assert left == right and (left[1] > 0) == (part in ("assumptions", "obligations"))


def test_what_reads_the_same_and_says_something_else_counts_as_well(tmp_path):
    for name, text in (("one", ONE), ("two", TWO)):
        (tmp_path / f"{name}.c").write_text(text)
    (tmp_path / "both.c").write_text(
        "void both(const int *x, int *y, int *z, int n, int k) {\n  y[0] = n;\n  z[0] = n < k ? 2 * n : n + k;\n}\n"
    )
    tensors = {name: {"dtype": "i32", "shape": [1]} for name in "xyz"}
    args = ({"x": "x", "y": "y", "n": "n", "k": "k"}, {"y": "y", "z": "z", "n": "n", "k": "k"})
    launches = [
        {"file": f"{name}.c", "kernel": name, "grid": [1], "args": own} for name, own in zip(("one", "two"), args)
    ]
    path = tmp_path / "both.json"
    path.write_text(json.dumps({"schema": 1, "name": "both", "tensors": tensors, "launches": launches}))
    report = lift(path)
    assert report["verdict"] == "proved" and texts(report).count("n <= k") == 1
    assert run("check", path, tmp_path / "both.c")["verdict"] == "proved"  # where n <= k, as the second launch needs
    loose = (tmp_path / "both.c").read_text().replace("2 * n : n + k", "2 * n : n + k + 1")
    (tmp_path / "both.c").write_text(loose)
    assert run("check", path, tmp_path / "both.c")["verdict"] == "refuted"  # at n == k


def test_a_sentence_about_an_element_is_no_condition_on_the_argument(tmp_path):
    (tmp_path / "f.c").write_text("""\
#include <assert.h>
void f(const int *x, int *y, int n) {
  {
    int n = x[0];
    assert(n <= 4);
  }
  assert(n <= 4);
  y[0] = n < 4 ? n : 4;
}
""")
    report = lift(tmp_path / "f.c")
    assert report["verdict"] == "proved" and texts(report).count("n <= 4") == 1


@pytest.mark.parametrize("given", [("n % 16 == 0", "0 == n % 16"), ("n >= 4", "n > 3"), ("n % 2 == 0",)])
def test_what_is_assumed_stands_once_in_the_stage(given, tmp_path):
    (tmp_path / "twice.c").write_text("void f(int n, float *y) {\n  for (int i = 0; i < n; i++) y[i] = 2;\n}\n")
    flags = [word for text in given for word in ("--assume", text)]
    done = subprocess.run(
        [ASSAY, "lift", *flags, "--stop-after", "tensor", tmp_path / "twice.c"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line.split()[0] for line in done.stdout.splitlines()].count("assume") == 1, done.stdout
