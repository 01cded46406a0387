"""Prompts live in one `.md` file each; this loads and fills them.

A file is one or more messages. Each begins with a line `<!-- system -->` or `<!-- user -->`; a file
without such a line is one user message. `{{name}}` is a slot. Filling is one pass over the template:
what is put into a slot is never read as a template, so braces in a question or a document stay braces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from prism.errors import NotFoundError, UsageError

Role = Literal["system", "user"]

_ROLE_LINE = re.compile(r"^<!-- (system|user) -->[ \t]*$", re.MULTILINE)
_SLOT = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Message:
    """One message for a chat model."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt's messages with their slots still open."""

    name: str
    templates: tuple[Message, ...]

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots."""
        return frozenset(name for message in self.templates for name in _SLOT.findall(message.content))

    def render(self, **values: str) -> tuple[Message, ...]:
        """The messages with every slot filled, values verbatim.

        Raises:
            UsageError: a slot has no value, or a value has no slot.
        """
        missing, unknown = self.slots - values.keys(), values.keys() - self.slots
        if missing or unknown:
            problems = [
                f"{what} {', '.join(sorted(names))}"
                for what, names in (("no value for", missing), ("no slot", unknown))
                if names
            ]
            raise UsageError(f"Prompt {self.name!r}: {'; '.join(problems)}.")
        return tuple(Message(message.role, _fill(message.content, values)) for message in self.templates)


def load_prompt(name: str, folder: Traversable | None = None) -> Prompt:
    """Read the prompt `name`.

    Args:
        name: file name without `.md`.
        folder: where to look; None means Prism's own prompts.

    Raises:
        NotFoundError: there is no such prompt.
    """
    file = (folder if folder is not None else files("prism.prompts")) / f"{name}.md"
    if not _NAME.fullmatch(name) or not file.is_file():
        raise NotFoundError(f"There is no prompt {name!r}: {file} does not exist.")
    return parse_prompt(name, file.read_text(encoding="utf-8"))


def parse_prompt(name: str, text: str) -> Prompt:
    """Read a prompt from text. Raises `UsageError` when text stands before the first role line."""
    before, *parts = _ROLE_LINE.split(text)
    if not parts:
        return Prompt(name, (Message("user", before.strip()),))
    if before.strip():
        raise UsageError(f"Prompt {name!r} has text before its first role line: move it below.")
    roles, contents = parts[0::2], parts[1::2]
    return Prompt(
        name,
        tuple(
            Message("system" if role == "system" else "user", content.strip())
            for role, content in zip(roles, contents, strict=True)
        ),
    )


def _fill(template: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(lambda slot: values[slot[1]], template)
