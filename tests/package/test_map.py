"""A worker that dies costs its item only."""

import os

import assay
from assay._map import Failure


def dies_at_three(item):
    if item == 3:
        os._exit(1)
    return item * item


def test_a_worker_that_dies_costs_its_item():
    results = assay.map(dies_at_three, range(6))
    assert [r for r in results if not isinstance(r, Failure)] == [0, 1, 4, 16, 25]
    assert isinstance(results[3], Failure)
