import pytest

from prism.ingest.readers.number_format import BUILT_IN, is_date, shown

INDIAN = r"[>=10000000]##\,##\,##\,##0;[>=100000]##\,##\,##0;##,##0"
ACCOUNTING = r'_(* #,##0_);_(* \(#,##0\);_(* "—"_);_(@_)'


@pytest.mark.parametrize(
    ("stored", "code", "seen"),
    [
        ("0.125", "0.0%", "12.5%"),
        ("1234.5", "#,##0.00", "1,234.50"),
        ("-1234.5", "$#,##0.00;[Red]($#,##0.00)", "($1,234.50)"),
        ("-81", r"#,##0\ ;\(#,##0\)", "(81)"),
        ("0", ACCOUNTING, "—"),
        ("12345678", INDIAN, "1,23,45,678"),
        ("1234567", INDIAN, "12,34,567"),
        ("99999", INDIAN, "99,999"),
        ("1234.5", "[$₹-4009] #,##0.00", "₹ 1,234.50"),
        ("1234.5", '"Rs." #,##0', "Rs. 1,235"),
        ("1234567", '0.0,,"M"', "1.2M"),
        ("5551234", "000-0000", "555-1234"),
        ("12", "00000", "00012"),
        ("0.5", ".00", ".50"),
        ("3", "0.##", "3"),
        ("3.14159", "0.##", "3.14"),
        ("2.25", "# ?/?", "2 1/4"),
        ("12345.678", "0.00E+00", "1.23E+04"),
        ("-0.001", "0.00", "0.00"),
        ("2.5", "0", "3"),
        ("0", "0;-0;;@", ""),
        ("5", ";;;", ""),
        ("7", "@", "7"),
        ("1", 'General" units"', "1 units"),
    ],
)
def test_a_number_is_written_as_its_cell_shows_it(stored, code, seen):
    assert shown(stored, code) == seen


@pytest.mark.parametrize(
    ("stored", "code", "seen"),
    [
        ("45292", "yyyy-mm-dd", "2024-01-01"),
        ("45292", BUILT_IN[14], "2024-01-01"),
        ("45292.5", "dd/mm/yyyy hh:mm", "01/01/2024 12:00"),
        ("45292.999999", "yyyy-mm-dd h:mm:ss", "2024-01-02 0:00:00"),
        ("44927", "mmm-yy", "Jan-23"),
        ("45292", "[$-F800]dddd, mmmm dd, yyyy", "Monday, January 01, 2024"),
        ("0.75", "h:mm AM/PM", "6:00 PM"),
        ("1.5", "[h]:mm:ss", "36:00:00"),
        ("1", "yyyy-mm-dd", "1900-01-01"),
        ("61", "yyyy-mm-dd", "1900-03-01"),
        ("-5", "yyyy-mm-dd", "-5"),
        ("99999999", "yyyy-mm-dd", "99999999"),
    ],
)
def test_a_date_is_written_as_its_cell_shows_it(stored, code, seen):
    assert shown(stored, code) == seen
    assert is_date(code)


def test_days_may_be_counted_from_1904():
    assert shown("0", "yyyy-mm-dd", from_1904=True) == "1904-01-01"


@pytest.mark.parametrize(
    ("stored", "seen"),
    [
        ("0.30000000000000004", "0.3"),
        ("0.333333333333333", "0.333333333"),
        ("1234567.891", "1234567.891"),
        ("919876543210", "919876543210"),
        ("1E-7", "1E-07"),
        ("1E+20", "1E+20"),
        ("-2.5", "-2.5"),
        ("n/a", "n/a"),
    ],
)
def test_a_number_without_a_format_is_written_plainly(stored, seen):
    assert shown(stored, "General") == seen


@pytest.mark.parametrize(
    "code", ['"', "\\", "[", "[$", "[>", "[>=x]0", "0;;;;;;", "E+", "/", "?/0", "0/0", "%%", "", "*", "_"]
)
def test_no_format_code_is_too_odd(code):
    for stored in ("0", "-1.5", "45292.75", "1e300", "nan", "inf", ""):
        assert isinstance(shown(stored, code), str)
