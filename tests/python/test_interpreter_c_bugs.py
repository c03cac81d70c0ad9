"""The bug zoo in the C interpreter: what its checks find at the sample sizes is the bug, and nothing in the fixed version.

Bounds here are those of the storage: an access into the gap between two rows of a strided view is inside. Bugs of kind value
violate no obligation; they must differ from the fixed version in what they compute. Overflow needs sizes that are too large to
run, and alias a caller that passes one tensor twice: these are left out."""

import json
import subprocess

import numpy as np
import pytest
from interpreter_c import EXECUTABLE, SIZES, as_array
from test_bugs import BUGS, Watch
from triton_tools.bugs import OUT
from triton_tools.compile_once import compiled_bugs

pytestmark = pytest.mark.skipif(not EXECUTABLE.exists(), reason=f"no {EXECUTABLE.name}: it is built with the tests")

# kind of bug -> what the interpreter calls it; an undefined value may also be a NaN or an infinity that is computed
SHOWN_BY = {
    "bounds": {"out_of_bounds"},
    "race": {"race", "duplicate_store"},
    "undefined": {"undefined_store", "undefined_use"},
    "division": {"division"},
    "overflow": {"overflow", "out_of_bounds"},
}
RUN = [name for name, bug in BUGS.items() if bug.kind not in ("overflow", "alias")]


@pytest.fixture(scope="module", autouse=True)
def compiled():
    compiled_bugs()


def launch(bug, which, folder):
    """Runs it as often as the zoo says; (kinds of findings, written elements and contents by tensor)."""
    watch = Watch(bug, which, 0)
    tensors, types = list(watch.tensors), bug.types()
    elements = {name: dims[0] for name, dims in bug.specs[which]["tensors"].items()}
    data = {}
    for name, tensor in watch.tensors.items():
        base = tensor.untyped_storage()
        data[name] = bytes(base.tolist()) if base.nbytes() < 1 << 20 else b""
        assert data[name] or not base.nbytes()
    found, written = set(), {name: 0 for name in tensors}
    for _ in range(bug.specs[which].get("runs", 1)):
        lines = [
            f"kernel {bug.name}_{which}",
            "grid %d %d %d" % (*watch.grid, 1, 1)[:3] if len(watch.grid) < 3 else "grid %d %d %d" % watch.grid,
        ]
        lines += [f"buffer {elements[name]} {len(data[name]) // SIZES[elements[name]]}" for name in tensors]
        for name, value in watch.arguments.items():
            if types[name].startswith("*"):
                owner = bug.arguments(which)[name]
                lines.append(f"address {tensors.index(owner)} 0")
            else:
                lines.append(f"{'real' if types[name].startswith('fp') else 'integer'} {value}")
        (folder / "launch").write_text("\n".join(lines) + "\n")
        (folder / "data").write_bytes(b"".join(data[name] for name in tensors))
        done = subprocess.run(
            [
                str(EXECUTABLE),
                str(OUT / f"{bug.name}_{which}.ttir"),
                *(str(folder / f) for f in ("launch", "data", "out")),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        found |= {finding["kind"] for finding in json.loads(done.stdout)["findings"]}
        out, start = (folder / "out").read_bytes(), 0
        for name in tensors:
            data[name] = out[start : start + len(data[name])]
            start += len(data[name])
        for name in tensors:
            count = len(data[name]) // SIZES[elements[name]]
            written[name] = written[name] | np.frombuffer(out[start : start + count], np.uint8)
            start += count
    values = {name: as_array(data[name], elements[name]) for name in tensors if (written[name] & 1).any()}
    return found, written, values


@pytest.mark.parametrize("name", RUN)
def test_the_bug_shows(name, tmp_path):
    bug = BUGS[name]
    found, written, values = launch(bug, "bug", tmp_path)
    if bug.kind == "coverage":
        assert not values or any(not (written[tensor] & 1).all() for tensor in values)
    elif bug.kind == "value":
        _, _, fixed = launch(bug, "fixed", tmp_path)
        names = bug.module.SPEC.get("compare", {tensor: tensor for tensor in fixed})
        assert any(
            not np.allclose(values[left], fixed[right], rtol=1e-4, atol=1e-4, equal_nan=True)
            for left, right in names.items()
        )
    else:
        broken = bug.kind == "undefined" and any(not np.isfinite(value).all() for value in values.values())
        if bug.kind == "bounds" and any(
            isinstance(dims[-1], dict) for dims in bug.specs["bug"]["tensors"].values()
        ):  # what is read lies between elements
            _, _, fixed = launch(bug, "fixed", tmp_path)
            broken = any(not np.allclose(values[tensor], fixed[tensor], rtol=1e-4, atol=1e-4) for tensor in values)
        assert found & SHOWN_BY[bug.kind] or broken, found


@pytest.mark.parametrize("name", RUN)
def test_the_fixed_version_is_clean(name, tmp_path):
    found, _, values = launch(BUGS[name], "fixed", tmp_path)
    assert found == set()
    assert all(np.isfinite(value).all() for value in values.values())
