"""The C interpreter leaves what Triton's interpreter leaves, for every kernel and case of the corpus, finds nothing wrong with
these kernels, and changes nothing that Triton does not change. Tolerances: the two differ in how exp and the like are rounded,
and in the order of sums; an f16 or bf16 result may then fall on the neighbouring number."""

import pytest
from interpreter_c import Compiled, EXECUTABLE, element_of, as_array, run, worst_difference
from triton_tools.case import EACH_TIME, all_cases
from triton_tools.interpret import captured

pytestmark = pytest.mark.skipif(not EXECUTABLE.exists(), reason=f"no {EXECUTABLE.name}: it is built with the tests")

TOLERANCE = {"f64": 1e-6, "f32": 2e-5, "f16": 2e-3, "bf16": 1.6e-2}  # integers: none
EXACT = 5e-3  # real arithmetic against arithmetic in f32, for kernels without f16 and bf16


def capture_all(cases, indices):
    """case name -> [(index, launch, kernel, path of its .ttir)]; all are compiled in one go, which saves starting Triton again and again."""
    compiled, found = Compiled(), {}
    for case in cases:
        rows = found.setdefault(case.name, [])
        for index in indices(case):
            for launch in captured(case, index):
                kernel = next(kernel for kernel in case.kernels if kernel.name == launch.kernel)
                rows.append((index, launch, kernel, compiled.add(case, kernel, launch)))
    compiled.compile()
    return found


@pytest.fixture(scope="module")
def quick_launches():
    return capture_all(all_cases().values(), lambda case: range(EACH_TIME))


@pytest.fixture(scope="module")
def other_launches():
    return capture_all(all_cases().values(), lambda case: range(EACH_TIME, case.cases))


def compare(index, launch, kernel, ttir, folder):
    report, arrays, _ = run(ttir, launch, kernel, folder)
    assert report["status"] == "ok", f"case {index}: {report['message']}"
    assert report["findings"] == [], f"case {index}"
    for storage, array in arrays.items():
        element = element_of(launch, storage)
        worst = worst_difference(array, as_array(launch.storages[storage].after, element))
        assert worst <= TOLERANCE.get(element, 0), f"case {index}, storage {storage} of {element}: off by {worst:.3g}"


@pytest.mark.parametrize("name", list(all_cases()))
def test_agrees_with_the_interpreter_of_triton(name, quick_launches, tmp_path):
    for index, launch, kernel, ttir in quick_launches[name]:
        compare(index, launch, kernel, ttir, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", list(all_cases()))
def test_agrees_with_the_interpreter_of_triton_on_all_cases(name, other_launches, tmp_path):
    for index, launch, kernel, ttir in other_launches[name]:
        compare(index, launch, kernel, ttir, tmp_path)


WRITTEN, UNSEEN = 1, 4  # bits of a shadow


@pytest.fixture(scope="module")
def sparse_answers():
    return {"ok": 0, "needs_lanes": 0}


@pytest.mark.parametrize("name", list(all_cases()))
def test_few_lanes_leave_what_all_lanes_leave(name, quick_launches, sparse_answers, tmp_path):
    """What a sparse run saw is what Triton's interpreter left; what it did not see was written."""
    for index, launch, kernel, ttir in quick_launches[name]:
        report, arrays, shadows = run(ttir, launch, kernel, tmp_path, "--sparse")
        assert report["status"] in sparse_answers, f"case {index}: {report['message']}"
        sparse_answers[report["status"]] += 1
        if report["status"] != "ok":
            continue
        assert report["findings"] == [], f"case {index}"
        for storage, array in arrays.items():
            element = element_of(launch, storage)
            unseen = shadows[storage] & UNSEEN != 0
            assert (shadows[storage][unseen] & WRITTEN).all()
            worst = worst_difference(array[~unseen], as_array(launch.storages[storage].after, element)[~unseen])
            assert worst <= TOLERANCE.get(
                element, 0
            ), f"case {index}, storage {storage} of {element}: off by {worst:.3g}"


def test_few_lanes_are_often_enough(sparse_answers):
    assert sparse_answers["ok"] > sparse_answers["needs_lanes"]


@pytest.mark.parametrize(
    "name", ["softmax", "layer_norm", "loops/attention", "loops/matmul", "loops/softmax_online", "argmax"]
)
@pytest.mark.parametrize(
    "options",
    [
        ("--order", "backward"),
        ("--order", "permuted", "--seed", "7"),
        ("--fold", "left"),
        ("--fold", "right"),
        ("--undefined", "nan"),
        ("--undefined", "-7e30"),
        ("--exact-reals",),
    ],
)
def test_nothing_hangs_on_what_is_left_open(name, options, quick_launches, tmp_path):
    """Order of programs, order of a fold, contents of undefined lanes, rounding."""
    for index, launch, kernel, ttir in quick_launches[name][1:3]:
        report, arrays, _ = run(ttir, launch, kernel, tmp_path, *options)
        assert report["status"] == "ok" and report["findings"] == []
        for storage, array in arrays.items():
            element = element_of(launch, storage)
            worst = worst_difference(array, as_array(launch.storages[storage].after, element))
            assert worst <= (TOLERANCE.get(element, 0) if options != ("--exact-reals",) else EXACT)
