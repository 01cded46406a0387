"""`python -m eval SUBCOMMAND`: one subcommand per evaluation."""

from __future__ import annotations

import argparse
import sys
from typing import Final, Protocol

from eval import graph
from eval.ablate import command as ablate
from eval.bench import command as bench
from eval.calibrate import command as calibrate
from eval.compare import command as compare
from eval.diagnose import command as diagnose
from eval.gate import command as gate
from eval.golden import command as golden
from eval.quotes import command as quotes
from eval.reading import command as reading
from eval.report import command as report
from eval.rerank_speed import command as rerank_speed
from eval.retrieval import command as retrieval
from eval.survey import command as survey
from eval.sweep import command as sweep
from eval.training import command as training
from prism.errors import PrismError, UsageError


class Subcommand(Protocol):
    """A module with one subcommand."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare its options."""
        ...

    def main(self, given: argparse.Namespace) -> int:
        """Run it; the exit code."""
        ...


SUBCOMMANDS: Final[tuple[tuple[str, Subcommand, str], ...]] = (
    ("retrieval", retrieval, "ask a labelled set, and score what is found"),
    ("compare", compare, "two results of one set: which is better, and where"),
    ("diagnose", diagnose, "a result in words, with the settings to try"),
    ("report", report, "results as Markdown and as a page, side by side"),
    ("ablate", ablate, "what each setting is worth, one at a time"),
    ("sweep", sweep, "how many passages an answerer should be given"),
    ("survey", survey, "every choice on every labelled set: what the defaults rest on"),
    ("calibrate", calibrate, "when to answer at all: the gate's curve and threshold"),
    ("quotes", quotes, "whether answers quote the right sentences, by the way of choosing them"),
    ("train-projection", training, "the matrix that makes token vectors of the embedder's states"),
    ("reading", reading, "how much of a file's words is read, where its text is known"),
    ("golden", golden, "what every stage finds, against the committed traces"),
    ("gate", gate, "nothing found is lost: the sample set and the golden traces"),
    ("bench", bench, "Prism beside the plain LlamaIndex build of the same parts"),
    ("rerank-speed", rerank_speed, "late interaction from stored vectors: what it saves, loses and costs"),
    ("graph", graph, "what the search graph's settings cost and find"),
)


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand. Returns 0, 1 when it failed, 2 when called wrongly, 130 when stopped."""
    parser = argparse.ArgumentParser(prog="python -m eval", description="Evaluations of Prism.")
    subcommands = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    for name, module, help_text in SUBCOMMANDS:
        subcommand = subcommands.add_parser(name, help=help_text)
        module.add_arguments(subcommand)
        subcommand.set_defaults(run=module.main)
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except PrismError as error:
        print(f"eval: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    except KeyboardInterrupt:
        print("eval: stopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
