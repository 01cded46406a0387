from xml.etree import ElementTree

from prism.ingest.readers.builder import TextBuilder
from prism.ingest.readers.drawing import diagram_items, paragraph_text, write_chart


def xml(text: str):
    return ElementTree.fromstring(text)  # noqa: S314


def chart_text(inside: str) -> str:
    builder = TextBuilder()
    write_chart(builder, xml(f"<c>{inside}</c>"))
    return builder.loaded(title="t", media_type="x").text


def points(*values: str) -> str:
    return "".join(f'<pt idx="{place}"><v>{value}</v></pt>' for place, value in enumerate(values))


def test_series_of_one_set_of_categories_are_one_table():
    series = "".join(
        f"<ser><tx><v>{name}</v></tx><cat>{points('a', 'b')}</cat><val>{points(*values)}</val></ser>"
        for name, values in (("North", ("1", "2")), ("South", ("0.30000000000000004", "4")))
    )
    assert chart_text(series) == " | North | South\na | 1 | 0.3\nb | 2 | 4"


def test_numbers_are_shown_as_their_format_shows_them():
    cat = (
        f"<cat><numRef><numCache><formatCode>d/m/yyyy</formatCode>{points('45323')}</numCache></numRef></cat>"
    )
    assert chart_text(f"<ser>{cat}<val>{points('7')}</val></ser>") == "1/2/2024 | 7"


def test_categories_of_several_levels_are_joined_from_the_outside_in():
    levels = f"<multiLvlStrRef><lvl>{points('Q1', 'Q2')}</lvl><lvl>{points('2024')}</lvl></multiLvlStrRef>"
    assert chart_text(f"<ser><cat>{levels}</cat><val>{points('1', '2')}</val></ser>") == "2024 Q1 | 1\nQ2 | 2"


def test_newer_charts_are_read():
    inside = (
        "<chartData><data><strDim><lvl><pt idx='0'>Rent</pt></lvl></strDim>"
        "<numDim><lvl><pt idx='0'>12</pt></lvl></numDim></data></chartData>"
        "<title><tx><txData><v>Costs</v></txData></tx></title><series/>"
    )
    assert chart_text(inside) == "Chart: Costs\n\nRent | 12"


def test_a_diagram_that_turns_in_a_circle_ends():
    points_ = "".join(f"<pt modelId='{n}'><t><p><r><t>{n}</t></r></p></t></pt>" for n in "ab")
    links = "<cxn srcId='a' destId='b'/><cxn srcId='b' destId='a'/>"
    assert diagram_items(xml(f"<d>{points_}{links}</d>")) == [(0, "a"), (0, "b")]


def test_a_slides_own_number_is_no_text():
    fields = "<fld type='slidenum'><t>7</t></fld><br/><fld type='datetime'><t>May</t></fld>"
    assert paragraph_text(xml(f"<p><r><t>Page </t></r>{fields}</p>")) == "Page \nMay"
