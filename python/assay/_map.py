"""Many kernels at once, on any executor of concurrent.futures."""

from __future__ import annotations

import concurrent.futures
import os
from typing import Any, Callable, Iterable


class Failure(Exception):
    """Stands in the place of a result whose call raised, or whose worker died; `error` is what was raised."""

    def __init__(self, item, error: BaseException):
        super().__init__(f"{item}: {type(error).__name__}: {error}")
        self.item, self.error = item, error


def map(
    function: Callable[[Any], Any],
    items: Iterable,
    executor: concurrent.futures.Executor | None = None,
    progress: bool = False,
) -> list:
    """[function(item), ..] in the order of the items, on `executor` (a process pool if there is none).

    A call that raises, or whose worker dies, leaves an `assay.Failure` in its place; the others go on. `progress`
    shows a bar where tqdm is installed. A Dask cluster serves through `Client.get_executor()`.
    """
    items = list(items)
    own = executor is None
    results: list = [None] * len(items)
    bar = _bar(len(items)) if progress else None
    pending = dict(enumerate(items))
    while pending:
        pool = executor if executor is not None else concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1)
        broken = _round(pool, function, pending, results, bar)
        if own:
            pool.shutdown(wait=True, cancel_futures=True)
        if broken is None:
            break
        if not own or len(pending) == broken[1]:  # no progress: the first of them is what kills its worker
            place = min(pending)
            results[place] = Failure(pending.pop(place), broken[0])
    if bar is not None:
        bar.close()
    return results


def _round(pool, function, pending, results, bar):
    """Runs what is pending; (error, number that was pending) if a worker died, else None."""
    before = len(pending)
    futures = {}
    broken = None
    for place, item in pending.items():
        try:
            futures[pool.submit(function, item)] = place
        except concurrent.futures.BrokenExecutor as error:
            broken = error
            break
    for future in concurrent.futures.as_completed(futures):
        place = futures[future]
        try:
            results[place] = future.result()
        except concurrent.futures.BrokenExecutor as error:
            broken = error
            continue
        except Exception as error:
            results[place] = Failure(pending[place], error)
        del pending[place]
        if bar is not None:
            bar.update(1)
    return None if broken is None else (broken, before)


def _bar(total):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total)
