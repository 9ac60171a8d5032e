"""The sentences of a message that are its writer's own words, each with its place.

A message to an agent is half prose, half paste. `prose` keeps every place and blanks what nobody said: code, quoted
lines, logs, diffs, tables, what we injected ourselves. What stands inside a sentence (inline code, quotations,
addresses) becomes filler, so that the sentence stays whole and its filler says nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from experience import fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]

MOST = 20_000  # of a longer message only its beginning and its end are looked at
LONGEST = 400  # characters of a sentence worth keeping

_APOSTROPHES = "'’‘ʼ´＇"
_SIGNS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\n\r\t\f\v\u00a0“”„«»…–—·•‐‑―|、。，！？：；（）「」'
_UNSEEN = dict.fromkeys((0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF))
_WORDS = {**{ord(sign): " " for sign in _SIGNS}, **dict.fromkeys(map(ord, _APOSTROPHES)), **_UNSEEN}
_PLAIN = {**dict.fromkeys(map(ord, _APOSTROPHES + "*")), **_UNSEEN, 0x2010: "-", 0x2011: "-"}
_MEANT = {  # how words that patterns wait for are shortened and misspelled
    **dict.fromkeys(("u", "yuo"), "you"), **dict.fromkeys(("ur", "yoru"), "your"), "liek": "like",
    **dict.fromkeys(("pls", "plz", "plese", "pleas", "pelase", "plase"), "please"), "perfer": "prefer",
    **dict.fromkeys(("alwyas", "alwasy", "allways", "alwys"), "always"), **dict.fromkeys(("nver", "nevr"), "never"),
    **dict.fromkeys(("donot", "dnt", "dotn"), "dont"), **dict.fromkeys(("didint", "ddint", "didn"), "didnt"),
    **dict.fromkeys(("shoud", "shoudl", "shold", "shuld"), "should"), **dict.fromkeys(("olny", "onyl"), "only"),
    **dict.fromkeys(("insted", "instaed", "intead"), "instead"), "ensrue": "ensure", "maek": "make", "jsut": "just",
    "wihtout": "without", "whithout": "without", "withot": "without", "actualy": "actually", "forgt": "forgot",
}  # fmt: skip
_SLIP = rf"\b(?:{'|'.join(_MEANT)})\b"
_DECORATION = r"[^\w\"(`@]+"  # before the first word

_FENCE = r"[ \t>]*(```|~~~)(?!.*```)"
_MACHINE = (  # lines that a machine wrote, case counts
    r"\s*(?:>|[|┃│]|\+[-=+]{3}|//|/\*|<!--|#[ !#]|[$❯%] \S|\.\.\. |\[[\w.:/ -]+\]\s*[\[:(]"
    r"|diff --|index [0-9a-f]{7}|@@ |Traceback\b|File \".*\", line \d|at \S+ ?\(|at \S+:\d+|Caused by:|Call Stack"
    r"|(?:[\w.]+\.)?\w*(?:Error|Exception|Warning|Failure)\b ?[:(\[]|(?:npm|yarn|pnpm|cargo|pip) (?:ERR|WARN"
    r"|error|warn)\b"
    r"|error(?:\[\w+\])?: |warning: |\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|FAIL|PASS"
    r"|FAILED|PASSED)\b\]?(?:[:\]\s|-]|$)"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|[d-][rwxsStT-]{9}[ .+@]|total \d+$|\S+:\d+:\d+:? "
    r"|(?:def|class|func|fn|function|interface|struct|enum|impl) \w+ ?[\w<>]* ?[({:]|(?:from [\w.]+ )?import"
    r" [\w{*.]+[\w, {}.*]*(?:;|$| from | as )"
    r"|(?:const|let|var|public|private|protected|static|final|export) \w+.*[=({]|return\b.*;|#include\b|(?:SELECT"
    r"|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE) )"
    r"|.*(?:[;{}]|=>|\)\s*:|\\)\s*$|\s*[\"'][\w -]+[\"']\s*:|.*(?: == | != |&&|\|\||\(\)\.|\w\(\w*\)\s*[;{])"
)
_DIFF = r"(?:diff --git |@@ -\d|\+\+\+ )"
_TAG = r"\s*<([A-Za-z][\w.:-]*)(?:\s[^<>]*)?>"
_OWN_TAGS = frozenset("user_query query user message prompt request task b i p div span br u em strong".split())
_HARNESS = r"\s*<(?:system|task|tool|hook)[_-](?:notification|reminder|message|result|event|instruction)s?\b"
_REPORT = (  # what leads a pasted review
    r"^[^\n`]{0,80}\b(?:issues?|bugs?|errors?|warnings?|findings?|reviews?|comments?|reports?)\b"
    r"[^\n`]{0,40}:[ \t]*\n"
)
_INSIDE = (  # filler: inline code, quotations, addresses
    r"`[^`\n]{1,400}`|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»"
    r"|(?<!\w)['‘](?:[^'’\n]|(?<=\w)['’](?=\w)){1,300}['’](?!\w)|\b(?:https?|file|ssh|git)://\S+"
)

_BREAK = r"[.!?…]+[\"')\]*_”’]*(?=\s|\Z)|[。！？]+|\n"
_SHORT = (  # ends no sentence, though a mark follows
    r"(?:\b(?:e\.?g|i\.?e|vs|cf|approx|resp|incl|mr|mrs|ms|dr|prof|st)"
    r"|^\W*(?:(?:no[, ]*){1,4}|nope|nah|wrong|actually|\d{1,3}))[.!]+$"
)
_MARKER = r"(?:(?:[-*+•◦▪–—]|\d{1,3}[.)]|[a-z][.)]|\[[ xX]?\]|/[\w:.-]*)\s+){1,3}"
_AUX = (
    r"(?:is|are|am|was|were|do|does|did|can|could|should|shall|will|would|has|have|had|might|may|isnt|arent|wasnt"
    r"|werent|dont|doesnt"
    r"|didnt|cant|couldnt|wouldnt|shouldnt|wont|havent|hasnt)"
)
_ASKS = (  # a question by its first words, with or without its mark
    r"(?:(?:and|so|but|however|ok|okay|also|hey|hi|then|now|wait|well|please|just) )*"
    rf"(?:(?:how|what|where|who|whom|why|when) {_AUX}\b|(?:what|which|whose|how) (?!(?:i|you|we|it|they|he|she"
    rf"|this|that) )[\w-]+ {_AUX}\b"
    r"|(?:whats|wheres|whos|hows|how (?:about|come|to|many|much)|what (?:about|if)|any (?:idea|chance)|(?:right"
    r"|correct|ok|okay|yes|no|please)(?= ?\?))\b"
    r"|(?:is|are|am|was|were|does|did|has|had|can|could|would|should|shall|will|may|might|isnt|arent|wasnt|werent"
    r"|dont|doesnt|didnt|cant"
    r"|couldnt|wouldnt|shouldnt|wont|havent|hasnt) (?:i|you|u|we|it|they|he|she|this|that|these|those|there|the"
    r"|my|your|our|any\w*|some\w*)\b"
    r"|(?:do|have) (?:i|you|u|we|they|any\w*)\b|i (?:wonder|would like to know|want to know|was wondering|am"
    r" wondering)\b)"
)
_TURN = r"(?:[,;:]|\s[-–—])\s+|\s(?=(?:so|but|and) (?:can|could|what|how|why|is|are|do|does|should|would|will) )"
_JOINT = r";\s|\s[-–—]\s|,\s(?=(?:and|but|so|then|please)\b)"


@lru_cache(maxsize=32)
def _compiled(expression: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(expression, flags)


def words(text: str) -> str:
    """*text* in lower case, without marks, apostrophes and slips of the hand, one blank around every word."""
    return f" {' '.join([_MEANT.get(word, word) for word in text.lower().translate(_WORDS).split()])} "


def plain(text: str) -> str:
    """*text* as patterns read it: one blank between words, no apostrophes, emphasis or decoration before it."""
    said = " ".join(text.translate(_PLAIN).split())
    said = _compiled(_SLIP, re.IGNORECASE).sub(_meant, said)
    decoration = _compiled(_DECORATION).match(said)
    return said[decoration.end() :] if decoration else said


def asks(said: str) -> bool:
    """Whether plain text begins as a question does."""
    return bool(_compiled(_ASKS, re.IGNORECASE).match(said))


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """The sentences that a message's writer said, in their order: begin, end, and how patterns read it."""
    for start, piece in _pieces(fence.without(text)):
        for begin, end in _split(piece):
            yield start + begin, start + end, plain(piece[begin:end])


def prose(text: str) -> str:
    """*text* at its full length, with what nobody said as line ends and what is only mentioned as filler."""
    filled = _compiled(_INSIDE).sub(_filler, text)
    return "".join(_lines(_unreported(filled)))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """What is looked at of a message: all of it, or its beginning and its end, as prose."""
    if len(text) <= MOST:
        yield 0, prose(text)
        return
    half = MOST // 2
    head = text.rfind("\n", 0, half) + 1 or half
    tail = text.find("\n", len(text) - half) + 1 or len(text) - half
    yield 0, prose(text[:head])
    if text.count("```", 0, tail) % 2:  # the end begins inside a block of code
        tail = text.find("```", tail)
        tail = len(text) if tail < 0 else tail + 3
    yield tail, prose(text[tail:])


def _unreported(text: str) -> str:
    """*text* without a pasted review: after its lead (`fix this bug:`), the lines that name things of the code."""
    if not (lead := _compiled(_REPORT, re.MULTILINE | re.IGNORECASE).search(text)):
        return text
    lines = text[lead.end() :].splitlines(keepends=True)
    return text[: lead.end()] + "".join(["\n" * len(line) if "`" in line else line for line in lines])


def _lines(text: str) -> Iterator[str]:
    """Each line as it is, or as nothing but line ends if a machine wrote it or it is quoted."""
    if _compiled(_HARNESS).match(text):  # what runs the agent speaks, in the name of the user
        yield "\n" * len(text)
        return
    end, place, diff = "", 0, False  # what ends the block we are in
    for line in text.splitlines(keepends=True):
        bare, place = line.strip(), place + len(line)
        if end:
            end = "" if end in line else end
            yield "\n" * len(line)
            continue
        diff = bool(bare) and (diff or bool(_compiled(_DIFF).match(bare)))
        end = _opened(line, text, place)
        yield "\n" * len(line) if end or diff or _machine(line, bare) else line


def _opened(line: str, text: str, place: int) -> str:
    """What closes the block of code or the machine's tag that a line opens, if it opens one."""
    if found := _compiled(_FENCE).match(line):
        return found[1]
    if not (found := _compiled(_TAG).match(line)) or found[1].lower() in _OWN_TAGS:
        return ""
    close = f"</{found[1]}>"
    return close if close not in line and text.find(close, place) >= 0 else ""


def _machine(line: str, bare: str) -> bool:
    """Whether a line reads as code, a log, a listing or a table."""
    if not bare:
        return False
    if _compiled(_MACHINE).match(line):
        return True
    return len(bare) >= 20 and sum(map(str.isalnum, bare)) + bare.count(" ") < 0.78 * len(bare)


def _meant(found: re.Match[str]) -> str:
    return _MEANT[found[0].lower()]


def _filler(found: re.Match[str]) -> str:
    inside = found[0]
    return inside[0] + "x" * (len(inside) - 2) + inside[-1]


def _split(text: str) -> Iterator[Span]:
    """The sentences of a piece of prose, without list marks, none of them longer than is kept."""
    begin = 0
    for found in _compiled(_BREAK).finditer(text):
        if found[0] == "\n" and _wrapped(text, begin, found.start()):
            continue
        if found[0][0] in ".!" and _compiled(_SHORT, re.IGNORECASE).search(
            text[max(begin, found.end() - 12) : found.end()]
        ):
            continue
        yield from _told(text, begin, found.end())
        begin = found.end()
    yield from _told(text, begin, len(text))


def _wrapped(text: str, begin: int, end: int) -> bool:
    """Whether a line only ends because it is full: it is long and goes on in lower case."""
    return text[end + 1 : end + 2].islower() and end - max(begin, text.rfind("\n", 0, end) + 1) >= 60


def _told(text: str, begin: int, end: int) -> Iterator[Span]:
    """A sentence; one that only ends as a question is told up to there: `I am vegan, what can I eat?`."""
    if text.find("?", begin, end) >= 0:
        for turn in _compiled(_TURN).finditer(text, begin, end):
            if asks(plain(text[turn.end() : end])):
                yield from _fitting(text, begin, turn.start())
                begin = turn.end()
                break
    yield from _fitting(text, begin, end)


def _fitting(text: str, begin: int, end: int) -> Iterator[Span]:
    """One sentence without its edges; a run-on one falls into its clauses."""
    begin, end = _trimmed(text, begin, end)
    if end - begin <= LONGEST:
        if begin < end:
            yield begin, end
        return
    for joint in _compiled(_JOINT).finditer(text, begin, end):
        if joint.start() - begin > LONGEST // 4:
            yield from _clause(text, begin, joint.start())
            begin = joint.end()
    yield from _clause(text, begin, end)


def _clause(text: str, begin: int, end: int) -> Iterator[Span]:
    begin, end = _trimmed(text, begin, end)
    if 0 < end - begin <= LONGEST:
        yield begin, end


def _trimmed(text: str, begin: int, end: int) -> Span:
    """The place without blanks at its edges and without a list mark or slash command before it."""
    inner = text[begin:end]
    begin, end = begin + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())
    if marker := _compiled(_MARKER).match(text, begin, max(begin, end)):
        begin = marker.end()
    return begin, max(begin, end)
