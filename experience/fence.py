"""The fence around all we hand to an agent: what is inside is data, cannot break out, and is never learned again.

A block opens with `<experience-memory …>` and ends with `</experience-memory>`; each thing in it carries its id as
`[m:…]`, so that an answer can cite it and a pasted line is known again.
"""

from __future__ import annotations

import re

NAME = "experience-memory"
OPEN, CLOSE = f"<{NAME}", f"</{NAME}>"

# What a reader might take for the end of the data or the voice of somebody else. Compiled when first used.
_MARKUP = (
    rf"<(?=\s*[/|!]|\s*(?:{NAME}|system|developer|assistant|user|human|tool|function|instructions?|important|prompt)\b)"
    r"|\[(?=/?INST\])"
)
_BLOCK = rf"{OPEN}\b.*?(?:{CLOSE}|\Z)"
_LINE = r"^[ \t>*-]*\[[a-z]+:[0-9a-z_]{4,}\].*$"
# ANSI sequences whole; then every other control, the marks that turn the direction of text, and lone surrogates
_ANSI = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-_])"
_UNSEEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
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


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
