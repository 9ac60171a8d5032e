"""What a text says, without how it is typed: case, space, decoration and politeness folded, everything else kept."""

from __future__ import annotations

import re

# Said before the thing itself, and never part of it.
POLITE = (
    r"(?:(?:please|pls|plz|kindly|fyi|btw|by the way|for the record|just so you know|just to be clear|to be clear"
    r"|(?:please )?(?:note|remember|keep in mind|bear in mind|be aware|be advised|don't forget) that"
    r"|(?:note|remember|reminder|important|keep in mind|nb|n\.b\.|heads up)(?= ?[:,–—-]))(?=\W)[ ,:–—-]*)+"
)
CONTRACTED = {
    "cannot": "can not", "cant": "can not", "wont": "will not", "shant": "shall not", "aint": "is not",
    "dont": "do not", "doesnt": "does not", "didnt": "did not", "isnt": "is not", "arent": "are not",
    "wasnt": "was not", "werent": "were not", "hasnt": "has not", "havent": "have not", "hadnt": "had not",
    "couldnt": "could not", "shouldnt": "should not", "wouldnt": "would not", "mustnt": "must not",
    "neednt": "need not", "im": "i am", "ive": "i have", "youre": "you are", "youve": "you have",
    "theyre": "they are", "theyve": "they have", "weve": "we have", "thats": "that is", "whats": "what is",
    "theres": "there is", "lets": "let us", "gonna": "going to", "wanna": "want to",
}  # fmt: skip

_STRAIGHT = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-",
    "‐": "-", "‑": "-", "\u00ad": None, "\u200b": None, "\u200c": None, "\u2060": None, "\ufeff": None,
})  # fmt: skip
_MARKS = r"[`*\"']|(?:^|\s)[-#>•+]|(?<!\S)-[A-Z]\b"
_BULLET = r"(?:\s*(?:[-*+•>]|#{1,6})\s+)+(?=[^\W\d]|[`*\"'])"
_BOLD = r"(?<![\w*/.])(\*\*|\*)(?=\w)([^*\n]*[\w.!?:])\1(?![\w*/.])"
_QUOTED = r"(`+[^`\n]+`+|\"[^\"\n]+\"|(?<!\w)'[^'\n]+'(?!\w)|(?<!\S)-[A-Za-z](?!\S))"
_SPACES = r" {2,}"
_PLURAL = r"[a-z]{3,}s"
_NOT_PLURAL = frozenset(
    """https news means windows always plus thus does was has is this his its us yes less unless across perhaps series
    species sometimes besides afterwards towards goods arms customs glasses jeans needs states maths physics politics
    economics mathematics ethics settings les mas pas las""".split()
)
_END = " .!;,…"


def folded(content: str) -> str:
    """The text in lower case with single spaces, undecorated; what is quoted keeps its case."""
    text = content if content.isascii() else _composed(content)
    if re.search(_MARKS, text):
        text = _undecorated(text)
    else:
        text = text.casefold()
    text = " ".join(text.split()).rstrip(_END)
    if found := re.match(POLITE, text):
        text = text[found.end() :] or text
    return text or " ".join(content.split())  # a text of marks alone is nothing but itself


def tidy(content: str) -> str:
    """The text undecorated, with its case, for those who read names in it."""
    text = content if content.isascii() else _composed(content)
    bullet = re.match(_BULLET, text)
    text = re.sub(_BOLD, r"\2", text[bullet.end() :] if bullet else text)
    text = " ".join(text.split()).rstrip(_END)
    found = re.match(POLITE, text.lower()) if text.isascii() else None
    return text[found.end() :] if found else text


def singular(word: str) -> str:
    """A noun without its plural, a verb without its third person."""
    if word in _NOT_PLURAL or not re.fullmatch(_PLURAL, word) or word.endswith(("ss", "us", "is", "as", "os")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "zes", "ches", "shes")) else word[:-1]


def _composed(text: str) -> str:
    """One form for each character; powers and fractions stay what they are, for they are numbers."""
    from unicodedata import normalize  # only text beyond ASCII pays for the tables

    return normalize("NFC" if re.search("[²³¹⁰-₟¼-¾⅐-↉]", text) else "NFKC", text).translate(_STRAIGHT)


def _undecorated(text: str) -> str:
    text = text.strip()
    if (
        len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1].replace('""', "")
    ):  # all of it is quoted, so nothing in it is
        text = text[1:-1].replace('""', '"')
    bare = re.match(_BULLET, text)
    text = text[bare.end() :] if bare else text
    text = re.sub(_BOLD, r"\2", text)
    parts = re.split(_QUOTED, text)
    parts[::2] = [part.casefold().replace("'", "") for part in parts[::2]]
    parts[1::2] = [re.sub(_SPACES, lambda run: "␣" * len(run[0]), _unquoted(part)) for part in parts[1::2]]
    return "".join(parts)


def _unquoted(part: str) -> str:
    """What stands in quotation marks; a flag of the command line stays as it is."""
    return part if part[0] == "-" else part.strip(part[0])
