"""What a memory should never be: chatter, a question, a pasted log, a word without a sentence."""

from __future__ import annotations

import re
from unicodedata import category

_CHATTER = frozenset(
    """ah alright awesome bye cheers cool fine good great haha hello hey hi hmm i it k kk later lol me much no nice ok
    okay oh perfect please right see so sorry sure thank thanks that thats the then there thx to uh um very wait well
    what wow yeah yep yes yo you""".split()
)
_LOG = (
    r"^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[\s:\]]|Traceback \(most|"
    r"\s+at \S+\(|File \"[^\"]+\", line \d|\$ |>>> |npm (?:ERR|WARN)|\d+ (?:passing|failing)\b|[-+]{3} [ab]/|@@ )"
)


_UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{2}"  # two letters are about a word


def junk(content: str) -> str | None:
    """Why a statement is not worth keeping, or None where it is."""
    words = re.findall(rf"{_UNSPACED}|\w+(?:'\w+)?", content.lower())
    if len(words) < 2:
        return "too short to mean anything alone"
    if all(word.replace("'", "") in _CHATTER for word in words):
        return "chatter"
    if content.rstrip().endswith(("?", "？")):
        return "a question"
    if re.search(_LOG, content, re.MULTILINE):
        return "a pasted log"
    letters = sum(letter.isalpha() or category(letter)[0] == "M" for letter in content)  # vowel signs are no signs
    return "more signs than words" if letters < 0.4 * len(content.strip()) else None
