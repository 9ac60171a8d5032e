"""Finding memories by their words: BM25 over what was said and, at half weight, over the message before it.

`score = (relevance + neighbours) × decay × reinforcement`; where there are vectors, what both arms say is merged in
the place of relevance. Relevance is divided by the most the query could reach, so
that weak evidence stays weak; a neighbour in the same conversation lends a quarter of its relevance, because the
evidence often stands right beside the hit; reinforcement is damped, so that nothing outranks the rest for ever.
"""

from __future__ import annotations

from math import log

from experience.clock import from_text
from experience.models import MemoryHit, MemoryWhy, Term
from experience.search.decay import retention
from experience.search.fts import within_budget
from experience.search.ranking import asked
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Value as Column
    from experience.layers.keyword import KeywordIndex
    from experience.layers.memories import Memories
    from experience.search.fusion import Weights
    from experience.search.ranking import Asked

    Row: TypeAlias = tuple[Any, ...]  # with the columns of `layers.memories.CANDIDATE`

K1 = 0.9
B = 0.4
CONTEXT = 0.5  # what a word of the message before counts, beside one of the message itself
NEIGHBOUR = 0.25
BESIDE, BEYOND = 0.2, 0.1  # with vectors: the message before and after, and the ones before and after those
PROPOSED = 256  # rows that share most with the query; past them rows have too little in common …
DEEPEST = 8 * PROPOSED  # … unless most of them are hidden
DAMPING = 0.25


class Scored(Value):
    """A row with every part of its score."""

    key: int
    score: float
    relevance: float
    neighbours: float
    decay: float
    reinforcement: float
    row: Row
    vector: float = 0.0
    merged: float = 0.0
    weights: Weights | None = None


class Proposed(Value):
    """What keywords name on one shelf, unranked."""

    query: Asked
    rows: list[Row]


def find(
    index: KeywordIndex,
    terms: Sequence[str],
    *,
    limit: int,
    now: datetime,
    half_life_days: float,
    keep: Callable[[Row], bool],
    only: str = "",
    params: Sequence[Column] = (),
    haste: float = 1.0,
) -> tuple[Asked, list[Scored]]:
    """The best rows for these terms among those to *keep*; *only* is a condition that leaves out most of the rest."""
    named = propose(
        index, terms, limit=limit, now=now, half_life_days=half_life_days, keep=keep, only=only, params=params,
        haste=haste,
    )  # fmt: skip
    return named.query, sorted(scored(named.query, named.rows), key=best_first)[:limit]


def propose(
    index: KeywordIndex,
    terms: Sequence[str],
    *,
    limit: int,
    now: datetime,
    half_life_days: float,
    keep: Callable[[Row], bool],
    only: str = "",
    params: Sequence[Column] = (),
    haste: float = 1.0,
) -> Proposed:
    """The rows to *keep* that share most with these terms."""
    rows, total = index.corpus()
    query = asked(
        index.document_counts(terms) if terms else {}, terms, rows=rows, total=total, tags=(), now=now,
        half_life_days=half_life_days,
    )  # fmt: skip
    if not query.terms:
        return Proposed(query=query, rows=[])
    terms_within, most = within_budget(query, haste), max(int(haste * PROPOSED), 4 * limit)
    while True:
        proposed = index.matching(terms_within, most, only=only, params=params)
        kept = [row for row in index.candidates([key for key, _ in proposed]) if keep(row)]
        if len(kept) >= limit or len(proposed) < most or most >= DEEPEST:
            return Proposed(query=query, rows=kept)
        most *= 8


def shown(row: Row) -> bool:
    """Neither quarantined nor replaced nor folded: what a search may find."""
    return not row[11]


def current(row: Row) -> bool:
    """Held true now: what may be injected."""
    return bool(row[13])


def scored(query: Asked, rows: Sequence[Row]) -> list[Scored]:
    """Each row with its score, its neighbours among the others included."""
    relevance = relevances(query, rows)
    lent = _lent(rows, relevance, NEIGHBOUR)
    return [_scored(query, row, relevance[row[0]], relevance[row[0]], lent[row[0]]) for row in rows]


def relevances(query: Asked, rows: Sequence[Row]) -> dict[int, float]:
    """The keyword score of each row."""
    worth = dict(zip(query.terms, query.idfs, strict=True))
    return {row[0]: _relevance(row, worth, query) if worth else 0.0 for row in rows}


def fused(
    query: Asked,
    rows: Sequence[Row],
    relevance: dict[int, float],
    near: dict[int, float],
    weights: Callable[[str], Weights],
    floor: float,
) -> list[Scored]:
    """Each row with its score by both arms; rows that neither has anything to say about are left out."""
    from experience.search.fusion import merged  # keywords alone do without

    rows = [row for row in rows if relevance[row[0]] or near.get(row[0], 0.0) >= floor]
    of_type = {type: weights(type) for type in {row[7] for row in rows}}
    vectors = {row[0]: max(0.0, near.get(row[0], 0.0)) for row in rows}
    both = {row[0]: merged(of_type[row[7]], vector=vectors[row[0]], keyword=relevance[row[0]]) for row in rows}
    lent = _lent(rows, both, BESIDE, BEYOND)
    return [
        _scored(query, row, both[row[0]], relevance[row[0]], lent[row[0]], vectors[row[0]], of_type[row[7]])
        for row in rows
    ]


def _scored(
    query: Asked, row: Row, own: float, relevance: float, lent: float, vector: float = 0.0,
    weights: Weights | None = None,
) -> Scored:  # fmt: skip
    age_s = (query.now - from_text(row[9])).total_seconds()
    decay = retention(age_s, half_life_days=query.half_life_days)
    reinforcement = 1 + DAMPING * log(row[8])
    return Scored(
        key=row[0], score=(own + lent) * decay * reinforcement, relevance=relevance, neighbours=lent, decay=decay,
        reinforcement=reinforcement, row=row, vector=vector, merged=own, weights=weights,
    )  # fmt: skip


def why(query: Asked, one: Scored) -> MemoryWhy:
    """Every part of a score, so that anyone can add it up again."""
    length, parts = one.row[6], []
    for term, count, idf in zip(query.terms, query.counts, query.idfs, strict=True):
        if tf := _frequency(one.row, term):
            part = idf * _saturation(tf, length, query.average_length) / query.most
            parts.append(Term(term=term, tf=tf, df=count, idf=idf, part=part))
    return MemoryWhy(
        relevance=one.relevance, neighbours=one.neighbours, decay=one.decay, reinforcement=one.reinforcement,
        terms=tuple(parts), rows=query.rows, length=length, average_length=query.average_length, engine="fts5",
    )  # fmt: skip


def hits(
    query: Asked, found: Sequence[Scored], layer: Memories, why: Callable[[Asked, Scored], MemoryWhy] = why
) -> list[MemoryHit]:
    """What was found as values, each with its why."""
    whole = layer.by_keys([one.key for one in found]) if found else {}
    return [
        MemoryHit(id=whole[one.key].id, score=one.score, why=why(query, one), memory=whole[one.key])
        for one in found
        if one.key in whole  # forgotten this very moment by another process
    ]


def _relevance(row: Row, worth: dict[str, float], query: Asked) -> float:
    frequencies: dict[str, float] = {}
    for column, weight in ((2, 1.0), (3, 1.0), (4, 1.0), (5, CONTEXT)):
        for term in row[column].split(" ") if row[column] else ():
            if term in worth:
                frequencies[term] = frequencies.get(term, 0.0) + weight
    norm = K1 * (1 - B + B * row[6] / query.average_length)
    relevance: float = sum([worth[term] * tf / (tf + norm) for term, tf in sorted(frequencies.items())]) / query.most
    return relevance


def _frequency(row: Row, term: str) -> float:
    own: int = sum(row[column].split(" ").count(term) for column in (2, 3, 4))
    before: int = row[5].split(" ").count(term)
    return own + CONTEXT * before


def _saturation(tf: float, length: int, average_length: float) -> float:
    return tf / (tf + K1 * (1 - B + B * length / average_length))


def _lent(rows: Sequence[Row], own: dict[int, float], beside: float, beyond: float = 0.0) -> dict[int, float]:
    """What the messages before and after lend each row, and those before and after them."""
    said = {row[14]: row for row in rows}  # fingerprint → row
    before = {row[0]: said.get(row[15]) if row[15] else None for row in rows}
    lent = dict.fromkeys(own, 0.0)
    for key, one in before.items():
        _lend(lent, own, key, one, beside)
        if beyond and one is not None:
            _lend(lent, own, key, before[one[0]], beyond)
    return lent


def _lend(lent: dict[int, float], own: dict[int, float], key: int, other: Row | None, share: float) -> None:
    """Two rows lend each other a share of what they are worth themselves."""
    if other is not None and other[0] != key:
        lent[key] += share * own[other[0]]
        lent[other[0]] += share * own[key]


def best_first(one: Scored) -> tuple[float, str, int]:
    """By score; of equals the newest, and of those the last that came."""
    return -one.score, _backwards(one.row[10]), -one.key


def _backwards(moment: str) -> str:
    """Fixed-width digits that sort the other way round."""
    return moment.translate(_NINES)


_NINES = str.maketrans("0123456789", "9876543210")
