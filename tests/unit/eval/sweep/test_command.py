"""`python -m eval sweep`: the same questions with more and more passages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eval.__main__ import main
from eval.sweep import command
from eval.sweep.command import KS
from prism.settings import Settings
from tests.unit.eval.datasets.test_quotes import written
from tests.unit.eval.rows import make_passages, make_result, make_row


def test_each_k_is_measured_from_the_settings_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Settings] = []

    def run(dataset: Any, settings: Settings, **options: Any) -> Any:
        seen.append(settings)
        return make_result([make_row(passages=make_passages("a"))], k=settings.retrieval.k)

    monkeypatch.setattr(command, "run", run)
    folder = written(tmp_path, {"question": "one?"})
    given = ["sweep", "--dataset", str(folder), "--cache", str(tmp_path / "cache"), "--set", "merge.grow=no"]
    assert main([*given, "--out", str(tmp_path / "table.md")]) == 0
    assert [settings.retrieval.k for settings in seen] == list(KS) == sorted(KS)
    assert not any(settings.merge.grow for settings in seen)
    shown = capsys.readouterr().out
    assert [line.split()[1] for line in shown.splitlines() if line.startswith("| ")][1:] == list(map(str, KS))
    assert (tmp_path / "table.md").read_text(encoding="utf-8") == shown
