"""What to ask, under which settings."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from eval import options
from prism.errors import SettingsError, UsageError
from prism.settings import Settings


def given(*texts: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    options.add_dataset_arguments(parser)
    return parser.parse_args(["--dataset", "set", *texts])


def test_a_set_must_be_named_unless_there_is_one_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    with_default, without = argparse.ArgumentParser(), argparse.ArgumentParser()
    options.add_dataset_arguments(with_default, default=Path("sets/sample"))
    options.add_dataset_arguments(without)
    assert with_default.parse_args([]).dataset == Path("sets/sample")
    assert with_default.parse_args(["--dataset", "other"]).dataset == Path("other")
    assert "(default: sample)" in " ".join(with_default.format_help().split())
    with pytest.raises(SystemExit):
        without.parse_args([])
    assert "--dataset" in capsys.readouterr().err


def test_later_overlays_and_single_settings_go_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.yaml").write_text("retrieval: {k: 3, retrieve_k: 30}\nmerge: {grow: false}\n")
    (tmp_path / "two.yaml").write_text("retrieval.retrieve_k: 50\n")
    overlays = [part for name in ("one", "two") for part in ("--overlay", str(tmp_path / f"{name}.yaml"))]
    single = [
        "--set",
        "retrieval.k=8",
        "--set",
        "chunk.parent_tokens=[256, 512]",
        "--set",
        "merge.enabled=no",
    ]
    settings = options.settings_of(given(*overlays, *single))
    assert (settings.retrieval.k, settings.retrieval.retrieve_k) == (8, 50)
    assert (settings.merge.grow, settings.merge.enabled) == (False, False)
    assert settings.chunk.parent_tokens == (256, 512)


def test_neither_environment_nor_a_settings_file_here_plays_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM__RETRIEVAL__K", "9")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings.yaml").write_text("retrieval: {k: 9}\n")
    assert options.settings_of(given()) == Settings()


@pytest.mark.parametrize("wrong", ["retrieval.k", "=3", "retrieval.k=", "retrieval.k=[1"])
def test_a_setting_of_another_form_is_refused(wrong: str) -> None:
    with pytest.raises((UsageError, SettingsError), match=r"retrieval\.k|=3"):
        options.settings_of(given("--set", wrong))


def test_a_tilde_that_the_shell_left_is_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert given("--documents", "~/contracts").documents == Path("/home/somebody/contracts")
