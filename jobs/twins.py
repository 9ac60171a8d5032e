"""Which texts say the same: those of one gist, and those that are one gist but for a slip of typing.

The gist is an equivalence, so equal ones are found by a look-up. Of those left, MinHash names the candidates, a strict
reading of the two texts decides, and the cosine of their TF-IDF has the last word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience.capture import likeness
from experience.capture.likeness import gist
from jobs import minhash, slips

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from typing import TypeAlias

    Pairs: TypeAlias = list[tuple[int, int]]
    Suspect: TypeAlias = tuple[int, int, tuple[str, str]]  # two texts, and the words in which they differ

COSINE = 0.75  # of letter pairs: slips keep more than .76, texts that merely share a frame less than .45


def groups(texts: Sequence[str], kinds: Sequence[Hashable]) -> list[list[int]]:
    """The numbers of the texts of one kind that say the same, wherever there is more than one."""
    forms: dict[tuple[Hashable, str], list[int]] = {}
    for number, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        forms.setdefault((kind, gist(text)), []).append(number)
    same = list(forms.values())
    joined = list(range(len(same)))  # for each form the one it was joined to
    for one, other in _nearly([texts[numbers[0]] for numbers in same], [form for _, form in forms], _numbered(forms)):
        joined[_root(joined, other)] = _root(joined, one)
    together: dict[int, list[int]] = {}
    for at, numbers in enumerate(same):
        together.setdefault(_root(joined, at), []).extend(numbers)
    return [sorted(numbers) for numbers in together.values() if len(numbers) > 1]


def alike(a: str, b: str) -> bool:
    """Whether two texts that were found to say the same still do, by what the two alone can tell."""
    if likeness.same(a, b):
        return True
    forms = slips.slipped(gist(a).split(), gist(b).split())
    return forms is not None and slips.may_slip(a, b, forms)


def _nearly(texts: Sequence[str], gists: Sequence[str], kinds: Sequence[int]) -> Pairs:
    """Pairs of texts that are the same but for a slip of typing; no two of a kind have the same gist."""
    if len(texts) < 2:
        return []
    suspects = []
    for one, other in minhash.pairs(gists, kinds, slips.Bags(gists).near).tolist():
        forms = slips.slipped(gists[one].split(), gists[other].split())
        if forms:
            suspects.append((one, other, forms))
    return _judged(suspects, texts, gists) if suspects else []


def _judged(suspects: Sequence[Suspect], texts: Sequence[str], gists: Sequence[str]) -> Pairs:
    """The pairs that are one by the words known here; asked again without the slips found, until there are no more.

    Otherwise the next night, which knows the slips no longer that this one folded, would find what this one did not.
    """
    known, found = slips.Words(texts), list[tuple[int, int]]()
    while True:
        same = [one for one in suspects if slips.one_word(texts[one[0]], texts[one[1]], one[2], known)]
        fresh = _confirmed([(one, other) for one, other, _ in same], gists)
        if not fresh:
            return found
        known.forget([texts[other] for _, other in fresh])
        found += fresh
        asked = set(same)
        suspects = [one for one in suspects if one not in asked]


def _confirmed(pairs: Pairs, gists: Sequence[str]) -> Pairs:
    """The pairs whose letters are weighed alike too."""
    if not pairs:
        return []
    from sklearn.feature_extraction.text import TfidfVectorizer

    places = {at: row for row, at in enumerate(dict.fromkeys(at for pair in pairs for at in pair))}
    weighed = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 2)).fit_transform([gists[at] for at in places])
    left, right = (weighed[[places[pair[side]] for pair in pairs]] for side in (0, 1))
    cosines = left.multiply(right).sum(axis=1).A1
    return [pair for pair, cosine in zip(pairs, cosines.tolist(), strict=True) if cosine >= COSINE]


def _numbered(forms: Iterable[tuple[Hashable, str]]) -> list[int]:
    """A number for the kind of each form."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(kind, len(numbers)) for kind, _ in forms]


def _root(joined: list[int], at: int) -> int:
    while joined[at] != at:
        joined[at] = at = joined[joined[at]]
    return at
