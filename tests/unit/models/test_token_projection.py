import numpy as np
import pytest

from prism.errors import ModelUnfitError
from prism.models import token_projection
from prism.models.token_projection import (
    DIMENSION,
    TokenProjection,
    find_projection,
    principal_components,
    projection_name,
)

SWAP = TokenProjection("swap", np.array([[0, 1], [1, 0], [0, 0]], dtype=np.float32))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where packaged projections lie, with the text that Prism brings."""
    brought = token_projection.files("prism.models") / "projections" / "reference.txt"
    path = tmp_path / "projections"
    path.mkdir()
    (path / "reference.txt").write_text(brought.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(token_projection, "files", lambda _package: tmp_path)
    return path


def states(rows, hidden, seed=3):
    return np.random.default_rng(seed).normal(size=(rows, hidden)).astype(np.float32)


def unasked(_texts):
    raise AssertionError("no states are needed")


def test_a_row_is_projected_and_scaled_by_its_largest_component():
    rows = SWAP.quantized(np.array([[1, -2, 9], [0.5, 0.25, 0]], dtype=np.float32))
    assert rows.dtype == np.int8
    assert rows.tolist() == [[-127, 64], [64, 127]]


def test_a_zero_row_stays_zero():
    assert SWAP.quantized(np.array([[0, 0, 5]], dtype=np.float32)).tolist() == [[0, 0]]
    assert SWAP.unit(np.array([[0, 0, 5]], dtype=np.float32)).tolist() == [[0, 0]]


def test_no_tokens_give_no_rows():
    none = np.zeros((0, 3), dtype=np.float32)
    assert SWAP.quantized(none).shape == SWAP.unit(none).shape == (0, 2)


def test_a_questions_rows_have_length_one():
    rows = SWAP.unit(np.array([[3, 4, 9]], dtype=np.float32))
    assert rows.dtype == np.float32
    assert np.allclose(rows, [[0.8, 0.6]])


def test_directions_survive_the_quantization():
    sample = states(200, 64)
    projection = TokenProjection("all", np.eye(64, dtype=np.float32))
    quantized = projection.quantized(sample).astype(np.float32)
    quantized /= np.linalg.norm(quantized, axis=1, keepdims=True)
    assert (quantized * projection.unit(sample)).sum(axis=1).min() > 0.9999


def test_the_components_are_those_of_a_singular_value_decomposition():
    sample = states(300, 100) * np.linspace(3, 0.1, 100, dtype=np.float32)
    unit = sample / np.linalg.norm(sample, axis=1, keepdims=True)
    expected = np.linalg.svd(unit.astype(np.float64), full_matrices=False)[2][:8].T
    found = principal_components(sample, 8)
    assert found.shape == (100, 8)
    assert np.allclose(np.abs((found * expected).sum(axis=0)), 1, atol=1e-5)


def test_each_component_points_to_where_its_largest_number_is_positive():
    found = principal_components(states(300, 100), 8)
    assert (found[np.abs(found).argmax(axis=0), np.arange(8)] > 0).all()


def test_states_that_are_short_already_are_kept_as_they_are():
    assert np.array_equal(principal_components(states(9, 32)), np.eye(32))
    found = find_projection("abc", 32, unasked)
    assert (found.name, found.matrix.shape) == ("identity-32", (32, 32))


def test_a_model_without_a_packaged_file_gets_its_own_components(folder):
    asked = []

    def states_of(texts):
        asked.extend(texts)
        return states(400, 100)

    found = find_projection("abc", 100, states_of)
    assert found.matrix.shape == (100, DIMENSION)
    assert found.name == projection_name("abc", 100) == projection_name("abc", None)
    assert found.name.startswith(f"pca-{DIMENSION}-")
    assert len(asked) > 50
    assert len(set(asked)) == len(asked)


def test_another_reference_text_is_another_name(folder):
    before = projection_name("abc", 100)
    (folder / "reference.txt").write_text("One sentence.", encoding="utf-8")
    assert projection_name("abc", 100) != before


def test_the_packaged_file_of_the_model_comes_first_under_any_name_of_it(folder):
    np.save(folder / "some-model@abc.npy", np.eye(100, 16, dtype=np.float16))
    found = find_projection("abc", 100, unasked)
    assert found.matrix.dtype == np.float32
    assert found.name == projection_name("abc", 100)
    assert found.name.startswith("packaged-16-")
    assert projection_name("bcd", 100).startswith("pca-")


def test_another_packaged_file_is_another_name(folder):
    np.save(folder / "some-model@abc.npy", np.eye(100, 16, dtype=np.float32))
    before = projection_name("abc", 100)
    np.save(folder / "some-model@abc.npy", 2 * np.eye(100, 16, dtype=np.float32))
    assert projection_name("abc", 100) != before


@pytest.mark.parametrize("content", [b"", b"no array", b"\x93NUMPY\x01\x00"])
def test_a_file_that_is_no_array_is_named(folder, content):
    (folder / "some-model@abc.npy").write_bytes(content)
    with pytest.raises(ModelUnfitError, match=r"some-model@abc\.npy"):
        projection_name("abc", 100)


@pytest.mark.parametrize("array", [np.zeros(3), np.array([[np.nan]])])
def test_a_file_that_holds_no_matrix_is_named(folder, array):
    np.save(folder / "some-model@abc.npy", array)
    with pytest.raises(ModelUnfitError, match=r"some-model@abc\.npy holds no matrix"):
        projection_name("abc", 100)


def test_states_of_another_length_are_refused():
    with pytest.raises(ModelUnfitError, match=r"swap takes states of 3 numbers; the embedder gives 4"):
        SWAP.quantized(np.ones((1, 4), dtype=np.float32))
