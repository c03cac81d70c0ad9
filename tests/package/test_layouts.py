"""Launches as they are: every kind of argument and layout, from real calls, with what the operation file says of it."""

import re

import pytest

import assay

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import layouts  # noqa: E402
import triton  # noqa: E402

VERSION = tuple(int(part) for part in triton.__version__.split(".")[:2])


def argument(name, place):
    """What a number of the text is called: releases before 3.5 keep no names of arguments."""
    return name if VERSION >= (3, 5) else f"arg{place}"


def empty(*shape):
    return torch.empty(shape)


def launched(kernel, grid, *args, **meta):
    return assay.trace(kernel)[grid].launches(*args, **meta)


def rows(x, out):
    """A kernel that doubles rows, with the strides of these tensors."""
    return launched(layouts.rows_kernel, (x.shape[0],), x, out, *x.stride(), *out.stride(), x.shape[1], BLOCK=64)


def arguments(made):
    return made.operation["launches"][0]["args"]


PARTS = torch.empty(6, 96)
HELD = {  # each pair of tensors, and the formula of twice the first
    "expanded": (empty(1, 40).expand(6, 40), empty(6, 40), "2 * x_ptr"),
    "expanded along columns": (empty(6, 1).expand(6, 40), empty(6, 40), "2 * x_ptr"),
    "permuted": (empty(40, 6).T, empty(6, 40), "2 * x_ptr"),
    "permuted output": (empty(6, 40), empty(40, 6).T, "2 * x_ptr"),
    "both permuted": (empty(40, 6).T, empty(40, 6).T, "2 * x_ptr"),
    "offset": (empty(8, 50)[2:, 5:45], empty(6, 40), "2 * x_ptr"),
    "parts of the same rows": (PARTS[:, :40], PARTS[:, 48:88], "2 * x_ptr"),
    "one row": (empty(1, 40), empty(1, 40), "2 * x_ptr"),
    "meta": (torch.empty(6, 40, device="meta"), torch.empty(6, 40, device="meta"), "2 * x_ptr"),
}


@pytest.mark.parametrize("name", HELD)
def test_layouts_are_proved_as_the_bare_kernel(name):
    x, out, formula = HELD[name]
    result = rows(x, out).lift()
    assert (result.verdict, result.safety, result.formula) == ("proved", "proved", formula), result


def test_in_place_is_one_tensor():
    x = empty(6, 40)
    made = rows(x, x)
    assert arguments(made)["arg0"] == arguments(made)["arg1"] == "x_ptr"
    assert made.lift().is_proved


def test_views_that_share_elements_are_one_tensor_and_never_proved_as_two():
    wide, square = empty(6, 96), empty(9, 40)
    made = rows(wide[:, :40], wide[:, 20:60])
    assert made.operation["tensors"] == {"x_ptr": {"dtype": "f32", "shape": [540], "strides": [1]}}
    assert arguments(made)["arg1"] == {"tensor": "x_ptr", "offset": 20}
    assert made.lift().safety != "proved"
    assert rows(square[:6], square[3:]).lift().safety != "proved"
    assert rows(square, square.view(40, 9).T).lift().safety != "proved"


def test_a_view_inside_a_tensor_is_a_place_in_it():
    x = empty(6, 40)
    made = launched(layouts.flag_kernel, (1,), x, empty(240), x[2, 3], 240, False, 1.5, BLOCK=256)
    assert made.operation["tensors"]["x_ptr"]["shape"] == [6, 40]
    assert arguments(made)["arg2"] == {"tensor": "x_ptr", "offset": 83}


def test_memory_of_two_element_types_is_refused():
    x = torch.empty(64, dtype=torch.float32)
    with pytest.raises(assay.TritonError, match="two element types"):
        launched(layouts.unspecialised_kernel, (1,), x, x.view(torch.int32), 64, BLOCK=64).lift()
    # halves of one storage share no byte
    made = launched(layouts.unspecialised_kernel, (1,), x[:32], x.view(torch.int32)[32:], 32, BLOCK=64)
    assert len(made.operation["tensors"]) == 2


@pytest.mark.parametrize("seed", range(60))
def test_shared_elements_are_found_exactly(seed):
    """Against the places themselves."""
    import random

    from assay._memory import share
    from assay._triton import Tensor

    choose = random.Random(seed)

    def view():
        axes = choose.randint(1, 3)
        return Tensor(
            "fp32",
            tuple(choose.randint(1, 4) for _ in range(axes)),
            tuple(choose.choice([-6, -1, 0, 1, 2, 3, 4, 5, 8, 12]) for _ in range(axes)),
            "s",
            choose.randint(30, 60),
        )

    def places(v):
        found = {v.offset}
        for size, stride in zip(v.shape, v.strides):
            found = {place + i * stride for place in found for i in range(size)}
        return found

    for _ in range(20):
        one, other = view(), view()
        assert share(one, other) == bool(places(one) & places(other)), (one, other)


def test_empty_tensors():
    made = launched(layouts.rows_kernel, (0,), empty(0, 40), empty(0, 40), 40, 1, 40, 1, 40, BLOCK=64)
    assert len(made) == 0  # Triton launches nothing
    made = rows(empty(6, 0), empty(6, 0))
    assert len(made.operation["tensors"]) == 2
    result = made.lift()  # the claim is of n_cols >= 1, which this launch does not meet
    assert result.verdict == "unknown" and ">= 1" in result.reason.text  # names in the text are since Triton 3.5


@pytest.mark.skipif(VERSION < (3, 3), reason="Triton has tuples since 3.3")
def test_tuples():
    made = launched(layouts.tuple_kernel, (3,), (empty(300), empty(300), empty(300)), (1, 2.5), 300, BLOCK=128)
    assert list(arguments(made).values()) == ["pointers_0", "pointers_1", "pointers_2", 2.5, 300]
    scales = ["scales", "scales.1"] if VERSION >= (3, 5) else ["arg3"]
    assert made.lift().formula in [f"{scale} * pointers_0 + pointers_2" for scale in scales]
    made = launched(layouts.tuple_kernel, (3,), (empty(300), empty(300), None), (1, 1), 300, BLOCK=128)
    assert list(arguments(made).values()) == ["pointers_0", "pointers_1", 300]
    assert made.lift().is_proved


def test_descriptors_are_their_tensor_and_its_fields():
    descriptors = pytest.importorskip("triton.tools.tensor_descriptor")
    x, out = empty(64, 32), empty(64, 32)
    made = launched(
        layouts.descriptor_kernel,
        (4,),
        *(descriptors.TensorDescriptor.from_tensor(t, [16, 32]) for t in (x, out)),
        2.0,
        ROWS=16,
    )
    given = list(arguments(made).values())
    assert given[:5] == ["source", 64, 32, 32, 1] and given[-1] == 2.0 and given.count("target") == 1
    result = made.lift()
    assert result.verdict == "proved" and ("source[i, j]" in result.formula or VERSION < (3, 5)), result


def test_flags_floats_and_tensors_without_axes():
    made = launched(
        layouts.flag_kernel, (3,), empty(300), empty(300), torch.tensor(2.0), 300, True, float("inf"), BLOCK=128
    )
    assert made.operation["tensors"]["factor_ptr"] == {"dtype": "f32", "shape": [1], "strides": [1]}
    assert arguments(made)["arg4"] is True and "arg5" not in arguments(made)  # an infinity stays a symbol
    assert made.lift().is_proved
    numpy = pytest.importorskip("numpy")
    made = launched(
        layouts.flag_kernel, (3,), empty(300), empty(300), torch.tensor(2.0), 300, False, numpy.float32(1.5), BLOCK=128
    )
    assert arguments(made)["arg5"] == 1.5


def test_annotated_and_unspecialised_arguments_keep_a_1():
    made = launched(layouts.annotated_kernel, (1,), empty(1), empty(1), 1, 2.0, BLOCK=128)
    assert arguments(made) == {"arg0": "x_ptr", "arg1": "out_ptr", "arg2": 1, "arg3": 2.0} and ": i64" in made.ttir[0]
    made = launched(layouts.unspecialised_kernel, (1,), empty(1), empty(1), 1, BLOCK=128)
    assert arguments(made)["arg2"] == 1 and 'tt.divisibility = 16 : i32} loc("n' not in made.ttir[0]


def test_specialisations_of_one_kernel_are_compiled_apart_and_each_once():
    with assay.capture() as launches:
        for n in (300, 304, 608, 1):
            layouts.unspecialised_kernel[(1,)](empty(n), empty(n), n, BLOCK=1024)
            layouts.annotated_kernel[(1,)](empty(n), empty(n), n, 2.0, BLOCK=1024)
    texts = launches.ttir[1::2]
    assert texts[1] == texts[2] != texts[0] and len(set(launches.ttir[::2])) == 1
    assert [launch.names for launch in launches][:2] == [["unspecialised_kernel"], ["annotated_kernel"]]
    assert launches[2].operation["launches"][0]["args"]["arg2"] == 304


def test_views_of_one_storage_in_two_launches_are_one_tensor():
    x, middle, out = empty(6, 40), empty(6, 40), empty(240)
    with assay.capture() as launches:
        layouts.unspecialised_kernel[(1,)](x.view(-1), middle.view(-1), 240, BLOCK=256)
        layouts.unspecialised_kernel[(1,)](middle, out, 240, BLOCK=256)
    first, second = (launch["args"] for launch in launches.operation["launches"])
    assert first["arg1"] == second["arg0"]
    assert any("2 + x_ptr" in str(output.get("formula")) for output in launches.lift().outputs)


def values(*shape):
    return torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape)


@pytest.mark.parametrize("shape", [(2, 3, 40), (6, 40), (3, 1, 2, 40), (1, 6, 40)])
def test_a_module_takes_and_gives_the_arrays_of_the_launch(shape):
    x = values(*shape)
    module = (
        launched(layouts.rows_kernel, (6,), x, torch.empty_like(x), 40, 1, 40, 1, 40, BLOCK=64)
        .lift(emit=["numpy"])
        .module()
    )
    assert (module(x_ptr=x.numpy())["out_ptr"] == 2 * x.numpy()).all()
    rows = values(4, 40).numpy()  # the formula's own shape, and another size
    assert (module(x_ptr=rows)["out_ptr"] == 2 * rows).all()
    other = values(4, *shape[1:]).numpy()
    assert module(x_ptr=other)["out_ptr"].shape == other.shape
    with pytest.raises(ValueError):
        module(x_ptr=values(40).numpy())


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
@pytest.mark.parametrize("transposed", ["x", "out", "both"])
def test_a_module_has_the_axes_of_a_launch_that_is_transposed(framework, transposed):
    x = values(8, 8).T if transposed != "out" else values(8, 8)
    out = torch.zeros(8, 8).T if transposed != "x" else torch.zeros(8, 8)
    made = rows(x, out)
    module = made.lift(emit=[framework]).module(framework)
    given = x if framework == "pytorch" else x.numpy()
    assert (torch.as_tensor(module(x_ptr=given)["out_ptr"]) == 2 * x).all()
    assert made.check(doubled).verdict == "proved"
    assert made.check(doubled_and_transposed).verdict == "refuted"


@pytest.mark.parametrize(
    "x",
    [
        values(6, 1, 40),
        values(6, 1).unsqueeze(2).expand(6, 1, 40),
        values(40, 6, 1).permute(1, 2, 0),
        values(6, 3, 96)[:, 1:2, :80:2],
    ],
    ids=["dense", "expanded", "permuted", "strided"],
)
def test_axes_of_one_element_are_left_out(x):
    made = launched(layouts.planes_kernel, (6,), x, empty(6, 40), x.stride(0), x.stride(2), 40, BLOCK=64)
    module = made.lift(emit=["numpy"]).module()
    assert (module(x_ptr=x.numpy())["out_ptr"].reshape(6, 40) == 2 * x.reshape(6, 40).numpy()).all()
    other = values(4, 1, 24)
    assert (module(x_ptr=other.numpy())["out_ptr"].reshape(4, 24) == 2 * other.reshape(4, 24).numpy()).all()
    with pytest.raises(ValueError):
        module(x_ptr=x.numpy().reshape(6, 1, 5, 8))


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_a_module_takes_and_gives_arrays_without_axes(framework):
    x, factor = torch.tensor(3.0), torch.tensor(2.0)
    module = (
        launched(layouts.flag_kernel, (1,), x, torch.empty_like(x), factor, 1, False, 1.0, BLOCK=16)
        .lift(emit=[framework])
        .module(framework)
    )
    convert = (lambda t: t) if framework == "pytorch" else (lambda t: t.numpy())
    numbers = {argument("negate", 3): 0, argument("shift", 4): 1.0}
    assert float(module(x_ptr=convert(x), factor_ptr=convert(factor), **numbers)["out_ptr"]) == 7
    assert module(x_ptr=convert(x), factor_ptr=convert(factor), **numbers)["out_ptr"].ndim == 0
    one = module(x_ptr=convert(x.reshape(1)), factor_ptr=convert(factor.reshape(1)), **numbers)["out_ptr"]
    assert one.shape == (1,) and float(one[0]) == 7
    with pytest.raises(ValueError):
        module(x_ptr=convert(x.reshape(1, 1)), factor_ptr=convert(factor), **numbers)


def doubled(x_ptr):
    return 2 * x_ptr


def doubled_and_transposed(x_ptr):
    return (2 * x_ptr).T


def test_rows_that_are_read_in_part_are_cut():
    x, out = values(2, 3, 48), torch.empty(6, 32)
    module = (
        launched(layouts.first_half_kernel, (6,), x, out, 48, WIDTH=32)
        .lift(emit=["numpy", "pytorch"])
        .module("pytorch")
    )
    assert torch.equal(module(x_ptr=x)["out_ptr"].reshape(6, 32), 2 * x.reshape(6, 48)[:, :32])


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_a_module_takes_columns_and_rows_of_arrays_that_hold_more(framework):
    convert = (lambda t: t) if framework == "pytorch" else (lambda t: t.numpy())
    x = values(6, 40, 3)  # of which x[:, :, 0] is read
    made = launched(layouts.rows_kernel, (6,), x, empty(6, 40), 120, 3, 40, 1, 40, BLOCK=64)
    module = made.lift(emit=[framework]).module(framework)
    assert torch.equal(torch.as_tensor(module(x_ptr=convert(x))["out_ptr"]).float(), 2 * x[:, :, 0])
    x = values(9, 40)  # of which 6 rows are read: its length is not how many there are
    made = launched(layouts.rows_kernel, (6,), x, empty(6, 40), 40, 1, 40, 1, 40, BLOCK=64)
    module = made.lift(emit=[framework]).module(framework)
    assert torch.equal(torch.as_tensor(module(x_ptr=convert(x), grid_x=6)["out_ptr"]).float(), 2 * x[:6])
    with pytest.raises(ValueError):
        module(x_ptr=convert(x[:5]), grid_x=6)


def tiles(x, out, swapped=False, shape=None):
    s0, s1, s2 = shape or x.shape
    grid = triton.cdiv(s0, 2) * triton.cdiv(s1, 4) * triton.cdiv(s2, 8)
    return launched(
        layouts.tiles_kernel, (grid,), x, out, *x.stride(), *out.stride(), s0, s1, s2, swapped, T0=2, T1=4, T2=8
    )


def test_tiles_of_three_axes_are_programs_of_the_launch():
    result = tiles(empty(5, 9, 40), empty(5, 9, 40)).lift()
    assert (result.verdict, result.safety, result.formula) == ("proved", "proved", "2 * x_ptr"), result
    assert (
        tiles(empty(5, 9, 40), empty(5, 9, 40), swapped=True).lift().safety == "refuted"
    )  # the last columns are not written


def test_in_place_the_strides_of_one_tensor_are_one_axis_by_axis():
    x = empty(5, 9, 40)
    result = tiles(x, x).lift()
    assert (result.verdict, result.safety, result.formula) == ("proved", "proved", "2 * x_ptr"), result
    related = [a.text for a in result.assumptions if a.kind == "launch"]
    assert f"{argument('out0', 4)} = {argument('x0', 2)}" in related, related
    # the same memory as another tensor: no axis of one is one of the other
    square = empty(6, 6, 6)
    crossed = launched(
        layouts.tiles_kernel,
        (12,),
        square,
        square,
        *square.stride(),
        *square.stride()[::-1],
        6,
        6,
        6,
        False,
        T0=2,
        T1=4,
        T2=8,
    )
    assert not crossed.lift().is_proved


def test_rows_under_an_early_return_are_one_axis():
    x = empty(2, 70, 3, 32)
    made = launched(layouts.rows_of_heads_kernel, (5, 6), x, torch.empty_like(x), 70, H=3, D=32, BLOCK=16, SHORT=0)
    result = made.lift()
    assert (result.verdict, result.safety) == ("proved", "proved"), result
    made = launched(layouts.rows_of_heads_kernel, (5, 6), x, torch.empty_like(x), 70, H=3, D=32, BLOCK=16, SHORT=1)
    assert not made.lift().is_proved  # the last row is not written


def test_more_programs_than_cover_the_output_are_idle():
    x = empty(2, 70, 3, 32)

    def heads(grid, short=0):
        return launched(
            layouts.rows_of_heads_kernel, grid, x, torch.empty_like(x), 70, H=3, D=32, BLOCK=16, SHORT=short
        ).lift()

    result = heads((8, 6))
    assert (result.verdict, result.safety) == ("proved", "proved"), result
    assert any("<= grid_x" in a.text for a in result.assumptions), result.assumptions
    assert not heads((4, 6)).is_proved  # the last rows are not written
    assert heads((8, 6), short=-16).verdict != "proved"  # the sixth program stores beyond the last row


def test_idle_programs_that_load_are_held_against_the_tensors():
    def scaled(grid, scales):
        return launched(layouts.late_return_kernel, (grid,), empty(70), empty(scales), empty(70), 70, BLOCK=16).lift()

    result = scaled(5, 5)
    assert (result.verdict, result.safety) == ("proved", "proved"), result
    result = scaled(8, 8)
    assert (result.verdict, result.safety) == ("proved", "unknown"), result
    assert any("the launch that was given" in (o.detail or "") for o in result.obligations), result.obligations
    result = scaled(8, 5)
    assert (result.verdict, result.safety) == ("proved", "refuted"), result


def test_tiles_of_rows_and_columns_of_one_program_id():
    x = empty(2, 70, 2, 32)
    made = launched(layouts.tiles_of_heads_kernel, (4, 4), x, torch.empty_like(x), 70, H=2, D=32, BLOCK=64, PART=16)
    result = made.lift()
    assert (result.verdict, result.safety) == ("proved", "proved"), result
    made = launched(layouts.tiles_of_heads_kernel, (3, 4), x, torch.empty_like(x), 70, H=2, D=32, BLOCK=64, PART=16)
    assert not made.lift().is_proved  # the last tile is not written


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_arrays_of_as_many_axes_and_other_lengths_are_told_by_their_shape(framework):
    x = torch.rand(5, 5, 5)
    made = launched(layouts.middle_kernel, (1, 25), x, empty(1, 5, 5), 5, 25, BLOCK=8)
    module = made.lift(emit=[framework]).module(framework)
    convert = (lambda t: t) if framework == "pytorch" else (lambda t: t.numpy())
    got = torch.as_tensor(module(x_ptr=convert(x))["out_ptr"]).reshape(25).float()
    assert torch.allclose(got, x.reshape(5, 25).sum(0))
    other = torch.rand(3, 5, 7)  # of the formula's own shape
    assert torch.allclose(torch.as_tensor(module(x_ptr=convert(other))["out_ptr"]).float(), other.sum(1))


def test_random_launches_with_rows_too_short_for_their_stores_say_nothing():
    x = empty(2, 64, 64)
    made = launched(layouts.flat_chunks_kernel, (2, 1), x, torch.empty_like(x), 4096, 64, 64, 64, 64, BLOCK=512)
    result = made.lift()
    assert result.verdict == "proved", result


def less_sums(shape, grid, forgets=False):
    return launched(
        layouts.less_sums_kernel, grid, empty(*shape), empty(*shape), *shape, FORGETS=forgets, BLOCK=8, TILE=16
    )


def test_one_program_along_an_axis_is_assumed_where_an_argument_was_one():
    result = less_sums((20, 30, 1), (3, 1)).lift()
    assert (result.verdict, result.formula) == ("proved", "x_ptr - sum(x_ptr, axis=1)"), result
    assert [a.text for a in result.assumptions if a.kind == "launch"] == ["grid_y = 1"]
    assert less_sums((5, 30, 1), (1, 1)).lift().verdict == "proved"  # along x there may be more all the same
    assert not any(a.kind == "launch" for a in less_sums((20, 30, 7), (3, 7)).lift().assumptions)


def test_one_program_along_an_axis_excuses_nothing_else():
    assert less_sums((20, 30, 1), (3, 2)).lift().verdict != "proved"  # both programs along y store the same rows
    assert less_sums((20, 30, 1), (3, 1), forgets=True).lift().verdict != "proved"
    assert less_sums((5, 30, 1), (1, 1), forgets=True).lift().verdict != "proved"  # a single program would be right


def null(asks):
    x = empty(100)
    return launched(layouts.null_kernel, (2,), x, empty(100), empty(100), 100, ASKS=asks, BLOCK=64).lift()


def test_a_tensor_is_not_null():
    result = null("present")
    assert (result.verdict, result.formula) == ("proved", "x_ptr + w_ptr"), result
    assert "w_ptr is not null" in [a.text for a in result.assumptions]
    assert (null("absent").verdict, null("absent").formula) == ("proved", "x_ptr")
    assert null("odd").verdict == "unknown"  # of an address nothing else is known


def flat_cut(rows, cols, n):
    x, out = empty(rows, cols), empty(rows, cols)
    return launched(layouts.flat_cut_kernel, (4,), x, out, rows, cols, *[cols] * 2, n, BLOCK=64).lift()


def test_a_flat_index_ends_at_the_product_of_the_sizes_that_cut_it():
    result = flat_cut(10, 23, 230)
    assert result.verdict == "proved" and result.formula.startswith("2 * x_ptr"), result
    assert any(re.fullmatch(r"\w+ == \w+\*\w+", a.text) for a in result.assumptions if a.kind == "launch"), result
    assert flat_cut(10, 23, 240).verdict != "proved"  # the first row is written twice


def shifted(start):
    memory = empty(200)
    return launched(layouts.shifted_kernel, (2,), empty(100), memory[50:], start, 100, BLOCK=64).lift()


def test_an_argument_that_places_go_by_is_not_negative_where_the_launch_says_so():
    result = shifted(7)
    said = [a.text for a in result.assumptions if a.kind == "launch"]
    assert result.verdict == "proved" and f"{argument('start', 2)} >= 0" in said
    assert shifted(-7).verdict != "proved"


def test_a_sign_that_is_not_needed_is_not_taken_from_the_launch():
    args = (empty(200), empty(200)[50:], 7, 3, 100)
    result = launched(layouts.skipped_kernel, (2,), *args, BLOCK=64).lift()
    signs = [a.text for a in result.assumptions if a.kind == "launch" and a.text.endswith(">= 0")]
    # Triton 3.1 writes no names of arguments.
    assert result.verdict == "proved" and signs in (["start >= 0"], ["arg2 >= 0"]), result


def test_what_is_read_at_the_only_place_of_a_mask_is_what_the_mask_speaks_of():
    def picked(stores_all):
        index = torch.empty(1, dtype=torch.int64)
        args = (empty(50), index, empty(1), 50)
        return launched(layouts.picked_kernel, (1,), *args, ALL=stores_all, BLOCK=16).lift()

    assert picked(False).verdict == "proved", picked(False)
    assert picked(True).safety != "proved"  # nothing is loaded where the index is out of range


def test_partial_results_have_the_axes_of_the_launch():
    """One partial sum a program of a grid of two axes, of which the second has as many as the tensor has columns."""
    x = empty(140, 2)
    made = launched(layouts.partial_kernel, (5, 2), x, empty(140, 2), empty(5, 2), 140, COLS=2, BLOCK=32)
    result = made.lift()
    assert (result.verdict, result.safety) == ("proved", "proved"), result
    assert [len(output["shape"]) for output in result.outputs] == [2, 2]
    many = launched(layouts.partial_kernel, (5, 3), x, empty(140, 2), empty(5, 2), 140, COLS=2, BLOCK=32).lift()
    assert many.safety != "proved", many


@pytest.mark.parametrize("shift, verdict", [(0, "proved"), (1, "refuted")])
def test_an_index_from_memory_in_the_middle_of_three_axes(shift, verdict):
    x, index = empty(3, 7, 40), torch.zeros(3, 40, dtype=torch.int64)
    made = launched(layouts.gather_kernel, (3, 1), x, index, empty(3, 40), 7, 40, SHIFT=shift, BLOCK=64)
    formula = assay.Formula("out_ptr = take_along_axis(x_ptr, expand(index_ptr, 1), axis=1)")
    assert made.check(formula).verdict == verdict
    assert made.lift().safety != "proved"  # nothing says that the indices are in range


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_a_module_takes_an_array_whose_axes_are_counted_by_an_argument(framework):
    """The launch has sequences and their chunks on one axis; the form has the chunks and heads on one, computed of n."""
    convert = (lambda t: t) if framework == "pytorch" else (lambda t: t.numpy())
    x = torch.rand(2 * 3, 3, 20)
    made = launched(layouts.chunk_states_kernel, (6,), x, empty(6, 3, 20), 70, H=3, D=20, CHUNK=32, BLOCK=32)
    result = made.lift(emit=[framework])
    assert result.verdict == "proved", result
    module = result.module(framework)
    for sequences, n, chunks in ((2, 70, 3), (4, 70, 3), (3, 200, 7)):
        x = torch.rand(sequences * chunks, 3, 20)
        got = torch.as_tensor(module(x_ptr=convert(x), **{argument("n", 2): n})["out_ptr"]).float()
        wanted = x.reshape(sequences, chunks, 3, 20).cumsum(1)[:, :-1]
        assert torch.allclose(got.reshape(sequences, chunks, 3, 20)[:, 1:], wanted)


@pytest.mark.parametrize("framework", ["numpy", "pytorch"])
def test_of_an_axis_that_is_longer_than_what_is_read_that_alone_is_taken(framework):
    convert = (lambda t: t) if framework == "pytorch" else (lambda t: t.numpy())
    x = torch.rand(3, 10)
    made = launched(layouts.all_but_the_last_kernel, (3,), x, empty(3), 70, 10, CHUNK=16)
    module = made.lift(emit=[framework]).module(framework)
    for length in (4, 10):
        got = torch.as_tensor(module(x_ptr=convert(x[:, :length]), **{argument("n", 2): 70})["out_ptr"]).float()
        assert torch.allclose(got, x[:, :4].sum(1))


def test_programs_are_as_many_as_reach_the_next_row():
    """The rows of a batch are cdiv(n, CHUNK) apart, and the launch has twice as many programs."""

    def pooled(programs):
        args = (empty(2, 35, 3, 20), empty(2, 3, 3, 20), 35)
        return launched(layouts.chunk_means_kernel, (programs, 6), *args, H=3, D=20, CHUNK=16, BLOCK=16).lift()

    result = pooled(6)
    grids = [a.text for a in result.assumptions if a.kind == "grid"]
    assert result.verdict == "proved" and any("15) // 16" in text for text in grids), result
    # With 8 the last chunk of one batch and the first of the next are one place.
    assert pooled(8).verdict != "proved" and pooled(4).safety != "proved"


def test_the_last_program_of_a_row_is_one():
    """`if chunk < chunks - 1: .. else: ..`: one program of each batch stores the last sum."""

    def summed(programs):
        args = (empty(2, 35, 32), empty(2, 3, 32), empty(2, 32), 35)
        return launched(layouts.states_before_kernel, (programs, 2), *args, D=32, CHUNK=16).lift()

    assert summed(3).verdict == summed(3).safety == "proved", summed(3)
    assert summed(4).safety != "proved" and summed(2).safety != "proved"


def test_numbers_of_another_axis_tell_nothing_of_a_row():
    """As many programs along y as there are chunks: the rows are made of programs along x, whatever y has."""
    args = (empty(3, 35, 3, 20), empty(3, 3, 3, 20), 35)
    result = launched(layouts.chunk_means_kernel, (6, 9), *args, H=3, D=20, CHUNK=16, BLOCK=16).lift()
    grids = [a.text for a in result.assumptions if a.kind == "grid"]
    assert result.verdict == "proved" and not any("grid_y" in text and "// 16" in text for text in grids), result


def test_a_masked_quotient_of_a_lane_ends_the_axis():
    args = (empty(2, 35, 20), empty(35, 10), empty(2, 35, 20), 35)
    result = launched(layouts.interleaved_kernel, (3, 2), *args, D=20, BT=16, BD=32).lift()
    assert result.verdict == "proved" and result.safety == "proved", result


def test_several_outputs_that_are_cut_into_rows_are_proved():
    args = (empty(6, 40), empty(6, 48)[:, :40], empty(6, 48)[:, :40], 48, 240)
    result = launched(layouts.two_flat_kernel, (1,), *args, D=40, B=512).lift()
    assert result.verdict == "proved", result


def from_behind(rows, programs):
    args = (empty(2, rows, 32), empty(2, rows, 32), rows)
    return launched(layouts.from_behind_kernel, (programs, 2), *args, D=32, BT=16).lift()


def test_rows_end_where_the_loop_has_no_iterations():
    result = from_behind(12, 1)
    assert result.verdict == "proved", result


@pytest.mark.xfail(reason="chunks that a loop ends are axes of their own, whose last one is shorter", strict=True)
def test_chunks_that_a_loop_ends_are_one_axis():
    assert from_behind(35, 3).verdict == "proved"


def test_a_kernel_that_asks_for_the_last_program_of_a_row_has_as_many():
    args = (empty(2, 35, 40), empty(2, 35, 40), 35)
    result = launched(layouts.differences_kernel, (2, 35), *args, D=40, BD=64).lift()
    assert result.verdict == result.safety == "proved", result
    assert launched(layouts.differences_kernel, (2, 36), *args, D=40, BD=64).lift().safety != "proved"


def test_a_reason_of_a_comparison_says_names_plainly():
    launches = launched(layouts.softcap_kernel, (2,), empty(50), empty(50), 50, 30.0, B=32)
    result = launches.check(layouts.softcap)
    assert result.verdict in ("probable", "proved") and "\x01" not in str(result), repr(str(result))


def test_a_reference_may_divide_by_what_the_kernel_divides_by():
    launches = launched(layouts.softcap_kernel, (2,), empty(50), empty(50), 50, 30.0, B=32)
    assert launches.check(layouts.softcap).verdict == "proved"


def test_a_view_that_is_not_the_launch_s_is_no_difference():
    """The formula is over another view: nothing is claimed, but what both sides compute in launches counts."""
    launches = launched(layouts.every_other_kernel, (13,), empty(13, 74)[:, ::2], empty(13, 37), 74, 37, 37, B=64)
    right, wrong = launches.check(layouts.of_its_sum), launches.check(layouts.of_its_sum_forward)
    assert (right.verdict, right.reason["code"]) == ("unknown", "views")
    assert "both sides agree in 24 small launches" in right.reason["text"]
    assert (wrong.verdict, wrong.reason["text"]) == ("refuted", "y: the values differ where both sides are run")


@pytest.mark.parametrize("x, y", [(empty(13, 74)[:, ::2], empty(13, 37)), (empty(13, 37), empty(13, 74)[:, ::2])])
def test_a_step_that_the_kernel_forgets_is_not_proved(x, y):
    launches = launched(layouts.every_column_kernel, (13,), x, y, x.stride(0), y.stride(0), 37, B=64)
    result = launches.check(layouts.of_its_sum_forward)
    assert (result.verdict, result.reason["code"], result.safety) == ("unknown", "views", "refuted")


def test_a_reference_fits_the_tensors_of_the_launch_and_not_what_is_read_beyond():
    launches = launched(layouts.beyond_rows_kernel, (5,), empty(5, 300), empty(300), empty(5, 300), 300, 300, B=256)
    result = launches.check(layouts.centered)
    assert (result.verdict, result.reason["code"], result.safety) == ("unknown", "views", "refuted")
    with pytest.raises(assay.InputError, match="no_such_function"):
        launches.check(layouts.centered_by_nothing)


@pytest.mark.parametrize("left_out, verdict", [(0, "proved"), (1, "refuted")])
def test_programs_of_a_launch_reach_the_end_of_what_they_sum_up(left_out, verdict):
    """How many programs there are is a number here: the host has it from the length, and gives it to the second kernel."""
    x, y = torch.empty(30), torch.empty(1)
    with assay.capture() as launches:
        layouts.sum_in_two_steps(x, y, 8, left_out)
    result = launches.check(layouts.total, only=["y"])
    assert result.verdict == verdict, result
    texts = [a["text"] for a in result.assumptions]  # before Triton 3.3 an argument is named by its place
    assert left_out or {"n <= 8*grid_x", "arg2 <= 8*grid_x"} & {*texts}, texts


@pytest.mark.parametrize(
    "shape, right, wrong",
    [
        ((42,), "first last all", ""),
        ((6, 7), "all", "first last"),
        ((6, 1), "all first", "last"),
        ((1, 6), "all last", "first"),
        ((2, 3, 7), "all", "first last all_but_first"),
    ],
)
def test_a_reference_has_the_axes_of_the_launch_and_not_those_of_the_memory(shape, right, wrong):
    x = empty(*shape)
    launches = launched(layouts.softmax_of_memory_kernel, (1,), x, empty(*shape), x.numel(), BLOCK=64)
    for name in right.split():
        assert launches.check(getattr(layouts, f"softmax_of_{name}")).verdict == "proved", name
    for name in wrong.split():
        assert launches.check(getattr(layouts, f"softmax_of_{name}")).verdict == "refuted", name


@pytest.mark.parametrize(
    "width, right, wrong", [(7, "last", "first all all_but_first"), (35, "all_but_first", "first last all")]
)
def test_rows_of_a_launch_with_more_axes_are_not_taken_for_axes_of_a_reference(width, right, wrong):
    x, rows = empty(3, 5, 7), 105 // width
    launches = launched(layouts.softmax_of_rows_kernel, (rows,), x, empty(3, 5, 7), width, width, width, BLOCK=64)
    assert launches.check(getattr(layouts, f"softmax_of_{right}")).verdict != "refuted"
    for name in wrong.split():
        assert launches.check(getattr(layouts, f"softmax_of_{name}")).verdict == "refuted", name


def softmax_of_rows(x, out):
    rows = x.numel() // x.shape[-1]
    args = (x, out, x.stride(-2), out.stride(-2), x.shape[-1])
    return launched(layouts.softmax_of_rows_kernel, (rows,), *args, BLOCK=64)


@pytest.mark.parametrize("shape", [(3, 5, 7), (1, 1, 7), (1, 5, 7), (5, 1, 7), (3, 1, 7), (7, 7, 7), (2, 3, 4, 7)])
def test_rows_of_a_launch_with_more_axes_are_proved(shape):
    launches = softmax_of_rows(empty(*shape), empty(*shape))
    assert launches.check(layouts.softmax_of_last).verdict == "proved"
    assert launches.check(layouts.softmax_of_first).verdict == "refuted"


def test_rows_with_a_gap_behind_each_are_rows_of_more_axes():
    padded = softmax_of_rows(empty(3, 5, 9)[:, :, :7], empty(3, 5, 8)[:, :, :7])
    assert padded.check(layouts.softmax_of_last).verdict == "proved"
    # With a gap behind five rows the sixth is none of the tensor.
    for cut in (
        softmax_of_rows(empty(3, 6, 7)[:, :5], empty(3, 5, 7)),
        softmax_of_rows(empty(3, 5, 7), empty(3, 6, 7)[:, :5]),
        softmax_of_rows(empty(5, 3, 7).transpose(0, 1), empty(3, 5, 7)),
    ):
        assert cut.check(layouts.softmax_of_last).verdict not in ("proved", "refuted")


def test_heads_are_axes_of_what_is_written():
    """16*H columns of y are H heads; each of the programs along y stores one."""
    x, y = empty(2, 3, 35, 16), empty(2, 35, 3, 16)
    launches = launched(layouts.heads_last_kernel, (3, 3, 2), x, y, *x.stride(), 3, 35, D=16, BS=16)
    assert launches.check(layouts.heads_last).verdict == "proved"
    assert launches.check(layouts.heads_first).verdict == "refuted"


@pytest.mark.parametrize("heads", [1, 2])
def test_positions_of_a_table_are_those_of_flat_rows(heads):
    """Rows of [B, S] are one axis of the kernel, which takes them modulo the length S of the table."""
    x, table, y = empty(2, 7, heads, 16), empty(7, 16), empty(2, 7, heads, 16)
    strides = (x.stride(1), table.stride(0), y.stride(1))
    launches = launched(layouts.times_table_kernel, (14,), x, table, y, *strides, 7, H=heads, D=16, HB=2)
    assert launches.check(layouts.times_table).verdict == "proved"
    assert launches.check(layouts.times_table_from_behind).verdict == "refuted"


@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 4)])
def test_lengths_that_the_launch_has_not_are_not_assumed_to_be_one(shape):
    x, y = empty(*shape), empty(*shape)
    launches = launched(layouts.copy_flat_kernel, (2,), x, y, x.numel(), B=16)
    assert launches.check(layouts.as_it_is).verdict == "proved"
    for wrong in (layouts.first_rows, layouts.first_columns, layouts.sums_of_columns):
        assert launches.check(wrong).verdict == "refuted", wrong


@pytest.mark.parametrize("place, verdict", [(1, "proved"), (0, "refuted")])
def test_a_tensor_that_is_loaded_in_vain_is_one_of_the_reference_all_the_same(place, verdict):
    launches = launched(
        layouts.side_by_side_kernel, (4,), empty(100), empty(100), empty(100, 2), 100, PLACE=place, B=32
    )
    assert launches.check(layouts.side_by_side).verdict == verdict


def test_rows_whose_length_is_a_number_are_axes_of_a_reference():
    """16*grid_x elements of [5, 16] are grid_x rows of 16, in other launches too."""
    launches = launched(layouts.rows_of_numbers_kernel, (5,), empty(5, 16), empty(5, 16), D=16)
    assert launches.check(layouts.of_its_sum_forward).verdict == "proved"
    for wrong in (layouts.of_its_sum, layouts.softmax_of_last, layouts.first_rows):
        assert launches.check(wrong).verdict == "refuted", wrong


def test_one_tensor_given_twice_is_both_inputs_of_a_reference():
    x = empty(20, 100)
    launches = launched(layouts.sum_of_tiles_kernel, (3, 4), x, x, empty(20, 100), 20, 100, 100, 100, 100, BM=8, BN=32)
    result = launches.lift()
    assert (result.verdict, result.safety, result.formula) == ("proved", "proved", "2 * x"), result
    if VERSION < (3, 5):
        return
    assert launches.check(layouts.sum_of_both).verdict == "proved"
    assert launches.check(layouts.difference_of_both).verdict == "refuted"


def test_what_a_kernel_only_writes_is_no_input_of_a_reference():
    """Which of one tensor's names is q is not known: it is not what the kernel overwrites."""
    x = empty(20, 100)
    launches = launched(layouts.sum_of_tiles_kernel, (3, 4), x, x, empty(20, 100), 20, 100, 100, 100, 100, BM=8, BN=32)
    with pytest.raises(assay.UsageError, match="no inputs found for the parameters p, q"):
        launches.check(layouts.sum_of_others)


@pytest.mark.parametrize("batch, channels", [(3, 5), (5, 5)])
def test_rows_of_two_launches_are_one_axis(batch, channels):
    """The axes of x are what both launches have of them, also where two of them are one number."""

    def normalised(other):
        with assay.capture() as launches:
            layouts.less_means(empty(batch, channels, 40), empty(channels), empty(batch, channels, 40), other)
        return launches

    right = normalised(False)
    assert right.lift().verdict == right.lift().safety == "proved"
    assert right.check(layouts.less_mean_of_channels).verdict == "proved"
    wrong = normalised(True).check(layouts.less_mean_of_channels)
    assert wrong.verdict == "refuted" if batch == channels else wrong.verdict not in ("proved", "probable")


def test_a_row_length_of_one_launch_is_the_stride_of_another():
    with assay.capture() as launches:
        layouts.scale_and_sum(empty(20, 50), empty(20), empty(20, 50), empty(50))
    assert launches.lift().verdict == launches.lift().safety == "proved"
    assert launches.check(layouts.scaled_and_summed).verdict == "proved"
    assert launches.check(layouts.scaled_and_averaged).verdict == "refuted"
    # Rows of 60, of which 50 are scaled: the other launch adds what lies behind the first 20*50 elements, too.
    with assay.capture() as launches:
        layouts.scale_and_sum(empty(20, 60)[:, :50], empty(20), empty(20, 60)[:, :50], empty(50))
    assert launches.check(layouts.scaled_and_summed).verdict not in ("proved", "probable")


def test_an_axis_that_is_not_cut_keeps_its_length():
    """Rows of 2*n elements, of which the launch has [2, 3]: half of such a row is n elements."""
    x, y = empty(2, 3, 100), empty(2, 3, 50)
    launches = launched(layouts.gated_halves_kernel, (6,), x, y, x.stride(1), y.stride(1), 50, B=64)
    assert launches.check(layouts.gated_halves).verdict == "proved"
    assert launches.check(layouts.gated_halves_the_other_way).verdict == "refuted"


def windowed(rows, columns, programs):
    tensors = empty(rows, columns), empty(programs, columns)
    return launched(layouts.window_kernel, (programs,), *tensors, columns, 5, columns, columns, B=32)


def test_rows_of_a_window_are_as_many_as_the_programs():
    """Of r - W <= c < N the mask says r < N + W: 29 rows of a tensor of 24."""
    launches = windowed(24, 24, 24)
    assert launches.lift().verdict == launches.lift().safety == "proved"
    assert launches.check(layouts.window).verdict == "proved"
    assert launches.check(layouts.window_without_its_first).verdict == "refuted"


def test_a_claim_of_more_rows_than_the_launch_has_is_not_proved():
    """Rows behind the first 29 are not read, and those of the tensor end there: but the claim is of 40."""
    result = windowed(29, 24, 40).lift()
    assert (result.verdict, result.safety) == ("unknown", "unknown"), result
    assert "x has the places 0..696 in the launch that was given, and what is claimed is of 0..960" in str(result)


@pytest.mark.parametrize("columns", [2, 3, 40])
def test_a_number_of_the_launch_is_a_length_of_a_reference(columns):
    """Rows of 2*D, of which the launch has [2, D]."""
    tensors = empty(7, 2, columns), empty(7, 2), empty(7, columns)
    launches = launched(layouts.mixed_experts_kernel, (7, triton.cdiv(columns, 32)), *tensors, 2, columns, B=32)
    if columns != 2:
        assert launches.check(layouts.mixed_experts).verdict == "proved"
    assert launches.check(layouts.averaged_experts).verdict == "refuted"


@pytest.mark.parametrize("columns", [2, 3, 40])
def test_no_other_sizes_than_those_of_the_launch_refute(columns):
    """No other tensor has D columns. Of [2, 2], nothing tells which one is D: what differs if it is the first is not said
    to differ."""
    launches = launched(layouts.weighted_halves_kernel, (5,), empty(5, 2, columns), empty(5), columns, B=64)
    right = launches.check(layouts.weighted_halves)
    assert right.verdict == ("unknown" if columns == 2 else "proved"), right
    assert columns != 2 or "both sides agree in" in right.reason.text
    assert launches.check(layouts.halves_weighted_the_other_way).verdict == "refuted"
