"""The whole corpus compiles, with the releases of Triton that each case names."""

import pytest
from conftest import ROOT, compile_corpus
from triton_tools.case import all_cases


def test_corpus_compiles(corpus):
    for case in all_cases().values():
        for kernel in case.kernels:
            text = (corpus / f"{case.stem(kernel)}.ttir").read_text()
            assert f"@{kernel.name}(" in text
            assert "tt.call" not in text
            assert str(ROOT) not in text, "locations must not depend on where the checkout lies"


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("version", ["3.1.0", "3.8.0"])
def test_chosen_kernels_compile_with_other_releases(version):
    if not (ROOT / "build" / f"triton-{version}").exists():
        pytest.skip(f"tools/venv.sh {version} was not run")
    assert sum(version in case.versions for case in all_cases().values()) >= 2
    done = compile_corpus(version)
    assert done.returncode == 0, done.stderr
