"""`assay.map` on a Dask cluster. Skipped where dask and distributed are not installed (tools/venv.sh extras)."""

import pytest
from conftest import ROOT

import assay

distributed = pytest.importorskip("distributed")


def verdict(path):
    return assay.lift(path).verdict


def test_a_cluster_serves_as_an_executor(tmp_path):
    items = [ROOT / "examples" / "softmax.ttir", tmp_path / "nowhere.ttir", ROOT / "examples" / "layer_norm.ttir"]
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        first, failure, last = assay.map(verdict, items, client.get_executor())
    assert (first, last) == ("proved", "proved")
    assert isinstance(failure.error, assay.InputError)
