"""Names and errors on the way to Chroma."""

from pathlib import Path

import pytest
from chromadb.errors import InternalError, InvalidArgumentError

from prism.errors import StoreDamagedError, StoreError, StoreMismatchError
from prism.stores.chroma import collection_name, guard

FOLDER = Path("vectors")


@pytest.mark.parametrize(
    ("workspace", "name"),
    [
        ("default", "workspace-default-leaves"),
        ("a.b", "workspace-a_2e_b-leaves"),
        ("a_b", "workspace-a_5f_b-leaves"),
        ("..", "workspace-_2e__2e_-leaves"),
        ("-", "workspace---leaves"),
    ],
)
def test_a_workspace_name_becomes_a_name_chroma_accepts(workspace: str, name: str) -> None:
    assert collection_name(workspace) == name


def test_workspaces_never_share_a_collection() -> None:
    names = ["a.b", "a_b", "a-b", "a..b", "A.b", "a_2e_b", "a.b.", "_", "__", "_5f_"]
    assert len({collection_name(name) for name in names}) == len(names)


def test_the_longest_workspace_name_stays_within_chromas_limit() -> None:
    assert len(collection_name("." * 64)) <= 512


def raising(error: Exception) -> None:
    raise error


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (
            InvalidArgumentError("Collection expecting embedding with dimension of 4, got 3"),
            StoreMismatchError,
        ),
        (InternalError("file is not a database"), StoreDamagedError),
        (AttributeError("'RustBindingsAPI' object has no attribute 'bindings'"), StoreError),
    ],
)
def test_chromas_errors_become_ours_and_name_the_folder(theirs: Exception, ours: type[StoreError]) -> None:
    with pytest.raises(ours, match="vectors"):
        guard(FOLDER, lambda: raising(theirs))


def test_a_fault_of_our_own_is_not_dressed_up_as_a_store_error() -> None:
    with pytest.raises(AttributeError, match="elsewhere"):
        guard(FOLDER, lambda: raising(AttributeError("elsewhere")))
