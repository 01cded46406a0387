"""Settings: defaults as documented, strict, and taken from the strongest place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import annotated_types
import pytest
import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from prism.errors import SettingsError
from prism.settings import Settings, check_workspace, load_settings, overlay_settings

SETTINGS_FILE = Path(__file__).parents[2] / "settings.yaml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.yaml"


def bounds(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Each bounded number's key and the words the file must use for its range."""
    for name, field in model.model_fields.items():
        if isinstance(field.default, BaseModel):
            yield from bounds(type(field.default))
        elif words := range_in_words(field):
            yield name, words


def range_in_words(field: FieldInfo) -> str:
    marks = {type(mark): mark for mark in field.metadata}
    if annotated_types.Le not in marks:
        return ""
    high = (
        f"{marks[annotated_types.Le].le:g}"
        if field.annotation is float
        else str(marks[annotated_types.Le].le)
    )
    if annotated_types.Gt in marks:
        return f"above {marks[annotated_types.Gt].gt:g} to {high}"
    return f"{marks[annotated_types.Ge].ge:g} to {high}"


def test_settings_yaml_lists_every_key_with_its_default() -> None:
    assert yaml.safe_load(SETTINGS_FILE.read_text(encoding="utf-8")) == Settings().model_dump(mode="json")
    assert load_settings(SETTINGS_FILE, environ={}) == Settings()


def test_settings_yaml_explains_every_key_and_states_its_range() -> None:
    lines = [
        line
        for line in SETTINGS_FILE.read_text(encoding="utf-8").splitlines()
        if re.match(r" +\w+: \S", line)
    ]
    stated = [(line.split(":")[0].strip(), line.partition("  # ")[2]) for line in lines]
    assert [name for name, comment in stated if not comment] == []
    ranged = iter(stated)
    for name, words in bounds(Settings):
        comment = next(comment for key, comment in ranged if key == name)
        assert words in comment, name


def test_the_command_line_is_stronger_than_the_environment_and_that_than_the_file(file: Path) -> None:
    file.write_text("retrieval: {k: 3, retrieve_k: 30, rrf_k: 10}", encoding="utf-8")
    settings = load_settings(
        file,
        environ={"PRISM__RETRIEVAL__K": "4", "PRISM__RETRIEVAL__RETRIEVE_K": "50", "HOME": "/"},
        overlay={"retrieval.k": 6},
    )
    retrieval = settings.retrieval
    assert (retrieval.k, retrieval.retrieve_k, retrieval.rrf_k, retrieval.dense_weight) == (6, 50, 10.0, 0.5)


def test_settings_yaml_of_the_working_folder_is_read_when_there_is_one(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={}) == Settings()
    file.write_text("retrieval:\n  k: 9\n", encoding="utf-8")
    assert load_settings(environ={}).retrieval.k == 9


def test_the_environment_speaks_every_type() -> None:
    settings = load_settings(
        environ={
            "PRISM__STORAGE__WORKSPACE": "2024",
            "PRISM__CHUNK__PARENT_TOKENS": "[256, 512]",
            "PRISM__MERGE__ENABLED": "false",
            "PRISM__GATE__THRESHOLD": "0.25",
            "PRISM__MODELS__LOCAL__PATH": "/models/a.gguf",
            "PRISM__MODELS__EMBEDDER__PATH": "",
            "PRISM__MODELS__REMOTE__BASE_URL": "",
        }
    )
    assert settings.storage.workspace == "2024"
    assert settings.chunk.parent_tokens == (256, 512)
    assert settings.merge.enabled is False
    assert settings.gate.threshold == 0.25
    assert settings.models.local.path == Path("/models/a.gguf")
    assert settings.models.embedder.path is None
    assert settings.models.remote.base_url == ""


def test_a_section_with_all_keys_commented_out_keeps_its_defaults(file: Path) -> None:
    file.write_text("retrieval:\n  # k: 3\nmodels:\n  local:\n", encoding="utf-8")
    assert load_settings(file, environ={}) == Settings()


@pytest.mark.parametrize(
    ("overlay", "named"),
    [
        ({"retrieval.top_k": 3}, "command line: unknown setting 'retrieval.top_k'"),
        ({"retrieve": {"k": 3}}, "command line: unknown setting 'retrieve'"),
        ({"retrieval.k": 0}, "command line: retrieval.k = 0: "),
        ({"retrieval.k": 101}, "less than or equal to 100"),
        ({"retrieval.k": True}, "retrieval.k = True: must be a number"),
        ({"retrieval.rrf_k": float("nan")}, "finite"),
        ({"retrieval.fusion": "rank"}, "'rrf', 'min_max' or 'dist_based'"),
        ({"retrieval.dense_weight": 0, "retrieval.keyword_weight": 0}, "cannot both be 0"),
        ({"chunk.leaf_tokens": 600}, "must rise, e.g. 128 and [512, 1024]"),
        ({"chunk.leaf_overlap_tokens": 65}, "at most half"),
        (
            {"rerank.kind": "cross-encoder"},
            "rerank.kind = 'cross-encoder': must be 'none', 'late_interaction'",
        ),
        (
            {"rerank.kind": ["none", "cross_encoder"]},
            "rerank.kind = ['none', 'cross_encoder']: must be 'none'",
        ),
        ({"rerank.kind": ["cross_encoder", "cross_encoder"]}, "each once"),
        ({"rerank.kind": []}, "rerank.kind = []: must be 'none'"),
        ({"rerank.kind": None}, "rerank.kind = None: must be 'none'"),
        ({"models.embedder.languages": ["en", "English"]}, "must be ISO 639-1 codes"),
        ({"storage.workspace": "../other"}, "storage.workspace"),
        ({"privacy.remote_models": "yes"}, "'ask', 'allow' or 'deny'"),
        ({"": 1}, "setting names are text"),
    ],
)
def test_a_wrong_setting_is_named_with_its_place(overlay: dict[str, Any], named: str) -> None:
    with pytest.raises(SettingsError) as raised:
        load_settings(SETTINGS_FILE, environ={}, overlay=overlay)
    assert named in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "kinds"),
    [
        ("none", ()),
        (["none"], ()),
        ("late_interaction", ("late_interaction",)),
        (["cross_encoder"], ("cross_encoder",)),
        (["late_interaction", "cross_encoder"], ("late_interaction", "cross_encoder")),
        (("cross_encoder", "late_interaction"), ("cross_encoder", "late_interaction")),
    ],
)
def test_rerankers_are_one_word_or_a_stack(kind: Any, kinds: tuple[str, ...]) -> None:
    settings = load_settings(environ={}, overlay={"rerank.kind": kind})
    assert settings.rerank.kinds == kinds
    assert overlay_settings(settings, {"retrieval.k": 3}).rerank == settings.rerank


def test_a_stack_of_one_is_its_word() -> None:
    one, word = (
        overlay_settings(Settings(), {"rerank.kind": kind}) for kind in (["cross_encoder"], "cross_encoder")
    )
    assert one == word


@pytest.mark.parametrize(("said", "threshold"), [("", None), ("0", 0.0), ("0.5", 0.5)])
def test_the_gates_threshold_may_be_left_to_the_calibration(said: str, threshold: float | None) -> None:
    """Empty is not 0, which never abstains."""
    gate = load_settings(environ={"PRISM__GATE__THRESHOLD": said, "PRISM__GATE__CALIBRATION": ""}).gate
    assert (gate.threshold, gate.calibration) == (threshold, None)
    assert Settings().gate.threshold is None


def test_rerankers_are_told_by_the_environment_too() -> None:
    settings = load_settings(environ={"PRISM__RERANK__KIND": "[late_interaction, cross_encoder]"})
    assert settings.rerank.kinds == ("late_interaction", "cross_encoder")


def test_each_wrong_setting_is_laid_to_the_place_that_set_it(file: Path) -> None:
    file.write_text("keywords: {b: 2}\n", encoding="utf-8")
    with pytest.raises(SettingsError) as raised:
        load_settings(file, environ={"PRISM__KEYWORDS__K1": "11"}, overlay={"gate.threshold": 3})
    message = str(raised.value)
    assert f"{file}: keywords.b = 2" in message
    assert "environment: keywords.k1 = '11'" in message
    assert "command line: gate.threshold = 3" in message


def test_overlays_nest_or_dot_and_leave_the_original_alone() -> None:
    settings = Settings()
    changed = overlay_settings(settings, {"retrieval": {"k": 2}, "merge.enabled": False})
    assert (changed.retrieval.k, changed.merge.enabled, changed.retrieval.retrieve_k) == (2, False, 40)
    assert settings == Settings()
    with pytest.raises(SettingsError, match=r"overlay: retrieval\.k = 0"):
        overlay_settings(settings, {"retrieval.k": 0})


@pytest.mark.parametrize(
    "name", ["..", ".", ".hidden", "a/b", "../evil", "", "a b", "w\n", "w" * 65, "\ud835"]
)
def test_a_workspace_cannot_lead_out_of_the_storage_folder(name: str):
    with pytest.raises(SettingsError):
        overlay_settings(Settings(), {"storage.workspace": name})
    with pytest.raises(SettingsError):
        check_workspace(name)


@pytest.mark.parametrize("name", ["default", "Team-7", "a.b", "_", "w" * 64])
def test_plain_names_name_workspaces(name: str):
    assert (
        check_workspace(name) == overlay_settings(Settings(), {"storage.workspace": name}).storage.workspace
    )
