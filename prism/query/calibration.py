"""Calibration: the curve that turns a question's features into the probability that it can be answered.

Made by `python -m eval calibrate` from labelled questions, and kept as JSON with all that it rests on. The
curve is logistic: `1 / (1 + exp(-(bias + Σ coefficient · feature)))`. A calibration holds for the models it
was made with. Under other models its numbers mean nothing, so it is ignored with a notice, and the share of
the question's terms that was found decides alone.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeAlias

from prism.errors import SettingsError
from prism.settings import Settings
from prism.types import Notice

SCHEMA_VERSION: Final = 1
PACKAGED: Final = "calibration.json"
"""The calibration of the defaults, beside this file."""

UNCALIBRATED: Final = "gate_uncalibrated"

KNOWN_FEATURES: Final = (
    "sentence",
    "weakest",
    "cosine",
    "coverage",
    "missing_names",
    "missing_figures",
    "negated",
)
"""What a curve of a file may rest on: the names that `evidence.features` gives. A curve over any other never
fits, so that every question would be refused and nobody told why."""

Features: TypeAlias = Mapping[str, float | None]
"""Evidence by name; None where it could not be had (no cosine for a script that the embedder cannot read)."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What features depend on, so that a calibration made under others does not hold.

    `token_recipe` is None without late interaction, `cross_encoder` without one; sizes are in tokens.
    """

    embedder: str
    rerank: tuple[str, ...]
    token_recipe: str | None
    cross_encoder: str | None
    leaf_tokens: int
    context_tokens: int

    @classmethod
    def of(
        cls, settings: Settings, *, embedder: str, token_recipe: str | None, cross_encoder: str | None
    ) -> Circumstances:
        """Those of an engine with these settings and models; what its rerankers do not use is left out."""
        kinds = settings.rerank.kinds
        return cls(
            embedder=embedder,
            rerank=kinds,
            token_recipe=token_recipe if "late_interaction" in kinds else None,
            cross_encoder=cross_encoder if "cross_encoder" in kinds else None,
            leaf_tokens=settings.chunk.leaf_tokens,
            context_tokens=settings.chunk.context_tokens,
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve over some features, coefficients by name."""

    coefficients: Mapping[str, float]
    bias: float

    def fits(self, features: Features) -> bool:
        """Whether all the features it needs are there."""
        return all(features.get(name) is not None for name in self.coefficients)

    def judge(self, features: Features) -> float:
        """The probability in [0, 1] that the question can be answered; the curve must fit."""
        values = {name: features[name] for name in self.coefficients}
        logit = self.bias + sum(
            self.coefficients[name] * value for name, value in values.items() if value is not None
        )
        # The exponent is never positive, so it cannot overflow.
        small = math.exp(-abs(logit))
        return 1.0 / (1.0 + small) if logit >= 0 else small / (1.0 + small)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Curves, the first that fits being used, and the threshold below which a question is refused.

    `made_under` is None for one that holds everywhere; `provenance` says in the file's own words what it
    rests on (date, commit, sets, counts).
    """

    curves: tuple[Curve, ...]
    threshold: float
    made_under: Circumstances | None
    provenance: Mapping[str, Any]

    def judge(self, features: Features) -> float:
        """The probability in [0, 1] that the question can be answered; 0 when nothing is known of it that any
        curve needs."""
        return next((curve.judge(features) for curve in self.curves if curve.fits(features)), 0.0)

    def differences(self, now: Circumstances) -> tuple[str, ...]:
        """What is otherwise now than when it was made, in words; none when it holds."""
        made = self.made_under
        if made is None:
            return ()
        return tuple(
            f"{name.replace('_', ' ')} {_said(before)}, now {_said(after)}"
            for name, before, after in (
                (field.name, getattr(made, field.name), getattr(now, field.name)) for field in fields(now)
            )
            if before != after
        )


BY_COVERAGE: Final = Calibration(
    curves=(Curve({"coverage": 7.89}, -4.45),),
    threshold=0.25,
    made_under=None,
    provenance={"from": "docs/gate.md, column 'coverage alone'"},
)
"""What decides where no calibration holds: the share of the question's terms depends on no model."""


def load_calibration(path: Path | None = None) -> Calibration:
    """Read a calibration.

    Args:
        path: of the file; None means the packaged one.

    Raises:
        SettingsError: there is none, or it is of another form; the message names the field.
    """
    file = path if path is not None else files("prism.query") / PACKAGED
    try:
        body = json.loads(_text(file))
        version = body["schema_version"]
        if type(version) is not int or version != SCHEMA_VERSION:
            raise SettingsError(
                f"gate.calibration: {file} has form {version}; this version of Prism reads form "
                f"{SCHEMA_VERSION}. Make it again with 'python -m eval calibrate --out FILE'."
            )
        return _calibration(body)
    except KeyError as error:
        raise _refused(file, f"{error.args[0]} is missing") from None
    except RecursionError:
        raise _refused(file, "its brackets are nested too deeply to be read") from None
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise _refused(file, f"{type(error).__name__}: {error}") from None


def in_force(calibration: Calibration, now: Circumstances) -> tuple[Calibration, Notice | None]:
    """The calibration itself where it holds; else the share of terms alone, with a notice that says why."""
    different = calibration.differences(now)
    if not different:
        return calibration, None
    return BY_COVERAGE, Notice(
        UNCALIBRATED,
        f"The gate was calibrated under other models ({'; '.join(different)}), so the share of the "
        "question's terms that was found decides alone. Calibrate anew with 'python -m eval calibrate --out "
        "FILE', and name FILE in gate.calibration.",
    )


def _text(file: Path | Traversable) -> str:
    return file.read_text(encoding="utf-8")


def _refused(file: Path | Traversable, why: str) -> SettingsError:
    return SettingsError(
        f"gate.calibration: {file} is no calibration ({why}). Make one with "
        "'python -m eval calibrate --out FILE', or set gate.calibration to null for the packaged one."
    )


def _calibration(body: Mapping[str, Any]) -> Calibration:
    rows = body["curves"]
    if not rows:
        raise ValueError("curves: it has no curve")
    made = body["made_under"]
    return Calibration(
        curves=tuple(_curve(f"curves[{place}]", row) for place, row in enumerate(rows)),
        threshold=_within(_number("threshold", body["threshold"])),
        made_under=None if made is None else _circumstances(made),
        provenance=dict(body["provenance"]),
    )


def _circumstances(made: Mapping[str, Any]) -> Circumstances:
    names = {field.name for field in fields(Circumstances)}
    if different := sorted(names ^ set(made)):
        raise ValueError(f"made_under must have {', '.join(sorted(names))}; check {', '.join(different)}")
    if not isinstance(made["rerank"], list):
        raise ValueError(f"made_under.rerank is a list of kinds, not {made['rerank']!r}")
    return Circumstances(**{**made, "rerank": tuple(made["rerank"])})


def _curve(field: str, row: Mapping[str, Any]) -> Curve:
    coefficients = {
        _known(field, name): _number(f"{field}.coefficients.{name}", value)
        for name, value in row["coefficients"].items()
    }
    if not coefficients:
        raise ValueError(f"{field}.coefficients: a curve needs a feature, of {', '.join(KNOWN_FEATURES)}")
    return Curve(coefficients, _number(f"{field}.bias", row["bias"]))


def _known(field: str, name: str) -> str:
    if name not in KNOWN_FEATURES:
        known = ", ".join(KNOWN_FEATURES)
        raise ValueError(f"{field}.coefficients: {name!r} is no feature; known are {known}")
    return name


def _number(field: str, value: object) -> float:
    """JSON knows more than numbers, and larger ones than a float holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{field} is no number but {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{field} is not a finite number: it has over 308 digits") from None
    if not math.isfinite(number):
        raise ValueError(f"{field} is not a finite number")
    return number


def _within(threshold: float) -> float:
    if not 0.0 <= threshold <= 1.0:
        raise ValueError(f"threshold {threshold} is not between 0 and 1")
    return threshold


def _said(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
