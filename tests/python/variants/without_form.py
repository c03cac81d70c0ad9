"""Kernels that have no formula: what is known of them is what they compute where they are run. `same`: not refuted."""

KERNELS = {
    "newton": dict(
        source="""
def kernel(x_ptr, y_ptr, n, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.abs(tl.load(x_ptr + o, mask=o < n, other=1.0)) + 1.0
    y = x
    e = tl.max(tl.abs(y * y - x), 0)
    while e > 1e-12:
        y = 0.5 * (y + x / y)
        e = tl.max(tl.abs(y * y - x), 0)
    tl.store(y_ptr + o, y, mask=o < n)
""",
        types={"x_ptr": "*fp32", "y_ptr": "*fp32", "n": "i32"},
        literals={"B": 16},
        tensors={"x": ("f32", ["n"]), "y": ("f32", ["n"])},
        grid=["cdiv(n,16)"],
        args={},
        reference="""def ref(x):
    return torch.sqrt(torch.abs(x) + 1.0)
""",
        wrong=[("y_ptr + o, y,", "y_ptr + o, y + 1e-3,"), ("y_ptr + o, y,", "y_ptr + o, tl.where(o < 17, y, x),")],
        unsafe=[
            ("y_ptr + o, y, mask=o < n)", "y_ptr + o, y)"),
            ("y_ptr + o, y, mask=o < n)", "y_ptr + o, y, mask=o < n - 1)"),
            ("y_ptr + o, y,", "y_ptr + o // 2, y,"),
        ],
        harmless=[],
        same=[("0.5 * (y + x / y)", "(y + x / y) * 0.5"), ("y = x\n", "y = x * 0.5 + 0.5\n")],
    ),
    # one block covers a row: launches of longer rows are none, whatever the other side computes there
    "one_block": dict(
        source="""
def kernel(x_ptr, y_ptr, N, B: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, B)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    s = tl.sum(x, 0)
    n = 0
    while s > 1.0:
        s = s * 0.5
        n += 1
    tl.store(y_ptr + row, n)
""",
        types={"x_ptr": "*fp32", "y_ptr": "*i32", "N": "i32"},
        literals={"B": 16},
        tensors={"x": ("f32", ["M", "N"]), "y": ("i32", ["M"])},
        grid=["M"],
        args={},
        reference="""def ref(x):
    return torch.ceil(torch.log2(torch.maximum(x.sum(1), 1.0)))
""",
        wrong=[("n += 1", "n += 2"), ("other=0.0", "other=1.0")],
        unsafe=[],
        harmless=[],
        same=[("s * 0.5", "s / 2.0")],
    ),
}
