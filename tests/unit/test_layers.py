"""Where settings come from: a file, variables, dotted keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism.errors import SettingsError
from prism.layers import from_environment, from_file, from_overlay, merge, origin_of


def test_only_variables_with_the_prefix_count_and_lists_are_yaml() -> None:
    environ = {"PRISM__A__B": "1", "prism__a__c": "2", "PRISM_DATA": "/x", "PRISM__A__D": "[1, 2]"}
    assert from_environment(environ) == {"a": {"b": "1", "d": [1, 2]}}


def test_a_broken_list_in_a_variable_is_named() -> None:
    with pytest.raises(SettingsError, match=r"PRISM__A__B=\[1"):
        from_environment({"PRISM__A__B": "[1"})


def test_dotted_keys_nest_and_join() -> None:
    assert from_overlay({"a.b": 1, "a": {"c.d": 2}}, "x") == {"a": {"b": 1, "c": {"d": 2}}}


def test_merging_replaces_values_and_joins_sections() -> None:
    assert merge({"a": {"b": 1, "c": [1, 2]}}, {"a": {"c": [3]}, "d": 4}) == {"a": {"b": 1, "c": [3]}, "d": 4}


def test_the_strongest_layer_that_set_a_value_is_its_origin() -> None:
    layers = {"file": {"a": {"b": 1}}, "environment": {"a": {"c": [1, "x"]}}, "command line": {}}
    assert origin_of(("a", "b"), layers) == "file"
    assert origin_of(("a", "c", 1), layers) == "environment"
    assert origin_of(("z",), layers) == "settings"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a: [1", "not valid YAML"),
        (b"\xff\xfe\xfa", "not valid YAML"),
        (b"- a\n", "not a list"),
        (b"on: 1\n", "setting names are text, not True"),
        (b"a: {1: 2}\n", "setting names are text, not 1"),
    ],
)
def test_a_file_that_cannot_be_settings_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "my.yaml"
    file.write_bytes(content)
    with pytest.raises(SettingsError) as raised:
        from_file(file)
    assert str(file) in str(raised.value)
    assert message in str(raised.value)


def test_a_missing_file_is_an_error_and_an_empty_one_is_not(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.yaml: cannot read .* Check --settings"):
        from_file(tmp_path / "none.yaml")
    (tmp_path / "empty.yaml").touch()
    assert from_file(tmp_path / "empty.yaml") == {}
