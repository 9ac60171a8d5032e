"""The fence around all we hand to an agent: what is inside is data, cannot break out, and is never learned again.

A block opens with `<experience-memory …>` and ends with `</experience-memory>`; each thing in it carries its id as
`[m:…]`, so that an answer can cite it and a pasted line is known again.
"""

from __future__ import annotations

import re

from experience.models import MEMORY_TYPES

NAME = "experience-memory"
OPEN, CLOSE = f"<{NAME}", f"</{NAME}>"

# What a reader might take for the end of the data or the voice of somebody else. Compiled when first used.
_SPEAKERS = (
    rf"(?:{NAME}|sys|system|developer|assistant|user|human|tools?|functions?|instructions?|important|prompt|invoke"
    r"|(?:start|end|begin)_of_\w+|im_(?:start|end)|[be]os|s(?=>))(?![a-z0-9])"
)
_MARKUP = rf"<(?=[\s\u200c\u200d\ufe00-\ufe0f]*(?:[/|!]|{_SPEAKERS}))|\[(?=\s*/?\s*INST\s*\])"
_BLOCK = rf"{OPEN}\b.*?(?:{CLOSE}|\Z)"
# A line of ours: one that begins with a label, also behind bullets and marks of quotation; or, wherever it stands, a
# label and what ours go on with. A label alone within a line is somebody who cites us.
_LINE = (
    r"^[^\w\[\n]*\[[a-z]+:[0-9a-z_]{4,}\].*$"
    rf"|\[m:[0-9a-z]{{4,}}\] (?:{'|'.join(MEMORY_TYPES)}):.*$"
    r"|\[[ep]:[a-z]+_[0-9a-z]{4,}\] .{0,400}?(?: → |: 1\. ).*$"
)
# ANSI sequences whole; then every other control, the marks that turn the direction of text, letters that nobody sees
# (a model still reads them), and lone surrogates
_ANSI = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])"
_UNSEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def inert(text: str) -> str:
    """*text* on one line, without anything that could leave the fence, hide, or be taken for markup."""
    plain = " ".join(visible(text).split())
    return re.sub(_MARKUP, lambda found: "&lt;" if found[0] == "<" else "&#91;", plain, flags=re.IGNORECASE)


def visible(text: str) -> str:
    """*text* without terminal sequences, invisible controls and marks that reorder what a person sees."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSEEN, "", re.sub(_ANSI, "", text))


def without(text: str) -> str:
    """*text* without the blocks and lines that we injected ourselves, each replaced by blanks so that places stay."""
    if OPEN not in text.lower() and "[" not in text:
        return text
    bare = re.sub(_BLOCK, _blank, text, flags=re.IGNORECASE | re.DOTALL)
    return re.sub(_LINE, _blank, bare, flags=re.MULTILINE)


def pasted(text: str) -> bool:
    """Whether something in *text* shows that it was copied from a block of ours."""
    return NAME in text.lower() or re.search(r"\[[mep]:[0-9a-z_]{4,}\]", text) is not None


def words(text: str) -> str:
    """The words of *text* alone, so that what was wrapped, indented or quoted still compares."""
    return " ".join(re.findall(r"\w+", visible(text).lower()))


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
