from __future__ import annotations

import pytest

from prism.stores.held_leaves import LEAVES_PER_LOOK_UP, Group, HeldLeaves
from prism.stores.leaf_sets import LeafSet, leaf_set


class Shelf:
    """What is stored, and what was read of it."""

    def __init__(self, **groups: list[str]) -> None:
        self.stored: dict[Group, list[str]] = {(name, 1): ids for name, ids in groups.items()}
        self.read: list[str] = []

    def all(self) -> dict[Group, LeafSet]:
        self.read.append("all")
        return {group: leaf_set(ids) for group, ids in self.stored.items()}

    def group(self, document_id: str, generation: int) -> list[str]:
        self.read.append(document_id)
        return self.stored.get((document_id, generation), [])

    def held(self, *, is_sealed: bool = True, leaves: int = 10 * LEAVES_PER_LOOK_UP) -> HeldLeaves:
        sealed = {group: leaf_set(ids) for group, ids in self.stored.items()} if is_sealed else None
        return HeldLeaves(sealed, read_all=self.all, read_group=self.group, count=lambda: leaves)


def test_what_is_sealed_is_not_read() -> None:
    shelf = Shelf(a=["x"], b=["y"])
    assert shelf.held().look(anew=False) == {("a", 1): leaf_set("x"), ("b", 1): leaf_set("y")}
    assert shelf.read == []


def test_what_nobody_sealed_is_read_once() -> None:
    shelf = Shelf(a=["x"])
    held = shelf.held(is_sealed=False)
    assert held.look(anew=False) == held.look(anew=False) == {("a", 1): leaf_set("x")}
    assert shelf.read == ["all"]


def test_only_what_was_changed_is_read_again() -> None:
    shelf = Shelf(a=["x"], b=["y"], c=["z"])
    held = shelf.held()
    with held.changing({("a", 1), ("b", 1)}):
        shelf.stored[("a", 1)] = ["x", "w"]
        del shelf.stored[("b", 1)]
    assert held.look(anew=False) == {("a", 1): leaf_set("xw"), ("c", 1): leaf_set("z")}
    assert sorted(shelf.read) == ["a", "b"]
    held.look(anew=False)
    assert len(shelf.read) == 2


def test_a_change_that_fails_is_looked_at_all_the_same() -> None:
    shelf = Shelf(a=["x"])
    held = shelf.held()

    def change() -> None:
        with held.changing({("a", 1)}):
            shelf.stored[("a", 1)] = []
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        change()
    assert held.look(anew=False) == {}


def test_many_changes_are_read_in_one_go() -> None:
    shelf = Shelf(a=["x"], b=["y"])
    held = shelf.held(leaves=LEAVES_PER_LOOK_UP)
    with held.changing({("a", 1), ("b", 1)}):
        pass
    held.look(anew=False)
    assert shelf.read == ["all"]


def test_everything_is_read_when_asked_for() -> None:
    shelf = Shelf(a=["x"])
    held = shelf.held()
    shelf.stored[("a", 1)] = ["other"]
    assert held.look(anew=True) == {("a", 1): leaf_set(["other"])}
