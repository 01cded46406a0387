"""All that stands out in a result, in the order in which to read it."""

from __future__ import annotations

from typing import Final

from eval.diagnose.coverage import diagnose_coverage
from eval.diagnose.finding import Finding
from eval.diagnose.groups import diagnose_groups
from eval.diagnose.legs import diagnose_legs
from eval.diagnose.refusals import diagnose_refusals
from eval.diagnose.tail import diagnose_tail
from eval.diagnose.trust import diagnose_trust
from eval.outcome.result import Result

RULES: Final = (
    diagnose_trust,
    diagnose_coverage,
    diagnose_legs,
    diagnose_groups,
    diagnose_refusals,
    diagnose_tail,
)

NOTHING: Final = "Nothing stands out: no figure is beyond its limit."


def diagnose(result: Result) -> tuple[Finding, ...]:
    """What stands out, what limits trust in the figures first; empty when nothing does (say `NOTHING`)."""
    return tuple(finding for rule in RULES for finding in rule(result))
