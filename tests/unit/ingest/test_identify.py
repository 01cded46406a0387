from __future__ import annotations

import hashlib
from itertools import combinations
from pathlib import Path

import pytest

from prism.ingest.identify import bytes_hash, content_hash, document_id, node_id, recipe_hash, version_id


def test_ing_26_the_same_name_in_two_folders_or_workspaces_is_two_documents() -> None:
    ids = [
        document_id("default", "a/policy.txt"),
        document_id("default", "b/policy.txt"),
        document_id("other", "a/policy.txt"),
    ]
    assert len(set(ids)) == 3
    assert document_id("default", "a/policy.txt") == ids[0]


def test_parts_cannot_run_into_each_other() -> None:
    assert document_id("ab", "c") != document_id("a", "bc")
    assert node_id("d", "v", 1, 11, 1) != node_id("d", "v", 11, 1, 1)


def test_the_hash_is_of_the_bytes_alone(tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.pdf"
    content = b"x" * ((1 << 20) + 3)
    one.write_bytes(content)
    two.write_bytes(content)
    wanted = hashlib.blake2b(content, digest_size=16).hexdigest()
    assert content_hash(one) == content_hash(two) == bytes_hash(content) == wanted


def test_a_recipe_does_not_depend_on_the_order_of_its_parts() -> None:
    assert recipe_hash({"a": 1, "b": {"c": 2}}) == recipe_hash({"b": {"c": 2}, "a": 1})
    assert recipe_hash({"a": 1}) != recipe_hash({"a": 2})


def test_version_and_node_ids_tell_every_part_apart() -> None:
    assert version_id("bytes", "recipe") != version_id("recipe", "bytes")
    base = ("d", "v", 1, 0, 0)
    others = [
        ("e", "v", 1, 0, 0),
        ("d", "w", 1, 0, 0),
        ("d", "v", 2, 0, 0),
        ("d", "v", 1, 1, 0),
        ("d", "v", 1, 0, 1),
    ]
    ids = [node_id(*parts) for parts in (base, *others)]
    assert all(one != two for one, two in combinations(ids, 2))
    assert node_id(*base) == ids[0]


def test_a_file_name_that_is_not_unicode_has_an_id() -> None:
    assert document_id("default", "bad\udcff.txt") != document_id("default", "bad\udcfe.txt")


def test_a_missing_file_is_the_systems_own_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        content_hash(tmp_path / "missing")
