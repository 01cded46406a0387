"""From passages to a checked answer: answer > cite > ground, as a stream that ends with the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from prism.errors import ModelCallError
from prism.models.choose import Chosen
from prism.query.abstain import abstention, is_abstention
from prism.query.align import Alignment, align
from prism.query.assemble import page_refs
from prism.query.cite import CitationFilter, without_marks
from prism.query.condense import Standalone
from prism.query.ground import ground
from prism.query.highlight import highlight
from prism.query.parts import Found, QueryParts
from prism.query.quote import Quote, choose_quotes, quote_spans, write_quotes
from prism.query.rival import find_rival
from prism.query.select import select
from prism.query.write import messages, stream_answer
from prism.text.question_language import language_name, question_language
from prism.text.tokens import content_tokens
from prism.trace import Trace
from prism.types import Answer, Citation, Notice, PageRef, Passage, Sentence, TextDelta


@dataclass(slots=True)
class _Draft:
    """What was said so far, and how."""

    answerer: str
    text: str = ""
    quotes: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    abstained: bool = False


def respond(
    question: Standalone,
    found: Found,
    parts: QueryParts,
    answerer: Chosen,
    history: Sequence[tuple[str, str]],
    trace: Trace,
) -> Iterator[TextDelta | Notice | Answer]:
    """Deltas and notices as they come, and last the whole answer; the deltas join to its text."""
    told = 0

    def new_notices() -> Iterator[Notice]:
        nonlocal told
        yield from trace.notices[told:]
        told = len(trace.notices)

    draft = _Draft(answerer.name)
    alignment: Alignment | None = None
    if found.verdict.abstain or not found.passages:
        _explain_abstention(found, trace)
        yield from new_notices()
        yield _say(draft, abstention(question_language(question.focus)))
        draft.abstained = True
    else:
        yield from new_notices()
        with trace.stage("align"):
            alignment = align(found, parts, trace)
        with trace.stage("answer"):
            yield from _answer(draft, question, found, parts, alignment, answerer, history, trace)
    with trace.stage("ground"):
        sentences, citations = _ground(draft, found.passages, parts, trace)
        if alignment is not None:
            _note_matches(question, citations, alignment, trace)
    yield from new_notices()
    trace.note(model=draft.answerer, abstained=draft.abstained, cited=[item.n for item in citations])
    yield Answer(
        question=question.text,
        text=draft.text,
        abstained=draft.abstained,
        citations=citations,
        sentences=sentences,
        nearest=found.passages if draft.abstained else (),
        notices=trace.notices,
        conversation_id=None,
        trace_id=trace.trace_id,
        model=draft.answerer,
        timings_ms=trace.timings_ms,
    )


def _explain_abstention(found: Found, trace: Trace) -> None:
    if found.is_empty_scope:
        trace.notice(
            "no_documents", "No documents yet: add some with 'prism ingest PATH', or widen the scope."
        )
    elif not found.passages:
        trace.notice("nothing_found", "No passage shares a term or a meaning with the question.")
    elif found.verdict.unknown_codes:
        codes = ", ".join(found.verdict.unknown_codes)
        trace.notice("unknown_code", f"No passage found mentions {codes}; the nearest passages are shown.")
    else:
        trace.notice(
            "weak_evidence",
            f"The evidence scores {found.verdict.score:.2f}, below gate.threshold "
            f"{found.verdict.threshold:.2f}; the nearest passages are shown instead.",
        )


def _answer(
    draft: _Draft,
    question: Standalone,
    found: Found,
    parts: QueryParts,
    alignment: Alignment | None,
    answerer: Chosen,
    history: Sequence[tuple[str, str]],
    trace: Trace,
) -> Iterator[TextDelta | Notice]:
    if answerer.llm is None:
        yield from _quote(draft, question, found, parts, alignment, trace)
        return
    try:
        yield from _write(draft, question, found.passages, parts, answerer, history, trace)
    except ModelCallError as error:
        trace.notice("answerer_failed", f"{error} The documents are quoted instead.")
        draft.answerer = f"{answerer.name}, then quoting"
        if draft.text:
            yield _say(draft, "\n")
        yield from _quote(draft, question, found, parts, alignment, trace)


def _quote(
    draft: _Draft,
    question: Standalone,
    found: Found,
    parts: QueryParts,
    alignment: Alignment | None,
    trace: Trace,
) -> Iterator[TextDelta]:
    scored = select(question, found, parts, alignment)
    quotes = choose_quotes(
        scored,
        max_quotes=1 if question.brief else parts.settings.answer.max_quotes,
        ratio=parts.settings.answer.quote_ratio,
    )
    quotes = _with_rival(quotes, scored, found.passages, trace)
    draft.quotes = quote_spans(quotes)
    if quotes:
        yield _say(draft, write_quotes(quotes))
    elif not draft.text:
        draft.abstained = True
        yield _say(draft, abstention(question_language(question.focus)))


def _with_rival(
    quotes: Sequence[Quote], scored: Sequence[Quote], passages: Sequence[Passage], trace: Trace
) -> tuple[Quote, ...]:
    by_rank = {passage.rank: passage for passage in passages}
    rival = (
        find_rival(quotes[0], scored, lambda quote: by_rank[quote.ranks[0]].document_id) if quotes else None
    )
    if rival is None:
        return tuple(quotes)
    names = [by_rank[quote.ranks[0]].document for quote in (quotes[0], rival)]
    trace.notice(
        "figures_differ",
        f"{names[0]} and {names[1]} say nearly the same with other figures; check which is in force.",
    )
    rest = [quote for quote in quotes[1:] if quote.text != rival.text]
    return (quotes[0], rival, *rest)


def _note_matches(
    question: Standalone, citations: Sequence[Citation], alignment: Alignment, trace: Trace
) -> None:
    """Which words of the passages cited meet which of the question's, as offsets alone."""
    trace.note(
        matches={
            str(item.n): [asdict(match) for match in highlight(question.text, item.passage, alignment)]
            for item in citations
        }
    )


def _write(
    draft: _Draft,
    question: Standalone,
    passages: Sequence[Passage],
    parts: QueryParts,
    answerer: Chosen,
    history: Sequence[tuple[str, str]],
    trace: Trace,
) -> Iterator[TextDelta]:
    assert answerer.llm is not None, "a writing answerer has a model"  # noqa: S101
    window = answerer.llm.metadata
    language = question_language(question.focus)
    prompt = messages(
        question.focus,
        passages,
        history,
        language=language_name(language),
        insufficient=abstention(language),
        budget_tokens=window.context_window - window.num_output,
        count_tokens=parts.embedder.token_count,
    )
    trace.note(prompt_tokens=sum(parts.embedder.token_count(message.content or "") for message in prompt))
    marks = CitationFilter(last=len(passages))
    for delta in stream_answer(answerer.llm, prompt):
        shown = marks.feed(delta)
        if shown:
            yield _say(draft, shown)
    rest = marks.close().rstrip()
    if rest:
        yield _say(draft, rest)
    if marks.removed:
        numbers = ", ".join(map(str, dict.fromkeys(marks.removed)))
        trace.notice("citation_removed", f"The model cited passages that do not exist ({numbers}); removed.")
    if not without_marks(draft.text):
        raise ModelCallError("The language model answered with nothing but marks.")
    draft.abstained = is_abstention(draft.text)


def _say(draft: _Draft, text: str) -> TextDelta:
    draft.text += text
    return TextDelta(text)


def _ground(
    draft: _Draft, passages: Sequence[Passage], parts: QueryParts, trace: Trace
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    if draft.abstained:
        return (), ()

    def pages_between(passage: Passage, start: int, end: int) -> tuple[PageRef, ...]:
        return page_refs(parts.catalogue.pages_between(passage.document_id, passage.generation, start, end))

    sentences, citations = ground(
        draft.text, passages, tokenize=content_tokens, pages_between=pages_between, quotes=draft.quotes
    )
    weak = sum(sentence.support == "unsupported" for sentence in sentences)
    if weak:
        trace.notice(
            "unsupported", f"{weak} of {len(sentences)} sentences could not be confirmed in what they cite."
        )
    return sentences, citations
