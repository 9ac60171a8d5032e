"""What the two arms say about one row, as one number: `merged = Σ weight × part`, every part and the sum from 0 to 1.

Keywords are BM25 divided by the most the query could reach, so weak evidence stays weak; the cosine is 0 where it is
negative. *weighted* is the documented recipe, 0.7 × cosine + 0.3 × keyword. *measured* is what did best on all the
data sets at once: what is asked in the words of the answer wants keywords, what is asked in other words wants vectors,
and how much of the query some row holds tells the two apart. `docs/search.md` has the figures.
"""

from __future__ import annotations

from itertools import pairwise

from experience.analyzer import terms
from experience.search.decay import retention
from experience.search.fts import within_budget
from experience.search.mmr import diverse
from experience.search.ranking import asked, saturation
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias, TypeVar

    from experience.layers.keyword import KeywordIndex
    from experience.search.embed import Array
    from experience.search.hybrid import Meaning
    from experience.search.ranking import Asked

    T = TypeVar("T")
    Spans: TypeAlias = dict[str, tuple[float, float]]
    Told: TypeAlias = tuple[str, str, datetime | None]  # a row's id, its text, and when it was told

FUSIONS = ("measured", "weighted")
VECTOR_SHARE = 0.7
PROPOSED = 256  # rows each arm names
# measured, for memories: a keyword's weight beside a cosine's, by what the best row holds of the query
WEAK, STRONG = (0.1, 0.5), (0.2, 3.0)
GENERAL = 1.1  # the cosine of a statement that is no fact: such are asked for in other words
# measured, for experiences: keywords, and the pairs of words that a task shares with one of the same make
KEYWORD, PHRASE = 0.5, 2.0


class Weights(Value):
    """How much each part counts; they add up to 1, or less where another kind of row gets the rest."""

    vector: float
    keyword: float
    phrase: float = 0.0


def merged(weights: Weights, *, vector: float, keyword: float, phrase: float = 0.0) -> float:
    """The parts of one row as one number."""
    return weights.vector * max(0.0, vector) + weights.keyword * keyword + weights.phrase * phrase


def weighted(vector_share: float) -> Weights:
    """The documented recipe."""
    return Weights(vector=vector_share, keyword=1 - vector_share)


def for_memory(type: str, best_keyword: float) -> Weights:
    """The measured weights of a memory, by its type and the keyword score of the best row for the query."""
    (low, least), (high, most) = WEAK, STRONG
    keyword = least + (most - least) * min(1.0, max(0.0, (best_keyword - low) / (high - low)))
    whole = GENERAL + keyword
    return Weights(vector=(1.0 if type == "fact" else GENERAL) / whole, keyword=keyword / whole)


def for_experience() -> Weights:
    """The measured weights of an experience."""
    whole = 1 + KEYWORD + PHRASE
    return Weights(vector=1 / whole, keyword=KEYWORD / whole, phrase=PHRASE / whole)


def phrase(query: Sequence[str], row: Sequence[str]) -> float:
    """How much two texts are made of the same pairs of words, cubed: chance pairs count next to nothing."""
    mine, theirs = set(pairwise(query)), set(pairwise(row))
    if not mine or not theirs:
        return 0.0
    return float((2 * len(mine & theirs) / (len(mine) + len(theirs))) ** 3)


def kept_in(best: Sequence[T], literal: Sequence[T], limit: int) -> list[T]:
    """The best *limit*; the best of what holds the very words of the query is among them, up to half of them."""
    first = literal[: max(1, limit // 2)]
    taken = {id(one) for one in first}
    for one in best:
        if len(taken) >= limit:
            break
        taken.add(id(one))
    return [one for one in best if id(one) in taken]


def holds(row: str, words: Sequence[str]) -> bool:
    """Whether a row's terms hold these words, one after the other."""
    return bool(words) and f" {' '.join(words)} " in f" {row} "


class Found(Value):
    """Something found by what it means: what it is, how good a match, and why."""

    id: str
    kind: str
    text: str
    score: float
    why: FoundWhy


class FoundWhy(Value):
    """`score = merged × decay` and `merged = weights.vector × vector + weights.keyword × keyword`, all from 0 to 1.

    *place* is where relevance alone would have put it; *degraded* says why there was no vector.
    """

    vector: float
    keyword: float
    weights: Weights
    merged: float
    decay: float
    place: int
    model: str | None
    degraded: str | None


class Trace(Value):
    """One search step by step: when each arm began and ended, in seconds, and how many rows they named of each kind."""

    hits: tuple[Found, ...]
    arms: Spans
    named: dict[str, int]
    model: str | None
    degraded: str | None


class Candidate:
    """A row that one of the arms named."""

    def __init__(self, kind: str, told: Told, vector: float, keyword: float, row: Array | None) -> None:
        self.kind, (self.id, self.text, self.at) = kind, told
        self.vector, self.keyword, self.row = vector, keyword, row

    def shown(self, weights: Weights, decay: float, place: int, meaning: Meaning | None) -> Found:
        """The row as a result, every part of its score beside it."""
        both = merged(weights, vector=self.vector, keyword=self.keyword)
        why = FoundWhy(
            vector=self.vector, keyword=self.keyword, weights=weights, merged=both, decay=decay, place=place,
            model=meaning.model if meaning else None, degraded=meaning.degraded if meaning else None,
        )  # fmt: skip
        return Found(id=self.id, kind=self.kind, text=self.text, score=both * decay, why=why)

    def like(self, other: Candidate) -> float:
        """How much it repeats another: by meaning, or by words where there is no vector."""
        if self.row is not None and other.row is not None:
            return max(0.0, float(self.row @ other.row))
        mine, theirs = set(terms(self.text)), set(terms(other.text))
        return len(mine & theirs) / (len(mine | theirs) or 1)


def keyword_arm(index: KeywordIndex, words: Sequence[str], now: datetime) -> dict[int, float]:
    """The rows that share most with a query, and their keyword scores."""
    rows, total = index.corpus()
    query = asked(index.document_counts(words), words, rows=rows, total=total, tags=(), now=now, half_life_days=1)
    if not query.terms:
        return {}
    keys = [key for key, _ in index.matching(within_budget(query), PROPOSED)]
    return {row[0]: relevance(query, str(row[2]).split(" ")) for row in index.candidates(keys)}  # type: ignore[misc]


def relevance(query: Asked, held: Sequence[str]) -> float:
    """BM25 divided by the most this query could reach."""
    counts = [(idf, held.count(term)) for term, idf in zip(query.terms, query.idfs, strict=True)]
    return sum(idf * saturation(tf, len(held), query.average_length) for idf, tf in counts if tf) / query.most


def candidates(
    kind: str, store: int, keywords: dict[int, float], told: dict[int, Told],
    meaning: Meaning | None,
) -> list[Candidate]:  # fmt: skip
    """The rows that either arm named, with what both say about each."""
    near = meaning.cosines(list(told), store) if meaning else {}
    found = []
    for key, said in told.items():
        row = meaning.row(key, store) if meaning else None
        found.append(Candidate(kind, said, max(0.0, near.get(key, 0.0)), keywords.get(key, 0.0), row))
    return found


def ranked(
    found: Sequence[Candidate], weights: Weights, meaning: Meaning | None, words: Sequence[str], now: datetime, *,
    half_life_days: float,
) -> list[tuple[Candidate, Found, bool]]:  # fmt: skip
    """Candidates by `merged × decay`, the best first, and whether each holds the very words of the query."""
    floor = meaning.floor if meaning else 1.0
    scores = []
    for one in found:
        if one.keyword or one.vector >= floor:
            age_s = (now - one.at).total_seconds() if one.at else 0.0
            decay = retention(age_s, half_life_days=half_life_days)
            scores.append((merged(weights, vector=one.vector, keyword=one.keyword) * decay, decay, one))
    scores.sort(key=lambda some: (-some[0], some[2].id))
    return [
        (one, one.shown(weights, decay, place, meaning), holds(" ".join(terms(one.text)), words))
        for place, (_, decay, one) in enumerate(scores, 1)
    ]


def diversified(best: Sequence[tuple[Candidate, Found, bool]], limit: int, lam: float) -> list[Found]:
    """The first *limit*, each relevant and unlike those above it; the very words of the query are never left out."""
    some = best[: max(50, 3 * limit)]
    top = some[0][1].score if some else 1.0
    order = diverse(
        [found.score / (top or 1.0) for _, found, _ in some], lambda one, other: some[one][0].like(some[other][0]),
        limit=len(some) if lam < 1 else 0, lam=lam,
    )  # fmt: skip
    shown = [some[at] for at in order] or list(some)
    return [found for _, found, _ in kept_in(shown, [one for one in best if one[2]], limit)]
