"""Text → what is stored of it: its search terms, and the text itself without secrets.

Words repeat. Each is analysed once, and once it is asked whether a secret could hide in it; only around such words is
a text searched for secrets.
"""

from __future__ import annotations

from experience import analyzer
from experience.capture.gate import FOREIGN, suspicious
from experience.capture.secret_kinds.promises import group
from experience.capture.secrets import scrub

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 40  # characters of a word that is remembered
MOST = 200_000  # words remembered
BEFORE, AFTER = 1, 2  # lines around a suspicious word that are searched with it: names and values stand apart
_BLOCKS = ("PRIVATE KEY", "rivate-")  # secrets of many lines, of which not every one is suspicious
RUN = 16  # letters that a token has at least
_SIGNS = "0123456789=?&%$"  # some of them stand in every token or beside it
_MARKS = ".,;:!?\"'`*_()[]{}<>“”‘’|#"
_ENDS = frozenset("=@/\\")
_TELLING = (  # telling inside any word; those of three letters stand in too many others, such as `inside`
    *"pwd psw secret token cred cookie bearer jwt curl wget phrase mnemonic login mysql identified".split(),
    "securestring", *FOREIGN,
)  # fmt: skip
_NAMES = frozenset("pass pw key keys auth pin otp sess sid net".split())


class Words(dict[str, str]):
    """Each word's search terms, a space before each, analysed when first met. *suspects* could hide a secret."""

    def __init__(self) -> None:
        self.suspects: set[str] = set()

    def __missing__(self, word: str) -> str:
        bare = word.strip(_MARKS)
        found = self[bare] if bare and bare != word else "".join([f" {term}" for term in analyzer.terms(word)])
        if len(self) >= MOST:
            self.clear()
            self.suspects.clear()
        if len(word) <= LONGEST:
            self[word] = found
        if _suspect(word):
            self.suspects.add(word)
        return found

    def terms(self, text: str) -> str:
        """The search terms of a text, as they are stored."""
        return "".join(map(self.__getitem__, text.split()))[1:]

    def clean(self, text: str) -> tuple[str, dict[str, int]]:
        """A text of as many lines without its secrets, and how many of which kind were taken out."""
        words = set(text.split())
        for word in words:
            if word not in self:  # `difference` would walk through all that are known
                self[word]
        found: dict[str, int] = {}
        if self.suspects.isdisjoint(words):
            return text, found
        lines = text.split("\n")
        suspect = [at for at, line in enumerate(lines) if not self.suspects.isdisjoint(line.split())]
        for first, last in list(_windows(suspect, lines)):
            lines[first:last] = _scrubbed(lines[first:last], found)
        return "\n".join(lines) if found else text, found


def _suspect(word: str) -> bool:
    """Whether a secret could hide in a word, or it could name one; a path of small letters alone is neither."""
    bare = word.strip(_MARKS).lower()
    if bare.isalpha() and bare.isascii() and len(bare) < RUN and _ENDS.isdisjoint(word):
        return bare in _NAMES or any(map(bare.__contains__, _TELLING)) or bool(group(bare))
    if "@" in word or len(word) < RUN or word != word.lower() or any(map(word.__contains__, _SIGNS)):
        return "@" in word or suspicious(f" {word} ")
    return suspicious(" ".join(word[at : at + RUN - 1] for at in range(0, len(word), 3)))  # its telling words, no run


def _windows(suspect: Sequence[int], lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The stretches of lines to search: around every suspicious one, and all of them where a block could be cut."""
    if any(block in line for line in map(lines.__getitem__, suspect) for block in _BLOCKS):
        yield 0, len(lines)
        return
    first, last = max(0, suspect[0] - BEFORE), suspect[0] + 1 + AFTER
    for at in suspect[1:]:
        if at - BEFORE > last:
            yield first, min(last, len(lines))
            first = at - BEFORE
        last = at + 1 + AFTER
    yield first, min(last, len(lines))


def _scrubbed(lines: Sequence[str], found: dict[str, int]) -> list[str]:
    """As many lines as before, without their secrets."""
    done = scrub("\n".join(lines))
    if not done.found:
        return list(lines)
    for kind, times in done.found.items():
        found[kind] = found.get(kind, 0) + times
    after = done.text.split("\n")
    return after if len(after) == len(lines) else _spread(list(lines), after)


def _spread(before: list[str], after: list[str]) -> list[str]:
    """Fewer lines in the places of more: a secret of many lines leaves empty ones behind its placeholder."""
    from difflib import SequenceMatcher  # hardly any file holds such a secret

    spread: list[str] = []
    compared = SequenceMatcher(None, before, after, autojunk=len(before) > 2_000)
    for _, start, end, first, last in compared.get_opcodes():
        some, room = after[first:last], end - start
        if len(some) > room:  # an alignment by chance: what has no line of its own joins the line before
            taken = len(spread) and not room
            rest = " ".join(some[max(room - 1, 0) :])
            some = [*some[: max(room - 1, 0)], *([] if taken else [rest])]
            if taken:
                spread[-1] = f"{spread[-1]} {rest}"
        spread += some + [""] * (room - len(some))
    return spread
