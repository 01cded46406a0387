"""A cross-encoder of some ten thousand parameters, made and trained on the spot: BERT with two layers of 16.

It learns the five questions of the self-test by heart: which passage answers which, wherever in a text it
stands, and that talk of other things answers none. So the real classes can be run on a model that ranks.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from prism.models.rerank_selftest import PASSAGES, QUESTIONS

POSITIONS = 128
PAD, UNKNOWN, START, END = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
FILLER = (
    *("the", "committee", "met", "again", "and", "spoke", "about", "trains", "gardens", "music", "windows"),
    *("paper", "weather", "bread", "shoes", "lamps", "birds", "chairs", "stories", "mountains", "letters"),
    *("clocks", "and", "soup", "before", "it", "went", "home"),
)
STEPS = 250
STEP_PAIRS = 32


def talk(words: int, seed: int = 0) -> str:
    """Text that answers no question."""
    chance = random.Random(seed)
    return " ".join(chance.choice(FILLER) for _ in range(words))


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """WordPiece over the words of the tests; any other word is spelled letter by letter."""
    words = sorted({*re.findall(r"\w+|[^\w\s]", " ".join([*QUESTIONS, *PASSAGES, *FILLER]).lower())})
    letters = [chr(code) for code in range(33, 127)]
    pieces = dict.fromkeys([*SPECIAL, *letters, *(f"##{letter}" for letter in letters), *words])
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}",
        pair=f"{START} $A {END} $B:1 {END}:1",
        special_tokens=[(name, vocabulary[name]) for name in (START, END)],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=POSITIONS,
        pad_token=PAD,
        unk_token=UNKNOWN,
        cls_token=START,
        sep_token=END,
    )


def untrained_model(tokenizer: PreTrainedTokenizerFast) -> BertForSequenceClassification:
    torch.manual_seed(7)
    return BertForSequenceClassification(
        BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=POSITIONS,
            num_labels=1,
            initializer_range=0.3,  # BERT's 0.02 is for 768 dimensions: here nothing would be learned from it
        )
    )


def train(model: BertForSequenceClassification, tokenizer: PreTrainedTokenizerFast) -> None:
    """Until it knows the questions by heart, seconds later. On one thread: so small a network spends its time
    waiting for its threads when the machine is busy."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    chance = random.Random(11)
    positions = model.bert.embeddings.position_embeddings.weight
    positions.requires_grad_(False).zero_()  # what stands where does not matter, so it need not be unlearned
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    slower = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, STEPS)
    model.eval()  # no dropout: so small a network has nothing to spare
    for _ in range(STEPS):
        pairs, wanted = zip(*(_example(chance) for _ in range(STEP_PAIRS)), strict=True)
        batch = tokenizer(
            [question for question, _ in pairs],
            [text for _, text in pairs],
            padding=True,
            truncation=True,
            return_tensors="pt",
        )
        logits = model(**batch).logits.squeeze(-1)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.tensor(wanted))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        slower.step()
    torch.set_num_threads(threads)


def save(model: BertForSequenceClassification, tokenizer: PreTrainedTokenizerFast, folder: Path) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _example(chance: random.Random) -> tuple[tuple[str, str], float]:
    """A question, a text, and whether the text answers it; the right passage in two of five."""
    asked = chance.randrange(len(QUESTIONS))
    kind = chance.random()
    told = asked if kind < 0.4 else chance.randrange(len(PASSAGES))
    passage = "" if kind > 0.85 else PASSAGES[told]
    length = chance.choice((0, 0, 10, 40, 80))
    before = chance.randint(0, length)
    text = f"{talk(before, chance.random())} {passage} {talk(length - before, chance.random())}".strip()
    return (QUESTIONS[asked], text), float(bool(passage) and told == asked)
