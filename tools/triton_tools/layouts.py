#!/usr/bin/env python3
"""The kernels of examples/kernels as launches with tensors laid out in every way that people hand over.

    build/venv/bin/python tools/triton_tools/layouts.py [CASE...]   -> build/corpus/layouts/KERNEL.LAYOUT.ttir and .json

The host function of each case is called as it stands, in assay.capture, and its tensors
in one layout at a time; their values are the same. An operation file is made of each launch. Layouts: `plain`;
`permuted`, the first axis of rows innermost in memory; `padded`, rows that are parts of longer ones; `spread`, twice
the distance along every axis; `expanded`, a first axis of stride 0; `single`, a first axis of length 1; `later`, a view
that begins behind the start of its storage. Layouts that the host code refuses, or makes contiguous, are left out.
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from triton_tools import host, liger, paths  # noqa: E402  (with the package on the path)
import assay  # noqa: E402
from triton_tools.case import select  # noqa: E402

OUT = paths.BUILD / "corpus" / "layouts"


def permuted(t):
    return t.movedim(0, -1).contiguous().movedim(-1, 0) if t.dim() > 1 else t


def padded(t):
    import torch

    wide = torch.zeros(*t.shape[:-1], t.shape[-1] + 3, dtype=t.dtype)
    wide[..., : t.shape[-1]] = t
    return wide[..., : t.shape[-1]]


def spread(t):
    import torch

    wide = torch.zeros(*(2 * n for n in t.shape), dtype=t.dtype)
    view = wide[tuple(slice(None, None, 2) for _ in t.shape)]
    view.copy_(t)
    return view


def expanded(t):
    return t[:1].expand(t.shape) if t.dim() > 1 else t


def single(t):
    return t[:1] if t.dim() > 1 else t


def later(t):
    import torch

    store = torch.zeros(t.numel() + 5, dtype=t.dtype)
    view = store[5:].view(t.shape)
    view.copy_(t)
    return view


LAYOUTS = {
    "plain": lambda t: t,
    "permuted": permuted,
    "padded": padded,
    "spread": spread,
    "expanded": expanded,
    "single": single,
    "later": later,
}


def inputs_of(case):
    """As interpret.inputs_of has them, which would put this process into the mode of the interpreter."""
    import numpy

    return case.make_inputs(numpy.random.default_rng([3, *case.name.encode()]), 3)


def lay_out(value, layout):
    import torch

    return layout(value) if isinstance(value, torch.Tensor) and value.dim() else value


def launches_of(case, layout):
    """(launches, whether the host code refused the layout, or what nothing computed)"""
    with assay.capture(host.PROGRAMS) as launches:
        try:
            getattr(case.load(), case.host)(**{k: lay_out(v, layout) for k, v in inputs_of(case).items()})
        except Exception:  # the host code looks at shapes and strides, and at results
            return launches, True
    return launches, False


def main():
    import torch

    OUT.mkdir(parents=True, exist_ok=True)
    cases = select(sys.argv[1:])
    if not sys.argv[1:]:
        for old in OUT.glob("*"):
            old.unlink()
    torch.empty, torch.empty_like = torch.zeros, torch.zeros_like
    refused, seen, count = 0, set(), 0
    for case in cases:
        for name, layout in LAYOUTS.items():
            launches, failed = launches_of(case, layout)
            refused += failed
            numbers = collections.Counter()
            for launch in launches:
                operation, kernel = launch.operation, launch.names[0]
                key = json.dumps([case.name, operation["tensors"], operation["launches"][0]["args"], launch.ttir])
                if key in seen:
                    continue
                seen.add(key)
                numbers[kernel] += 1
                own = kernel if numbers[kernel] == 1 else f"{kernel}.{numbers[kernel]}"
                stem = f"{case.name.replace('/', '.')}.{own}.{name}"
                operation["name"], operation["launches"][0]["file"] = own, f"{stem}.ttir"
                (OUT / f"{stem}.json").write_text(json.dumps(operation, indent=1) + "\n")
                (OUT / f"{stem}.ttir").write_text(host.relative(launch.ttir[0], [liger.INSTALLED, paths.ROOT]))
                count += 1
    print(f"{count} launches of {len(cases)} cases, {refused} refused by host code -> {OUT.relative_to(paths.ROOT)}")


if __name__ == "__main__":
    sys.exit(main())
