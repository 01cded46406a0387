"""RTF's words by what they mean to a reader (Rich Text Format specification 1.9.1)."""

from __future__ import annotations

import re
from typing import Final

CHARACTERS: Final = {
    "tab": "\t", "line": "\n", "softline": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ",
    "zwj": "\u200d", "zwnj": "\u200c", "~": "\u00a0", "_": "-", "column": "\n", "softpage": "",
}  # fmt: skip
"""Words that stand for a character."""

SKIPPED: Final = frozenset(
    (
        "colortbl", "pict", "objdata", "objclass", "objname", "themedata", "datastore", "latentstyles",
        "rsidtbl", "generator", "xmlnstbl", "listtable", "listoverridetable", "revtbl", "filetbl",
        "fontemb", "fontfile", "shprslt", "sp", "sn", "sv", "nonshppict", "mmathPr", "mmathPict",
        "nonesttables", "atnref", "atnid", "atntime", "atndate", "atnicn", "atnparent", "bkmkstart",
        "bkmkend", "xe", "tc", "rxe", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "ftncn", "aftncn",
        "template", "comment", "author", "operator", "keywords", "subject", "doccomm", "company", "manager",
        "category", "hlinkbase", "creatim", "revtim", "printim", "buptim", "userprops", "xmlopen",
        "xmlclose", "factoidname", "formfield", "passwordhash", "protusertbl", "blipuid", "picprop",
        "background", "staticval", "linkval", "propname", "pgptbl", "mmaths", "pnseclvl", "pn", "listname"
    )
)  # fmt: skip
"""Groups that hold no text, or none that is seen."""

ENTERED: Final = frozenset(
    (
        "shpinst",
        "do",
        "ud",
        "atnauthor",
        "annotation",
        "fldinst",
        "moMath",
        "moMathPara",
        "nesttableprops",
        "shppict",
    )
)
"""Groups that are marked as ignorable (`\\*`) and hold what a reader sees."""

EDGES: Final = {
    name + which: name.capitalize() for name in ("header", "footer") for which in ("", "l", "r", "f")
}
"""Running headers and footers: of all, left, right and first pages."""

HEADING: Final = re.compile(r"heading ([1-9])", re.I)
"""Names of the styles of headings."""

VARYING: Final = re.compile(
    r"\s*(?:PAGE|NUMPAGES|SECTIONPAGES|DATE|TIME|FILENAME|SAVEDATE|PRINTDATE)\b", re.I
)
"""Fields that differ from page to page or day to day."""
