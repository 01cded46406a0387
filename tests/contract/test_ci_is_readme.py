"""What runs for every change is what the README tells a person to run."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = "make test"


def test_ci_calls_the_test_command_of_the_readme() -> None:
    commands = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert [command for command in commands if command.startswith(COMMAND)] == [f"{COMMAND} < /dev/null"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert any(line.strip().split("  ")[0] == COMMAND for line in readme)
