"""Whether two texts say the same: equal once typing is folded, or equal once what carries no meaning is left out.

Both are forms a text is reduced to, so "the same" is an equivalence: it never depends on the order of comparing, and a
store can look a form up instead of comparing every pair. Whatever might carry a meaning stays in the form: numbers,
versions, negations, names, the order of what is joined by a verb, and every word not listed here.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from experience.capture.questions import ASKING, asked
from experience.capture.wording import CONTRACTED, folded, singular

ALIKE = {  # words that stand for each other wherever they occur
    "db": "database", "dbs": "databases", "repo": "repository", "repos": "repositories", "config": "configuration",
    "configs": "configurations", "docs": "documentation", "prod": "production", "env": "environment",
    "envs": "environments", "k8s": "kubernetes", "postgresql": "postgres", "dir": "directory", "dirs": "directories",
    "info": "information", "favourite": "favorite", "colour": "color", "behaviour": "behavior", "centre": "center",
    "licence": "license", "grey": "gray", "named": "called", "app": "application", "apps": "applications",
    "utilise": "use", "utilize": "use", "utilizes": "use", "using": "use", "rs": "rupee", "rupees": "rupee",
    "labour": "labor", "neighbour": "neighbor", "programme": "program", "e-mail": "email", "web-site": "website",
    "shouldnt": "should not", "ok": "okay", "okay": "okay", "mom": "mother", "mum": "mother", "dad": "father",
    "whilst": "while", "upon": "on", "amongst": "among", "towards": "toward", "everytime": "every time",
}  # fmt: skip
SILENT = frozenset("a an the that which please kindly just very really actually basically simply".split())
_WORD = r"[^\s,;:!?\"()\[\]{}…]+|\?"
_PLACING = frozenset("in on at for from to with by into onto within inside under during via using about".split())
_BINDING = frozenset(  # where one of these stands, the order of the rest may matter
    """not no never none nor neither without but except unless instead rather than before after until since while if
    when whenever where or and only then because so""".split()
)
_ASIDE = frozenset(
    """quickly easily fast online properly effectively efficiently currently now today automatically manually
    carefully always usually often also correctly safely permanently daily weekly monthly""".split()
)


def fingerprint(content: str) -> str:
    """A short name of what a text says however it is typed; texts with the same fingerprint say the same."""
    return blake2b(folded(content).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def same(a: str, b: str) -> bool:
    """Whether one text may stand for the other."""
    return a == b or gist(a) == gist(b)


def gist(content: str) -> str:
    """The words of a text that carry its meaning, one form for each."""
    text = folded(content)
    words = [ALIKE.get(word, word) for word in _words(text)]
    if words and (words[-1] == "?" or re.match(ASKING, text)):
        return " ".join(asked(words))
    return " ".join(_settled([singular(word) for word in words])) or text


def _words(text: str) -> list[str]:
    """The words, contractions written out, without those that say nothing."""
    found: list[str] = []
    for word in re.findall(_WORD, text):
        bare = word.strip("'").rstrip(".-") or word
        found += CONTRACTED[bare].split() if bare in CONTRACTED else [bare]
    return [word for word in found if word not in SILENT]


def _settled(words: list[str]) -> list[str]:
    """The words with those in a settled order whose place says nothing."""
    words = _between(words)
    if not _BINDING.isdisjoint(words):
        return words
    aside = sorted(word for word in words if word in _ASIDE)
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _PLACING:
            parts.append([])
        if word not in _ASIDE:
            parts[-1].append(word)
    return [*parts[0], *(word for part in sorted(parts[1:]) for word in part), *aside]


def _between(words: list[str]) -> list[str]:
    """`between b and a` as `between a and b`."""
    for at in range(len(words) - 3):
        if words[at] == "between" and words[at + 2] == "and":
            words = [*words[: at + 1], *sorted((words[at + 1], words[at + 3])), *words[at + 4 :]]
            break
    return words
