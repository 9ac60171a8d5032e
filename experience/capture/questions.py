"""What a question asks for, whoever asks it and however it is put.

A question claims nothing, so more of its wording may go than of a statement's: who asks, the little verbs, praise such
as "best", endings. What stays is numbers, negations, times, directions and every word with a meaning of its own.
"""

from __future__ import annotations

import re

from experience.capture.wording import singular

_SHARED: dict[str, str] = {}
FEW = 3  # a question with fewer words of its own is compared as it stands

_WHO = r"(?:i|you|we|one|someone|somebody|anyone|people|they|person|human|he|she|u)"
_HELP = r"(?:do|does|did|can|could|should|would|will|might|may|to|shall)"
_BE = r"(?:is|are|was|were)"
ASKING = rf"(?:how|what|why|which|who|where|when) {_HELP[:-1]}|is|are|was|were) "  # also without its mark
_ASKED = (
    (r"^(?:(?:so|well|hi|hello|hey|ok|okay|and|but|also) )+", ""),
    (r"^(?:can|could|will|would) (?:you|someone|somebody|anyone|anybody) (?:explain|tell)(?: to)?(?: me)? ", ""),
    (rf"^(?:what|which) (?:{_BE}|would be|can be|could be) (?:some |one |few |of )*"
     r"(?:(?:best|good|easiest|easy|better|most effective|effective|simplest|fastest|quickest|proper|correct) )?"
     r"(?:way|ways|method|methods) (?:to|for|of|by which|in which|(?:i|you|we|one) can) ", "how "),
    (r"^(?:is|are) there (?:any |some |good )*ways? (?:to|of|for) ", "how "),
    (rf"\bhow {_HELP} (?:{_WHO} )?(?:go about )?", "how "),
    (rf"\bhow {_WHO} (?:can|could|should) ", "how "),
    (rf"\b(?:what|which) {_BE} (?:meaning of|meant by|definition of)\b", "what"),
    (rf"\b(?:what|which|who) {_BE}\b", "what"),
    (rf"\bwhy (?:do|does|did|{_BE})\b", "why"),
)  # fmt: skip
_LIGHT = frozenset(  # says how much or how well, or only joins
    """? what which in on at of for about with into onto within inside during via by using like out up best good great
    top better effective effectively easy easily easiest simple quickly fast amazing interesting ever really actually
    now today currently think way get most some any world exactly so also possible possibly""".split()
)
_LOOSE = _LIGHT | frozenset(  # and who asks, and the verbs that help
    """i you we one someone somebody anyone people they he she u person my your our their his her me us myself yourself
    there as to do does did is are am was were be been being""".split()
)
_BOUND = frozenset("from than before after not never without".split())  # says something of the very next word
_OPENERS = frozenset("how why who when where whom whose".split())
_GROUPS = (
    "create make build design develop", "begin start", "buy purchase", "earn make", "see watch", "find get",
    "big large", "movie film", "reason cause", "tip method technique", "problem issue", "learn study", "fix solve",
    "effect impact consequence", "happen occur", "kind type sort", "thought view opinion", "mean definition",
    "know tell", "look seem", "phone smartphone", "cheap affordable", "reduce decrease lower", "quit stop",
    "website site", "frequently often", "college university", "job career", "child kid",
)  # fmt: skip


def asked(words: list[str]) -> list[str]:
    """The words of a question (with its mark) that tell what it asks for, in a settled order."""
    text = " ".join(words)
    for pattern, instead in _ASKED:
        text = re.sub(pattern, instead, text)
    plain = text.split()
    loose = [_shared().get(root, root) for root in map(stem, (word for word in plain if word not in _LOOSE))]
    own = len(loose) - len(_OPENERS.intersection(loose))
    if own < FEW:
        return [*(singular(word) for word in plain if word not in _LIGHT), "?"]
    return [*(sorted(_joined(loose)) if own > FEW else loose), "?"]


def stem(word: str) -> str:
    """A word without the endings that grammar puts on it."""
    word = singular(word)
    for ending in ("ing", "ed", "ly"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word[: -len(ending)]
            if word[-1] == word[-2] and word[-1] not in "sle":
                word = word[:-1]
            break
    if len(word) > 3 and word[-1] in "ey":
        return word[:-1] + ("i" if word[-1] == "y" else "")
    return word


def _shared() -> dict[str, str]:
    """Words that ask for the same, each with the one that stands for all of them; built for the first question."""
    if not _SHARED:
        _SHARED.update({stem(word): stem(group.split()[0]) for group in reversed(_GROUPS) for word in group.split()})
    return _SHARED


def _joined(words: list[str]) -> list[str]:
    """The words, each that is bound to the next one together with it."""
    found: list[str] = []
    for word in words:
        if found and found[-1] in _BOUND:
            found[-1] += " " + word
        else:
            found.append(word)
    return found
