from __future__ import annotations

import pytest

from prism.query.legs import weigh_legs
from prism.query.retrieve import Leg
from prism.settings import RetrievalSettings

DENSE = Leg("dense", lambda text, k: ())
KEYWORD = Leg("keyword", lambda text, k: ())


def test_legs_weigh_what_the_settings_say() -> None:
    settings = RetrievalSettings(dense_weight=0.7, keyword_weight=0.3)
    assert weigh_legs([DENSE, KEYWORD], settings, holds_code=False, reads=True) == {
        "dense": 0.7,
        "keyword": 0.3,
    }


def test_the_only_leg_left_decides_alone() -> None:
    settings = RetrievalSettings(dense_weight=1.0, keyword_weight=0.0)
    assert weigh_legs([KEYWORD], settings, holds_code=False, reads=True) == {"keyword": 1.0}


@pytest.mark.parametrize("legs", [[DENSE, KEYWORD], [DENSE], [KEYWORD]])
def test_a_code_gives_the_keywords_the_word_where_there_are_any(legs) -> None:
    settings = RetrievalSettings(dense_weight=0.5, keyword_weight=0.5)
    weights = weigh_legs(legs, settings, holds_code=True, reads=True)
    assert weights.keys() == {leg.kind for leg in legs}
    if len(legs) == 2:
        assert 0 < weights["dense"] < weights["keyword"] == 0.5
    else:
        assert set(weights.values()) == {0.5}


def test_in_a_language_that_is_not_read_the_dense_leg_counts_a_quarter_beside_the_keywords() -> None:
    settings = RetrievalSettings(dense_weight=0.6, keyword_weight=0.4)
    weights = weigh_legs([DENSE, KEYWORD], settings, holds_code=False, reads=False)
    assert weights == pytest.approx({"dense": 0.15, "keyword": 0.4})
    assert weigh_legs([DENSE], settings, holds_code=False, reads=False) == {"dense": 0.6}
