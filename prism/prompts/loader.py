"""Prompts live in one `.md` file each; this loads and fills them.

`{name}` is a slot; any other brace is a brace. Filling is one pass over the template: what is put into
a slot is never read as a template, so a `{context_str}` in a question or a document stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from prism.errors import NotFoundError, UsageError

_SLOT = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its slots still open."""

    name: str
    template: str

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots."""
        return frozenset(_SLOT.findall(self.template))

    def render(self, **values: str) -> str:
        """The text with every slot filled, values verbatim.

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
        return _SLOT.sub(lambda slot: values[slot[1]], self.template)


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
    return Prompt(name, file.read_text(encoding="utf-8").strip())
