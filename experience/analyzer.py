"""Text → search terms, the same for every index and every query.

Words are lower-cased, diacritics folded, stemmed. An identifier (`my_func`, `myFunc`, `my-func`, `v1.2`) is kept whole,
without its separators, *and* split into its words. Scripts written without spaces become pairs of characters. A term
is letters and digits only, so FTS5's `ascii` tokenizer takes it as it is and both engines count the same things.
"""

from __future__ import annotations

import re

import Stemmer

QUERY_CHARACTERS = 20_000  # of a longer query only the beginning is searched for

# Compiled when first used: a plain query, of lower-case words alone, needs none of them.
# Identifiers hold on to - and . between words; emoji are words of their own.
_WORD = r"\w+(?:[-.]\w+)*|[\u2600-\u27bf\U0001f300-\U0001faff]"
_ASCII_WORD = r"[a-zA-Z0-9_]+(?:[-.][a-zA-Z0-9_]+)*"
_IDENTIFIER = r"_|[a-zA-Z0-9][-.][a-zA-Z0-9]|[a-z][A-Z]|[A-Z][A-Z][a-z]"
_BORDER = r"[-._]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})"
_UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+"
_SPACED = {code: " " for code in range(128) if not chr(code).isalnum()}
_APOSTROPHES = str.maketrans("", "", "'’")

# Words too common to tell experiences apart; left out of a query while it has any other word.
STOP_WORDS = frozenset(
    """a an and are as at be but by can could did do does for from had has have how i if in into is it its me my of on
    or our please should so than that the their them then there these they this to us was we were what when where which
    while who why will with would you your""".split()
)

_stem = Stemmer.Stemmer("english")
_STOP_TERMS = frozenset(_stem.stemWords(list(STOP_WORDS)))


def terms(text: str) -> list[str]:
    """Every search term of *text*, in order, repeats included."""
    text = text.translate(_APOSTROPHES) if "'" in text or "’" in text else text
    if not text.isascii():
        return _stems(_unicode_words(text))
    lower = text.lower()
    if (text == lower and not ("_" in text or "-" in text or "." in text)) or not re.search(_IDENTIFIER, text):
        return _stems(lower.translate(_SPACED).split())
    return _stems(_words(text, _ASCII_WORD))


def query_terms(text: str) -> list[str]:
    """The distinct terms worth searching for, in order."""
    distinct = list(dict.fromkeys(terms(text[:QUERY_CHARACTERS])))
    return [term for term in distinct if term not in _STOP_TERMS] or distinct


def _stems(words: list[str]) -> list[str]:
    stems: list[str] = _stem.stemWords(words)
    return stems


def _words(text: str, word: str) -> list[str]:
    found: list[str] = []
    for whole in re.findall(word, text):
        if whole.isalnum() and whole.islower():  # most words: there is no border to split them at
            found.append(whole)
            continue
        parts = [part.lower() for part in re.split(_BORDER, whole) if part]
        if len(parts) > 1:
            found.append("".join(parts))
        found += parts
    return found


def _unicode_words(text: str) -> list[str]:
    found: list[str] = []
    for word in _words(_folded(text), _WORD):
        found += _pairs(word) if re.search(_UNSPACED, word) else [word]
    return found


def _folded(text: str) -> str:
    """Without diacritics; compatibility forms (ﬁ, Ａ) as their plain letters."""
    from unicodedata import normalize  # only text beyond ASCII pays for the tables

    bare = re.sub("[\u0300-\u036f]", "", normalize("NFKD", text))
    return normalize("NFC", bare).replace("ß", "ss")


def _pairs(word: str) -> list[str]:
    """Overlapping pairs of characters where a script has no spaces, the rest as it is."""
    found: list[str] = []
    for run in re.split(f"({_UNSPACED})", word):
        if not re.match(_UNSPACED, run):
            found += [run] if run else []
        elif len(run) == 1:
            found.append(run)
        else:
            found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found
