"""The metamorphic rewrites give modules that Triton accepts and that differ as they should."""

import collections
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from triton_tools.case import all_cases
from triton_tools.rewrite import REWRITES, dead, parse, permute, rename, split, swap, unparse

ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "TRITON_INTERPRET"}


def command(*arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools/triton_tools/corpus.py"), *map(str, arguments)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )


def texts(corpus):
    for case in all_cases().values():
        for kernel in case.kernels:
            yield case.stem(kernel), (corpus / f"{case.stem(kernel)}.ttir").read_text()


def operations(text):
    return collections.Counter(line.strip() for line in text.splitlines())


def test_cut_into_regions_and_put_together_again(corpus):
    for name, text in texts(corpus):
        assert unparse(parse(text)).split("\n") == (text.rstrip("\n") + "\n").split("\n"), name


def test_permute_moves_lines_and_only_moves_them(corpus):
    moved = 0
    for name, text in texts(corpus):
        changed = permute(text, 3)
        assert operations(changed) == operations(text), name
        moved += changed.splitlines() != text.splitlines()
    assert moved == sum(1 for _ in texts(corpus))


def test_rename_leaves_no_old_name(corpus):
    for name, text in texts(corpus):
        assert set(re.findall(r"%[a-z]+", re.sub(r'"[^"]*"', "", rename(text, 5)))) == {"%v"}, name


def test_swap_dead_and_split_change_something(corpus):
    text = (corpus / "softmax.ttir").read_text()
    assert swap(text, 1) != text
    assert "%dead_size" in dead(text, 1)
    assert split(text, 1).count("tt.store") == text.count("tt.store") + 1
    assert split((corpus / "max.ttir").read_text(), 1).count("tt.store") == 1, "a scalar store cannot be split"


@pytest.mark.parametrize("how", REWRITES)
def test_same_seed_same_text(corpus, how):
    text = (corpus / "layer_norm.ttir").read_text()
    assert REWRITES[how](text, 7) == REWRITES[how](text, 7)


@pytest.mark.full
def test_triton_accepts_every_rewritten_kernel(corpus):
    done = command("rewrite", "--seed", 11)
    assert done.returncode == 0, done.stderr
    files = sorted((corpus / "rewritten").rglob("*.ttir"))
    done = command("accept", *files)
    assert done.returncode == 0, done.stdout
    assert len(files) > 8 * len(all_cases())


def test_a_renamed_kernel_is_the_same_module(corpus):
    names = ("softmax", "argmax", "neg", "matmul_tile")
    assert command("rewrite", "--seed", 5, *names).returncode == 0
    for name in names:
        assert (
            command("same", corpus / f"{name}.ttir", corpus / "rewritten" / f"{name}.rename.ttir").stdout == "same\n"
        )
    assert command("same", corpus / "add.ttir", corpus / "sub.ttir").stdout == "different\n"
