import pytest

from prism.text.listing import listed


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ([], ""),
        ([2], "2"),
        ([2, 3], "2–3"),
        ([1, 2, 3, 7], "1–3, 7"),
        ([2, 5, 7, 9, 10, 11], "2, 5 and 4 more"),
    ],
)
def test_neighbours_are_a_range_and_the_rest_is_counted(sheets, said):
    assert listed(sheets, most=2) == said
