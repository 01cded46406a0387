"""Follow-ups: does a question lean on what was said before it? Rules, no model.

A pronoun counts unless it is expletive ("is it allowed to…", "how long does it take to…"), or what
it stands for is in the question itself ("Can employees carry forward their leave?").
"""

from __future__ import annotations

import regex

MAX_ELLIPSIS_WORDS = 4
"""A question of so few words without a question word is the rest of a longer one ("And for interns?")."""

MAX_FOLLOW_UP_CHARS = 600
"""A longer question brings its own subject."""

CHARS_PER_WORD = 2
"""Of scripts written without blanks."""

_AUXILIARY = r"(?:can|could|may|might|must|shall|should|will|would|do|does|did)"
_ONE = r"(?:an?|the|each|every|any|no)\s+(?:\p{L}[\p{L}'’-]*\s+){0,3}?\p{L}[\p{L}'’-]*(?<![^s]s)"
_MANY = r"(?:\p{L}[\p{L}'’-]*\s+){0,3}?\p{L}{2,}(?<!ss|us|is)(?<=s)"
_IT, _THEY = r"\b(?:its?|his|her|he|she|him)\b", r"\b(?:they|their|theirs|them)\b"
_OF_THEIRS = r"\b(?:its|his|her|their)\b"

_BOUND = tuple(
    regex.compile(pattern, regex.IGNORECASE)
    for pattern in (
        # A possessive after the subject of its own clause.
        rf"\b{_AUXILIARY}\s+(?:{_ONE})\s+.*?\K(?:\b(?:its|his|her|their)\b)",
        rf"\b{_AUXILIARY}\s+(?:{_MANY})\s+.*?\Ktheir\b",
        rf"\b(?:which|what|how many)\s+(?:{_MANY})\s+.*?\K(?:{_THEY})",
        # A pronoun after a clause, or in a second question, with what it stands for before it.
        rf"\b(?:if|when|whenever|once|after|before|unless|while)\s+(?:{_ONE})\s+.*?\K(?:{_IT}|\btheir\b)",
        rf"\b(?:if|when|whenever|once|after|before|unless|while)\s+(?:{_MANY})\s+.*?\K(?:{_THEY})",
        rf"\b(?:{_ONE})\s+.*?\band\s+(?:wh\w+|how|is|was|does|did|can|must|should)\b.*?\K(?:{_IT})",
        r"(?<!\p{L})(?:जो|जिस|जिन|जब|अगर|यदि)(?:\p{L}|\p{M})*\s.*?\K(?:[इउ][सन]\p{M}*(?:का|की|के|को|में|से|पर|ने)?|वह|वे|ये)"
        r"(?!\p{L}|\p{M})",
    )
)

_FITTING = (
    r"(?:ok|okay|fine|alright|(?:im)?possible|allowed|permitted|permissible|(?:un)?necessary|mandatory|compulsory|"
    r"obligatory|optional|required|(?:il)?legal|(?:un)?lawful|(?:un)?safe|dangerous|hard|difficult|eas(?:y|ier)|"
    r"better|best|worth|wise|advisable|good|bad|true|false|correct|wrong|important|essential|enough|sufficient|"
    r"common|normal|usual|(?:un)?likely|clear|known|said|stated|assumed|expected|forbidden|prohibited|acceptable|"
    r"appropriate|feasible|useful|helpful|cheaper|faster|sensible|reasonable|fair|time)"
)
_EXPLETIVE = regex.compile(
    rf"\bit(?:['’]s|\s+is|\s+was|\s+(?:will|would)\s+be)?\s+(?:(?:be|not|still|ever|also|always|legally|really)\s+)*"
    rf"(?:{_FITTING}(?:\s+\S+){{0,6}}?\s+(?:to(?!\s+be\s+\p{{L}}+(?:ed|en)\b)|that|whether)"
    r"|(?:ok|okay|fine|alright|better|best|matter|help)\s+(?:if|when)"
    r"|(?:usually\s+|normally\s+)?(?:take|cost|mean|matter|help|make\s+sense)s?(?:\s+\S+){0,7}?\s+"
    r"(?:to|that|whether|if|when|before|until))\b",
    regex.IGNORECASE,
)
_ACRONYM = regex.compile(r"\bIT\b")
_POINTS_BACK = regex.compile(
    r"\b(?:its?|they|them|theirs?|he|him|his|she|hers?|these|"
    r"those(?!\s+(?:who|whose|whom|that|which|with|without|in|of|on|under|above|below|over|aged|not|working))|"
    r"(?:about|after|before|by|for|from|in|of|on|than|to|under|with|is|does|was|did|if|and)\s+(?:this|that)(?!\s+of\b)|"
    r"(?:that|this|which)\s+(?:one|case|rule|amount|limit)(?=\W|$)|(?:does|do|is|would|will)\s+the\s+same|"
    r"the\s+(?:above|other\s+one|second\s+one|first\s+one)|the\s+(?:former|latter)(?=\W*$|['’]s|\s+(?:is|one|be)\b)|"
    r"(?:what|who|where|when|how|anything|anyone)\s+else)\b"
    r"|(?<!\p{L})(?:[इउ]स(?:का|की|के|को|में|से|पर|ने|े)?|[इउ]न(?:का|की|के|को|में|से|पर)?|[इउ]न्ह(?:ें|ोंने)|"
    r"वह|वे|यह|ये|वही|यही)(?!\p{L}|\p{M})"
    r"|(?<![其吉の])[它他她](?!人|の|に)们?的?|这个|那个|それ(?!ぞれ)|その(?!他|もの|まま|うち)|これ(?!から|まで)|この"
    r"|그것|그건|이것|이건"
    r"|\b(?:davon|dafür|dazu|eso|ello|cela|ça|это|этого|этом)\b",
    regex.IGNORECASE,
)
_OPENING = regex.compile(
    r"^\W*(?:(?:and|but|or|so|then|also|same|what\s+about|how\s+about|what\s+if|why\s+not|why\s+so|how\s+so|"
    r"how\s+come|since\s+when|go\s+on|continue|elaborate|more\s+(?:details?|examples?|about)|"
    r"और|तो|लेकिन|फिर|et|y|und|aber|pero|mais|а|и|ve|e)\b"
    r"|(?:why|how|when|where|who|more|क्यों|कैसे|为什么|なぜ)\W*$|那|그럼|では)",
    regex.IGNORECASE,
)
_QUESTION_WORD = regex.compile(
    r"\b(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|may|must|should|"
    r"will|would|list|show|tell|explain|describe|give|find|define|summari[sz]e|compare"
    r"|qué|cuál(?:es)?|cuándo|dónde|quién(?:es)?|cómo|cuánt[oa]s?|qual|quais|quando|onde|quem|como|quant[oa]s?"
    r"|quel(?:le)?s?|quand|où|qui|comment|combien|pourquoi|quale|quali|dove|chi|perché|cosa"
    r"|wer|wie|wo|wann|warum|welche[mnrs]?|wieviel|что|кто|где|когда|как\p{L}{0,3}|сколько|почему|ли"
    r"|ما|ماذا|من|متى|أين|كيف|كم|هل|لماذا|τι|πότε|πού|πώς|γιατί|ποι\p{L}+|πόσ\p{L}+"
    r"|nedir|kim|nasıl|kaç|neden|hangi|nerede|gì|khi\s+nào|ở\s+đâu|bao\s+nhiêu|thế\s+nào|tại\s+sao)\b"
    r"|क्या|कौन|कब|कहाँ|कहां|कितन|कैसे|किस|क्यों|काय|कधी|कुठे|किती|কি|কী|কখন|কোথায়|কেন|কত"
    r"|என்ன|எப்போது|எங்கே|யார்|ஏன்|எப்படி|எவ்வளவு|எத்தனை"
    r"|[吗呢什哪谁几]|多少|多久|多长|怎|如何|是否|为何|何|誰|どこ|いつ|なぜ|どう|どの|いくら|か[?？。]?$"
    r"|무엇|뭐|언제|어디|누구|왜|어떻게|얼마|몇|까[?？]?$|나요"
    r"|อะไร|เท่าไ|เมื่อไ|ใคร|ที่ไหน|ทำไม|อย่างไร|ยังไง|กี่|ไหม",
    regex.IGNORECASE,
)
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")

_SHORTER = (
    r"(?:shorten|summari[sz]e|condense|abbreviate|(?:make|put|say|give)\b.*\b(?:shorter|shortly|briefly|concise|"
    r"in\s+(?:short|brief|one\s+(?:line|sentence)|a\s+(?:line|sentence|few\s+words))))"
)
_REWORD = r"(?:rephrase|reword|repeat|simplify|translate|expand|elaborate|explain|clarify)"
_REPLY = (
    r"(?:(?:your|the|that|this)\s+(?:(?:last|previous|above)\s+)?(?:reply|replies|answers?|response|message)"
    r"|(?:it|that|this)(?=\W*$|\s+(?:please|in|into|to|as|for|more|again|further|briefly|a\s+bit|shorter|better)\b))"
)
_POLITE = r"^\W*(?:(?:please|now|ok|okay|can|could|would|will|you|just|kindly)\b\W*)*"
_SHORTER_REPLY = regex.compile(
    rf"{_POLITE}{_SHORTER}\b.*\b{_REPLY}|{_POLITE}(?:make|put|say|give)\s+{_REPLY}.*\b(?:short|shorter|brief|briefly|"
    rf"concise|one\s+(?:line|sentence))|{_POLITE}(?:give\s+me\s+)?(?:a\s+)?(?:shorter|briefer|more\s+concise)"
    rf"(?:\s+(?:answer|reply|version|response))?\W*$|{_POLITE}(?:in\s+short|briefly|tl;?dr)\W*$",
    regex.IGNORECASE,
)
_OTHER_REPLY = regex.compile(
    rf"{_POLITE}{_REWORD}\s+(?:on\s+|upon\s+)?{_REPLY}|\b(?:your|the)\s+(?:last|previous)\s+(?:reply|answer|response)\b"
    rf"|{_POLITE}(?:again|repeat|say\s+(?:that|it)\s+again)\W*$",
    regex.IGNORECASE,
)


def leans_on_history(question: str) -> bool:
    """True when the question cannot be understood without the one before it."""
    if len(question) > MAX_FOLLOW_UP_CHARS:
        return False
    if _OPENING.search(question):
        return True
    if _POINTS_BACK.search(_without_what_stands_alone(question)):
        return True
    return is_bare_ellipsis(question)


def is_bare_ellipsis(question: str) -> bool:
    """True when only its shortness says that the question continues the one before: `her email?` does,
    `capital of Mongolia?` does not, and which of the two it is shows in what is found."""
    return (
        len(question) <= MAX_FOLLOW_UP_CHARS
        and _word_count(question) <= MAX_ELLIPSIS_WORDS
        and not _QUESTION_WORD.search(question)
        and not _OPENING.search(question)
        and not _POINTS_BACK.search(_without_what_stands_alone(question))
    )


def asks_about_reply(question: str) -> bool:
    """True when the question is about the last reply itself: its length, its wording."""
    return asks_for_shorter(question) or bool(_OTHER_REPLY.search(question))


def asks_for_shorter(question: str) -> bool:
    """True when the last reply is to be made shorter."""
    return bool(_SHORTER_REPLY.search(question))


def _without_what_stands_alone(question: str) -> str:
    """The question without pronouns that stand for nothing said before."""
    text = question if question.isupper() else _ACRONYM.sub(" ", question)
    text = str(_EXPLETIVE.sub(" ", text))
    for pattern in _BOUND:
        # Only a first pronoun can be bound by what is before it; the ones after it share its referent.
        match = pattern.search(text)
        if match and not _POINTS_BACK.search(text[: match.start()]):
            text = text[: match.start()] + str(_ANY_PRONOUN.sub(" ", text[match.start() :]))
    return text


_ANY_PRONOUN = regex.compile(
    rf"{_IT}|{_THEY}|[इउ][सन]\p{{M}}*(?:का|की|के|को|में|से|पर|ने)?|वह|वे|ये", regex.IGNORECASE
)


def _word_count(text: str) -> int:
    unspaced = len(_UNSPACED.findall(text))
    return len(_UNSPACED.sub(" ", text).split()) + unspaced // CHARS_PER_WORD
