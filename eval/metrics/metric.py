"""What a measure is called and how it is to be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metric:
    """A measure: its name in results, its title and definition in words, which way is better (None: neither).

    Values lie in [0, 1]. `measure` is its name in the library ir_measures, where the library works it out.
    """

    name: str
    title: str
    definition: str
    higher_is_better: bool | None = True
    measure: str = ""
