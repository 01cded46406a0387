"""`python -m eval SUBCOMMAND`: one subcommand per evaluation."""

from __future__ import annotations

import argparse
import sys

from eval import graph
from eval.bench import command as bench
from eval.runs import command as retrieval
from prism.errors import PrismError, UsageError


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand. Returns 0, 1 when it failed, 2 when it was called wrongly."""
    parser = argparse.ArgumentParser(prog="python -m eval", description="Evaluations of Prism.")
    subcommands = parser.add_subparsers(required=True, metavar="SUBCOMMAND")
    measured = subcommands.add_parser(
        "bench", help="Prism beside the plain LlamaIndex build of the same parts"
    )
    bench.add_arguments(measured)
    measured.set_defaults(run=bench.main)
    tried = subcommands.add_parser("graph", help="what the search graph's settings cost and find")
    graph.add_arguments(tried)
    tried.set_defaults(run=graph.main)
    asked = subcommands.add_parser("retrieval", help="ask a labelled set, and score what is found")
    retrieval.add_arguments(asked)
    asked.set_defaults(run=retrieval.main)
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except PrismError as error:
        print(f"eval: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1


if __name__ == "__main__":
    sys.exit(main())
