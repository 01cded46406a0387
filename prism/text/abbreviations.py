"""Words that carry a full stop without ending a sentence, lower-cased and without that stop.

Grouped by what decides: a title waits for its name, a reference for its number, and the rest end a
sentence only before a word that usually opens one.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """
    mr mrs ms mx dr prof hon rev fr gen col maj capt cmdr lt sgt cpl gov sen rep pres supt
    messrs shri sri smt kum adv vs v rs inr usd eur approx ca cf viz resp incl excl
    mme mlle frl nr abs bzw str sr sra srta dr dra ud uds núm pág ing lic
    г гг ул им стр руб тыс млн млрд пп см рис табл напр гл
    डॉ डा रु रू सं क्र प्रो पं नं स्व पृ ता उदा कि मी लि कं श्री सु कु मो फो टे वि प्र अधि
    ডা ডঃ মো টা নং রু தி திரு டாக் డా శ్రీ ಡಾ ಶ್ರೀ ഡോ ശ്രീ ડૉ શ્રી ਡਾ ਸ
    """
)
"""Always wait for what follows: titles, currencies, and words that introduce."""

REFERENCES = _words(
    """
    sec secs art arts cl cls fig figs no nos p pp ch chap chaps vol vols para paras eq eqs reg regs app
    tab ref refs ex pt sch ann ver rev ed eds r rr s ss sl nr ст п
    """
)
"""Wait for a number: `Sec. 7(b)`, `No. 12`, `Fig. IV`."""

REFERENCES_ALSO_WORDS = _words("no nos art arts fig figs app tab ref ex")
"""References that are words of their own, so that without a number they end a sentence: `No. The fee …`."""

MONTHS_AND_DAYS = _words(
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)
"""Abbreviations when capitalised or before a digit; `sun` and `mar` are words otherwise."""

OTHERS = _words(
    """
    inc ltd co corp llc plc pvt bros assn assoc dept div univ inst govt gov ministry est establ jr esq
    tel ext fax mob min max avg temp wt qty amt acct govt natl intl dist ave blvd rd sq hwy bldg apt ste
    misc orig op cit ibid al seq cont contd encl attn asst admin mfg mfr ms mss phd bsc msc btech mtech
    hrs hr mins secs yr yrs mo mos wk wks lbs oz kg km cm mm ft gal st mt
    gmbh ag bv nv sa spa srl ggf evtl inkl zzgl vgl zb usf и др т.е т.д т.п
    """
)
"""End a sentence only before a word that usually opens one: `Acme Inc. The board met.`"""

NEVER_LAST = _words("e.g i.e p.ex z.b d.h u.a o.ä т.е")
"""Dotted abbreviations that always introduce something."""

LABELS = _words(
    """
    section rule clause article paragraph chapter part step appendix annex schedule table figure page
    item point note question exhibit form regulation
    """
)
"""Words that a number names: `Section 4. Limits` is one heading."""

OPENERS = _words(
    """
    the this that these those it its he she they we you i a an in on at if when while after before as for
    from by all any each every some such there here his her their our your my but and so however moreover
    although because since under with both once what why how where please then thus also to until unless
    during only most many no not one two other another
    """
)
"""Words that usually open a sentence, so that an abbreviation before one was the end of the last."""

MID_PHRASE = (
    LABELS
    | TITLES
    | REFERENCES
    | _words(
        """
        in of to the a an under by with from for than at on is are was were be per see sections rules clauses
        articles paragraphs chapters parts steps about over nearly only between
        """
    )
)
"""Last words of a line that cannot end a phrase: a number that opens the next line is not its marker."""

GERMAN_MONTHS = _words("januar februar märz april mai juni juli august september oktober november dezember")
"""Follow an ordinal written with a full stop: `3. Oktober`."""
