"""How likely a text is under a code page: which of several readings of the same bytes makes sense.

Every reading of the bytes is scored with a small character model: natural logarithms of rough
frequencies, summed over the text, so that readings of different lengths (one byte a letter, two bytes a
letter) compare. Characters fall in tiers: frequent, usual and rare ones of the code page's own
languages, and everything else. Letters that break a word's case, or signs inside a word, cost extra:
that is how wrong readings look.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

CODE_PAGES = (
    "cp1252", "cp1250", "cp1251", "cp1254", "cp1257", "cp1253", "cp1255", "cp1256", "cp874",
    "gb18030", "big5hkscs", "cp932", "cp949", "euc_jp", "iso2022_jp",
    "koi8_r", "koi8_u", "cp866", "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_15", "mac_roman", "cp850",
)  # fmt: skip
"""The encodings told apart, most common first; of equal readings the earlier one is reported."""

_PRIOR = {
    "cp1250": -3.0, "cp1254": -3.0, "cp1257": -3.5, "iso8859_2": -3.2, "iso8859_15": -3.0,
    "cp1253": -3.0, "cp1255": -1.0, "cp1256": -3.0, "cp874": -4.0, "iso8859_7": -4.0,
    "gb18030": -2.0, "big5hkscs": -3.0, "cp932": -3.0, "cp949": -3.0, "euc_jp": -6.0,
    "koi8_r": -2.0, "koi8_u": -4.0, "cp866": -5.0, "iso8859_5": -5.0, "mac_roman": -7.0, "cp850": -7.0,
}  # fmt: skip
"""How much rarer than Windows-1252 and Windows-1251 an encoding is met (natural logarithm)."""

_LATIN_FREQUENT = {
    "cp1252": "éèàäöüßçñáíóúêâåøæãõë",
    "cp1250": "áéíóúýčďěňřšťůžąćęłńśźżőűăâîșțşţäöü",
    "cp1254": "ğışçöüİâ",
    "cp1257": "āčēģīķļņšūžąęėįųõäöü",
}
_LATIN_USUAL = {
    "cp1252": "ÉÀÄÖÜÇÑÁÍÓÚÅØÆÊîôûïìòùœÈ",
    "cp1250": "ČŘŠŽŁŚŻŹĆÁÉÍÓÚÝÖÜŐŰĎĚŇŤŮĐđÎŞŢßôëľĺŕ",
    "cp1254": "ĞŞÇÖÜîûé",
    "cp1257": "ĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜßéó",
}
_LATIN_ALIASES = {
    "iso8859_2": "cp1250", "iso8859_15": "cp1252", "mac_roman": "cp1252", "cp850": "cp1252",
}  # fmt: skip
_ALPHABETS = {
    "cp1251": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ",
    "cp1253": "αοιετσνηυρπκμλςωγδάίόέήχθφβύώξζψϊϋΐ",
    "cp1255": "יוהלאתמרבשנעדחקפכטגםצסזןךףץ",
    "cp1256": "اليمونرتبعدسفهكقةحجأشصخىذضطئزثإغءظآؤپچگژیک",
    "cp874": "านรอกเงมยลวดท่้สตะปบคไหจพชขใีิัุโูแณผึซธถภศษฟญื์็ฐำ",
}
_ALPHABET_ALIASES = {
    "koi8_r": "cp1251", "koi8_u": "cp1251", "cp866": "cp1251", "iso8859_5": "cp1251", "iso8859_7": "cp1253",
}  # fmt: skip

_HANZI_SIMPLIFIED = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家"
    "种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十"
    "民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯"
    "月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女"
    "变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基"
    "费假限元每款规章级节额存付银账户率息税务申请批准员工薪离职通知合同"
)
_HANZI_TRADITIONAL = frozenset(
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家"
    "種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十"
    "民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯"
    "月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女"
    "變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基"
    "費假限元每款規章級節額存付銀帳戶率息稅申請批准員薪離職通知合約"
)
_KANJI_FREQUENT = frozenset(
    "日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入"
    "選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強"
    "気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書"
    "料金額限休暇規則申請給与税費"
)
_HANGUL_FREQUENT = frozenset(
    "이다는의에을가고를한은하지로사도기어리인시나자그있정수아대들일부서구전만제보해스것라으여니게면원주과장상안성조공동세"
    "연비오적우소문방모음화당했개생말중물신미용거와국까없경된었였때선무년유학차관히계요람회려내습입금액월출퇴직연휴가"
)

_ASCII_LETTER, _ASCII_SPACE, _ASCII_OTHER, _ASCII_UPPER = -3.0, -1.9, -4.2, -4.5
_FREQUENT, _USUAL, _PUNCTUATION, _RARE, _STRANGE = -4.6, -6.5, -6.0, -10.0, -13.0
_FREQUENT_HAN, _USUAL_HAN, _RARE_HAN, _KANA, _FOREIGN = -6.0, -8.8, -13.0, -5.0, -15.0
_BREAKS_WORD, _MIXES_SCRIPTS, _ODD_SPELLING = -4.0, -7.0, -3.0
_HEBREW_FINAL, _HEBREW_NOT_FINAL = frozenset("ךםןףץ"), frozenset("כמנפצ")
_NEVER_IN_WORDS = frozenset(
    "№£¥€¤¦§¨©«¬®±²³¶¸¹»¼½¾¿×÷†‡‰¡¢¯ªº´ˇ˘˙˛˝√∫≈≤≥∞∂∏π│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀░▒▓■"
)
_FREQUENT_SIGNS = frozenset("’“”–—€£§°•«»")
_SIGNS = frozenset("‘„…·©®™№ ±×½¼¾¿¡²³µ¥")
_WIDE_SIGNS = frozenset("、。，「」『』（）：；！？・％“”—…《》【】〜～￥　０１２３４５６７８９‘’·①②③④⑤")


def log_likelihood(text: str, code_page: str) -> float:
    """Natural logarithm of a rough probability of `text`, had it been written for `code_page`."""
    total = _PRIOR.get(code_page, 0.0)
    before = " "
    for character in text:
        total += _log_frequency(character, code_page)
        if not character.isascii() or not before.isascii():
            total += _fit(before, character)
        before = character
    return total + _fit(before, " ")


@lru_cache(maxsize=65536)
def _log_frequency(character: str, code_page: str) -> float:
    if character.isascii():
        return _ascii(character)
    if code_page in _EAST_ASIAN:
        return _east_asian(character, code_page)
    if character in _FREQUENT_SIGNS:
        return _FREQUENT
    if character in _SIGNS:
        return _PUNCTUATION
    latin = _LATIN_ALIASES.get(code_page, code_page)
    if latin in _LATIN_FREQUENT:
        return _tier(character, _LATIN_FREQUENT[latin], _LATIN_USUAL[latin])
    return _alphabet(character, _ALPHABETS[_ALPHABET_ALIASES.get(code_page, code_page)])


def _ascii(character: str) -> float:
    if character in " \n\r\t":
        return _ASCII_SPACE
    if character.isalpha():
        return _ASCII_UPPER if character.isupper() else _ASCII_LETTER
    return _ASCII_OTHER if character.isprintable() else _STRANGE


def _tier(character: str, frequent: str, usual: str) -> float:
    if character in frequent:
        return _FREQUENT
    if character in usual:
        return _USUAL
    return _RARE if character.isalpha() else _STRANGE


def _alphabet(character: str, letters: str) -> float:
    """Zipf over the alphabet: the most frequent letter about 1 in 10, the last about 1 in 1,000."""
    rank = letters.find(character.lower())
    if rank >= 0:
        capital = -2.0 if character != character.lower() else 0.0
        return -2.3 - 0.11 * rank + capital
    return _RARE if unicodedata.category(character) in ("Mn", "Nd", "Lo", "Ll") else _STRANGE


def _fit(before: str, character: str) -> float:
    """What two neighbours say against a reading: a capital after a small letter, a sign inside a word,
    two scripts in one word."""
    if before.islower() and character.isupper():
        return _BREAKS_WORD
    if _ends_wrongly(before, character):
        return _ODD_SPELLING
    scripts = _script(before), _script(character)
    if "SIGN" in scripts:
        other = character if scripts[0] == "SIGN" else before
        sign = before if scripts[0] == "SIGN" else character
        return _BREAKS_WORD if other.isalpha() and sign in _NEVER_IN_WORDS else 0.0
    if " " in scripts or scripts[0] == scripts[1]:
        return 0.0
    return _MIXES_SCRIPTS


def _ends_wrongly(before: str, character: str) -> bool:
    """Spelling rules that tell look-alike code pages apart: Hebrew final letters, õ and ù, lone ů."""
    if before in _HEBREW_FINAL:
        return character.isalpha()
    if before in _HEBREW_NOT_FINAL:
        return not character.isalpha()
    if before == "õ":
        return character not in "e"
    return character == "ù" and before not in "oiO"


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """A coarse script name: that of a letter, `SIGN` for a sign beyond ASCII, a space for the rest."""
    if character.isascii():
        return "LATIN" if character.isalpha() else " "
    if unicodedata.category(character)[0] not in "LM":
        return "SIGN"
    name = unicodedata.name(character, "?").replace("-", " ").split()[0]
    return "EAST" if name in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "HALFWIDTH", "FULLWIDTH") else name


def _east_asian(character: str, code_page: str) -> float:
    if character in _WIDE_SIGNS:
        return _PUNCTUATION
    kind = unicodedata.name(character, "?").split()[0]
    return _EAST_ASIAN[code_page](character, kind)


def _chinese(character: str, kind: str, frequent: frozenset[str], legacy: str, last_usual: int) -> float:
    if kind != "CJK":
        return _RARE_HAN if kind in ("FULLWIDTH", "GREEK", "CYRILLIC") else _FOREIGN
    if character in frequent:
        return _FREQUENT_HAN
    return _USUAL_HAN if _lead_byte(character, legacy) <= last_usual else _RARE_HAN


def _simplified(character: str, kind: str) -> float:
    # GB 2312 rows up to 0xD7 hold the 3,755 usual characters.
    return _chinese(character, kind, _HANZI_SIMPLIFIED, "gb2312", 0xD7)


def _traditional(character: str, kind: str) -> float:
    # Big5 lead bytes up to 0xC6 hold the 5,401 usual characters.
    return _chinese(character, kind, _HANZI_TRADITIONAL, "big5", 0xC6)


def _japanese(character: str, kind: str) -> float:
    if kind in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"):
        return _KANA
    if kind != "CJK":
        return _FOREIGN
    if character in _KANJI_FREQUENT:
        return _FREQUENT_HAN
    # JIS X 0208 rows up to 0xCF (in EUC) hold the 2,965 usual characters.
    return _USUAL_HAN if _lead_byte(character, "euc_jp") <= 0xCF else _RARE_HAN


def _korean(character: str, kind: str) -> float:
    if kind != "HANGUL":
        return _RARE_HAN if kind == "CJK" else _FOREIGN
    if character in _HANGUL_FREQUENT:
        return _KANA
    return _USUAL_HAN if _lead_byte(character, "euc_kr") <= 0xC8 else _FOREIGN


def _lead_byte(character: str, encoding: str) -> int:
    """The first byte of a character in an older, smaller encoding; 256 when it is not in it."""
    try:
        return character.encode(encoding)[0]
    except UnicodeEncodeError:
        return 256


_EAST_ASIAN = {
    "gb18030": _simplified,
    "big5hkscs": _traditional,
    "cp932": _japanese,
    "euc_jp": _japanese,
    "iso2022_jp": _japanese,
    "cp949": _korean,
}
