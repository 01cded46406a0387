"""The README's Python examples run as they stand, one after another, in a folder with what they name."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from prism.cli import main
from tests.processes import run_python

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^    prism (\w+)", README, re.MULTILINE)


def test_there_are_examples():
    assert len(EXAMPLES) >= 2
    assert len(COMMANDS) >= 14


def test_the_examples_run_one_after_another(tmp_path: Path):
    shutil.copy(ROOT / "settings.yaml", tmp_path)
    shutil.copytree(ROOT / "eval" / "datasets" / "sample", tmp_path / "eval" / "datasets" / "sample")
    for number, example in enumerate(EXAMPLES):
        ended = run_python("-c", example, folder=tmp_path, watch=True)
        assert ended.code == 0, f"example {number + 1}:\n{ended.err}"
        assert ended.attempts == ()
        if "print(" in example:
            assert ended.out.strip(), f"example {number + 1} prints nothing"


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_every_command_of_the_readme_exists(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"prism {command}" in capsys.readouterr().out
