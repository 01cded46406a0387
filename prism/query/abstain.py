"""Abstain: say that the documents do not answer, in the question's language."""

from __future__ import annotations

import regex

NO_DOCUMENTS = "No documents yet: add some with 'prism ingest PATH', or widen the scope."

_TEXTS = {
    "en": "Insufficient information: the documents do not answer this question.",
    "hi": "अपर्याप्त जानकारी: दस्तावेज़ों में इस प्रश्न का उत्तर नहीं मिला।",
    "zh": "信息不足：文档中没有这个问题的答案。",
    "ja": "情報不足：文書の中にこの質問への答えは見つかりませんでした。",
    "ko": "정보 부족: 문서에서 이 질문에 대한 답을 찾을 수 없습니다.",
    "ar": "معلومات غير كافية: لا تجيب المستندات عن هذا السؤال.",
    "ru": "Недостаточно информации: документы не отвечают на этот вопрос.",
    "el": "Ανεπαρκείς πληροφορίες: τα έγγραφα δεν απαντούν σε αυτή την ερώτηση.",
    "th": "ข้อมูลไม่เพียงพอ: เอกสารไม่มีคำตอบสำหรับคำถามนี้",
    "es": "Información insuficiente: los documentos no responden a esta pregunta.",
    "fr": "Informations insuffisantes : les documents ne répondent pas à cette question.",
    "de": "Unzureichende Informationen: Die Dokumente beantworten diese Frage nicht.",
    "pt": "Informação insuficiente: os documentos não respondem a esta pergunta.",
    "it": "Informazioni insufficienti: i documenti non rispondono a questa domanda.",
    "tr": "Yetersiz bilgi: belgeler bu soruyu yanıtlamıyor.",
    "vi": "Không đủ thông tin: tài liệu không trả lời câu hỏi này.",
    "ro": "Informații insuficiente: documentele nu răspund la această întrebare.",
}

_CITES = regex.compile(r"\[\d+\]")

_SAYS_SO = regex.compile(
    "|".join(regex.escape(regex.split("[:：]", text)[0].strip()) for text in _TEXTS.values()),
    regex.IGNORECASE,
)


def abstention(language: str) -> str:
    """The not-found text of a language (ISO 639-1), English for one not listed."""
    return _TEXTS.get(language, _TEXTS["en"])


def is_abstention(answer: str) -> bool:
    """True when a model's answer begins by saying that information is insufficient, and cites nothing for
    it: a document may tell of a case where it was."""
    return bool(_SAYS_SO.match(answer.lstrip(" \n*_#>\"'“"))) and not _CITES.search(answer)
