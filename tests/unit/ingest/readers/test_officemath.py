from xml.etree import ElementTree

import pytest

from prism.ingest.readers.officemath import linear


def r(text: str) -> str:
    return f"<r><t>{text}</t></r>"


@pytest.mark.parametrize(
    ("inside", "written"),
    [
        (r("E=m") + f"<sSup><e>{r('c')}</e><sup>{r('2')}</sup></sSup>", "E=mc^2"),
        (f"<f><num>{r('a')}</num><den>{r('b+1')}</den></f>", "a/(b+1)"),
        (f"<rad><radPr/><deg/><e>{r('x')}</e></rad>", "√(x)"),
        (f"<rad><deg>{r('3')}</deg><e>{r('x')}</e></rad>", "3√(x)"),
        (f"<sSubSup><e>{r('x')}</e><sub>{r('i')}</sub><sup>{r('n')}</sup></sSubSup>", "x_i^n"),
        (f"<d><e>{r('a')}</e><e>{r('b')}</e></d>", "(a, b)"),
        (
            f"<nary><naryPr><chr val='∑'/></naryPr><sub>{r('i=1')}</sub>"
            f"<sup>{r('n')}</sup><e>{r('i')}</e></nary>",
            "∑_(i=1)^n i",
        ),
        (
            f"<m><mr><e>{r('1')}</e><e>{r('0')}</e></mr><mr><e>{r('0')}</e><e>{r('1')}</e></mr></m>",
            "[1, 0; 0, 1]",
        ),
    ],
)
def test_a_formula_is_written_as_one_would_type_it(inside, written):
    assert linear(ElementTree.fromstring(f"<oMath>{inside}</oMath>")) == written  # noqa: S314
