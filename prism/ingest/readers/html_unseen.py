"""What a reader of an HTML page does not see, or does not come for: scripts, hidden parts, menus, banners."""

from __future__ import annotations

import re
from typing import Final

from bs4.element import NavigableString, Tag

_NEVER_SHOWN = ("script", "style", "template", "iframe", "svg", "canvas", "head", "datalist", "audio",
                "video", "map", "input", "rp")  # fmt: skip
_FALLBACKS = ("nav", "noscript", "object", "noframes")
_MENU_ROLES = ("navigation", "menu", "menubar", "search", "tablist", "toolbar")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_NOISE_CLASS = re.compile(
    r"\b(?:mw-editsection|mw-jump-link|navbox|skip-link|skip-to-content|skiplink|katex-html|MathJax_Preview"
    r"|(?:cookies?|consent|gdpr)[-_]?(?:banner|consent|notice|bar|popup|dialog|overlay|message|modal))\b",
    re.I,
)
_HEADS = ("h1", "h2", "h3", "h4", "h5", "h6", "summary", "dt", "th", "legend")

MAX_BANNER_CHARS: Final = 2000
"""More text than a banner holds: a page whose body bears such a class is no banner."""

MIN_MENU_ITEMS: Final = 3
MIN_PARAGRAPH_CHARS: Final = 80
MAX_MENU_SHARE: Final = 0.25
"""Lists of links above the first paragraph are menus, unless they are a good part of what the page says."""


def drop_unseen(soup: Tag, *, keeps_fallbacks: bool = False) -> None:
    """Take out what no reader sees. `keeps_fallbacks`: leave what stands in for scripts, and menus."""
    _show_alternatives(soup)
    _keep_formulas(soup)
    for tag in soup.find_all(lambda tag: _is_unseen(tag, keeps_fallbacks=keeps_fallbacks)):
        tag.extract()


def drop_menus(soup: Tag) -> None:
    """Take out lists of nothing but links that stand before the first paragraph of a page."""
    menus: list[Tag] = []
    chars = 0
    for tag in soup.find_all(("ul", "ol", "p")):
        if tag.name == "p":
            if len(tag.get_text().strip()) >= MIN_PARAGRAPH_CHARS:
                break
        elif tag.find_parent(("ul", "ol")) is None and _is_menu(tag):
            menus.append(tag)
            chars += len(tag.get_text(" ", strip=True))
    else:
        return
    if chars <= MAX_MENU_SHARE * len(soup.get_text(" ", strip=True)):
        for menu in menus:
            menu.extract()


def _is_menu(tag: Tag) -> bool:
    items = tag.find_all("li")
    linked = sum(len("".join(link.get_text().split())) for link in tag.find_all("a", href=True))
    chars = len("".join(tag.get_text().split()))
    return len(items) >= MIN_MENU_ITEMS and linked >= 0.9 * chars


def _is_unseen(tag: Tag, *, keeps_fallbacks: bool) -> bool:
    if tag.name in _NEVER_SHOWN or (tag.name in _FALLBACKS and not keeps_fallbacks):
        return True
    if tag.name == "button":
        return not _is_part_of_the_page(tag)
    if tag.name == "dialog":
        return not tag.has_attr("open")
    return _is_hidden(tag) or (not keeps_fallbacks and tag.get("role") in _MENU_ROLES) or _is_noise(tag)


def _is_hidden(tag: Tag) -> bool:
    found_by_search = str(tag.get("hidden")).lower() == "until-found"
    return (tag.has_attr("hidden") and not found_by_search) or bool(
        _HIDDEN_STYLE.search(str(tag.get("style") or ""))
    )


def _is_part_of_the_page(button: Tag) -> bool:
    """Whether a button is the head of a part that folds out, which carries its name."""
    return button.has_attr("aria-controls") or button.find_parent(_HEADS) is not None


def _is_noise(tag: Tag) -> bool:
    if tag.name in ("html", "body", "main", "article"):
        return False
    names = " ".join([str(tag.get("id") or ""), *(tag.get("class") or ())])
    return bool(_NOISE_CLASS.search(names)) and len(tag.get_text()) <= MAX_BANNER_CHARS


def _show_alternatives(soup: Tag) -> None:
    """Words of which a script shows one (`Command` or `Ctrl`) are all shown, parted by a stroke."""
    for parent in soup.find_all("span"):
        children = [child for child in parent.children if isinstance(child, Tag)]
        loose = any(isinstance(child, NavigableString) and child.strip() for child in parent.children)
        if len(children) < 2 or loose:
            continue
        if all(child.name == "span" and _is_hidden(child) for child in children):
            words = dict.fromkeys(text for child in children if (text := child.get_text().strip()))
            parent.string = "/".join(words)


def _keep_formulas(soup: Tag) -> None:
    """A formula is read as its TeX source where the page carries it, else as its signs."""
    inner: set[int] = set()
    for math in soup.find_all("math"):
        if id(math) in inner:
            continue
        inner.update(map(id, math.find_all("math")))
        source = math.find("annotation", encoding=re.compile("tex", re.I))
        text = source.get_text() if isinstance(source, Tag) else str(math.get("alttext") or "")
        for annotation in math.find_all(("annotation", "annotation-xml")):
            annotation.extract()
        if text.strip():
            math.string = " ".join(text.split())
        _unhide(math)


def _unhide(math: Tag) -> None:
    """Wikis hide the formula and show its picture: here the formula stands for the picture."""
    around = math.parent
    if around is not None and around.name == "span" and _is_hidden(around):
        del around["style"]
    picture = around.find_next_sibling("img") if around is not None else None
    if isinstance(picture, Tag):
        picture["alt"] = ""
