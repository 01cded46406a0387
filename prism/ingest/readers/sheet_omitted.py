"""What of a workbook was not read, in sentences for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from prism.ingest.readers.sheet import letters, ranges


@dataclass(slots=True)
class Omitted:
    """Filled by the readers of sheets as they go. `rows` and `columns` are hidden ones that hold something,
    by sheet; `formulas` the places of those that were saved without a value."""

    hidden_sheets: Sequence[str] = ()
    other_sheets: Sequence[str] = ()
    rows: dict[str, list[int]] = field(default_factory=dict)
    columns: dict[str, set[int]] = field(default_factory=dict)
    formulas: list[str] = field(default_factory=list)
    charts: int = 0
    lost_texts: int = 0

    def warnings(self) -> list[str]:
        """One sentence for each kind of thing."""
        said = []
        if self.hidden_sheets:
            said.append(f"hidden sheets left out: {', '.join(self.hidden_sheets)}")
        if self.other_sheets:
            said.append(f"chart and macro sheets left out: {', '.join(self.other_sheets)}")
        said += [f"hidden rows left out: {name} {ranges(rows)}" for name, rows in self.rows.items()]
        for name, columns in self.columns.items():
            said.append(f"hidden columns left out: {name} {', '.join(map(letters, sorted(columns)))}")
        if self.formulas:
            said.append(
                f"no saved value for {_counted(len(self.formulas), 'formula')}, first {self.formulas[0]}: "
                "open the file in its program, save it and add it again"
            )
        if self.charts:
            said.append(f"{_counted(self.charts, 'chart')} left out")
        if self.lost_texts:
            said.append(f"{_counted(self.lost_texts, 'cell')} without text: it is not in the file")
        return said


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
