"""Which arguments are one tensor of the operation file: tensors are views of storages, and views may share elements.

Views that share no element are tensors of their own. Of those that share elements one is the tensor, if it has no gaps
and holds the others, which then are pointers into it; else the tensor is the memory between the first and the last
element. Whether two views share an element is decided exactly: the places of a view are a sum of strides times indices.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ._errors import TritonError
from ._triton import ADDRESSES, DTYPES, ITEM_BYTES, Tensor

STEPS = 20000  # of the search for a shared element; views of more tangled strides are taken to share one


def numbers(view: Tensor) -> bool:
    """Shape and strides are numbers: what lies in a storage, and not a specification."""
    return view.storage is not None and view.strides is not None


def extent(view: Tensor) -> tuple[int, int]:
    """The first place in the storage, in elements, and the one behind the last; (0, 0) of an empty view."""
    if 0 in view.shape:
        return 0, 0
    reach = [(size - 1) * stride for size, stride in zip(view.shape, view.strides or ())]
    return view.offset + sum(r for r in reach if r < 0), view.offset + sum(r for r in reach if r > 0) + 1


def dense(view: Tensor) -> bool:
    """Its elements are a piece of memory without gaps, each place once."""
    expected = 1
    for stride, size in sorted(zip(view.strides or (), view.shape)):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def share(one: Tensor, other: Tensor) -> bool:
    """Some element is in both views. (Of two element types: some byte may be, by the bytes between first and last.)"""
    (low, high), (low_, high_) = extent(one), extent(other)
    if one.type != other.type:
        size, size_ = ITEM_BYTES.get(one.type, 1), ITEM_BYTES.get(other.type, 1)
        return low * size < high_ * size_ and low_ * size_ < high * size
    if low >= high_ or low_ >= high:
        return False
    terms = [(stride, size - 1) for size, stride in zip(one.shape, one.strides or ())]
    terms += [(-stride, size - 1) for size, stride in zip(other.shape, other.strides or ())]
    return reaches([term for term in terms if term[0] and term[1]], other.offset - one.offset)


def reaches(terms: list[tuple[int, int]], wanted: int) -> bool:
    """True if there is a sum of stride * index, 0 <= index <= limit, that is `wanted`. The largest stride comes first:
    the others leave few indices for it."""
    shifted = wanted - sum(stride * limit for stride, limit in terms if stride < 0)
    ordered = sorted(((abs(stride), limit) for stride, limit in terms), reverse=True)
    rest = [0]
    for stride, limit in reversed(ordered):
        rest.append(rest[-1] + stride * limit)
    rest.reverse()
    steps = STEPS

    def search(depth: int, left: int) -> bool:
        nonlocal steps
        if depth == len(ordered):
            return left == 0
        stride, limit = ordered[depth]
        first = max(0, -(-(left - rest[depth + 1]) // stride))
        for index in range(first, min(limit, left // stride) + 1):
            steps -= 1
            if steps < 0 or search(depth + 1, left - index * stride):
                return True
        return False

    return 0 <= shifted <= rest[0] and search(0, shifted)


def components(views: list[Tensor]) -> list[list[Tensor]]:
    """Views that share elements, directly or through others, in the order of the first of each."""
    groups: list[list[Tensor]] = []
    for view in views:
        met = [group for group in groups if any(share(view, other) for other in group)]
        for group in met[1:]:
            met[0].extend(group)
            groups.remove(group)
        if met:
            met[0].append(view)
        else:
            groups.append([view])
    return groups


def entry(view: Tensor) -> dict[str, Any]:
    """The tensor of an operation file. One without axes is one of a single element."""
    shape = list(view.shape) or [1]
    described: dict[str, Any] = {"dtype": DTYPES.get(view.type, view.type), "shape": shape}
    if view.strides is not None:
        described["strides"] = list(view.strides) or [1]
    return described


def owner(group: list[Tensor]) -> Tensor:
    """The tensor that a group of views lies in."""
    if len({view.type for view in group}) > 1:
        raise TritonError("two arguments are one memory with two element types, which an operation file cannot say")
    extents = [extent(view) for view in group]
    low, high = min(first for first, _ in extents), max(last for _, last in extents)
    for view in group:
        if extent(view) == (low, high) and dense(view):
            return view
    return Tensor(group[0].type, (high - low,), (1,), group[0].storage, low)


def key(view: Tensor):
    return view.storage, view.offset, view.shape, view.strides, view.type


class Memory:
    """The tensors of an operation file for the named views of some launches; `place` says where each view is."""

    def __init__(self, named: list[tuple[str, Tensor]]):
        self.tensors: dict[str, dict] = {}
        self._places: dict[Any, Any] = {}
        self._storages = [
            view.storage for _, view in named if view.storage and view.storage[0] == "torch" and view.storage[2]
        ]
        names: dict[Any, str] = {}
        storages: dict[Any, list[Tensor]] = {}
        for name, view in named:
            view = self.located(view)
            if key(view) not in names:
                names[key(view)] = name
                storages.setdefault(view.storage, []).append(view)
        groups = [
            group
            for views in storages.values()
            for group in (components(views) if all(map(numbers, views)) else [[view] for view in views])
        ]
        order = {identity: place for place, identity in enumerate(names)}
        for group in sorted(groups, key=lambda group: min(order[key(view)] for view in group)):
            self._add(group, names)

    def _add(self, group: list[Tensor], names: dict[Any, str]) -> None:
        tensor = owner(group) if len(group) > 1 else group[0]
        name = names[key(group[0])] if key(tensor) not in names else names[key(tensor)]
        while name in self.tensors:
            name += "_"
        self.tensors[name] = entry(tensor)
        for view in group:
            offset = view.offset - tensor.offset
            self._places[key(view)] = {"tensor": name, "offset": offset} if offset else name

    def located(self, view: Tensor) -> Tensor:
        """What is known by its address lies in the storage of another argument, if one of them is there."""
        if view.storage != ADDRESSES:
            return view
        size = ITEM_BYTES.get(view.type, 1)
        for storage in self._storages:
            distance = view.offset * size - storage[1]
            if 0 <= distance < storage[2] and distance % size == 0:
                return replace(view, storage=storage, offset=distance // size)
        return view

    def place(self, view: Tensor):
        """The argument of the operation file: a name, or a name and an offset in elements."""
        return self._places[key(self.located(view))]
