"""The one formula both engines rank by: `score = relevance × weight × success × tags`, each from 0 to 1.

Relevance is BM25 divided by the most it could reach for this query (the sum of the terms' idf), so that it keeps its
meaning from query to query: weak evidence stays weak.
"""

from __future__ import annotations

from math import log

from experience.models import Term, Why
from experience.search.decay import retention
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from experience.layers.experiences import Candidate

K1 = 1.2
B = 0.75
MOST_TERMS = 32  # of a longer query the rarest terms are searched for
EVIDENCE = 0.5  # what a self-report alone is worth, in verified outcomes


class Asked(Value):
    """A query with what the corpus says about its terms, rarest first."""

    terms: tuple[str, ...]
    counts: tuple[int, ...]
    idfs: tuple[float, ...]
    most: float  # the sum of all idfs, of unknown terms too
    rows: int
    average_length: float
    tags: frozenset[str]
    now: datetime
    half_life_days: float


class Ranked(Value):
    """A candidate with its score; the reasons are told for those that are shown."""

    score: float
    candidate: Candidate
    relevance: float
    weight: float
    success: float
    tags: float


def asked(
    counts: dict[str, int],
    terms: Iterable[str],
    *,
    rows: int,
    total: int,
    tags: Iterable[str],
    now: datetime,
    half_life_days: float,
) -> Asked:
    """A query, given in how many of *rows* rows, *total* terms long together, each of its terms stands."""
    known = sorted(((counts.get(term, 0), term) for term in terms), key=lambda pair: pair[0])
    known = known[:MOST_TERMS]
    idfs = [idf(rows, count) for count, _ in known]
    found = [(term, count, weight) for (count, term), weight in zip(known, idfs, strict=True) if count]
    return Asked(
        terms=tuple(term for term, _, _ in found), counts=tuple(count for _, count, _ in found),
        idfs=tuple(weight for _, _, weight in found), most=sum(idfs), rows=rows,
        average_length=total / rows if rows else 0.0, tags=frozenset(tags), now=now, half_life_days=half_life_days,
    )  # fmt: skip


def idf(rows: int, count: int) -> float:
    """How telling a term is that stands in *count* of *rows* rows; never negative."""
    return log(1 + (rows - count + 0.5) / (count + 0.5))


def saturation(tf: int, length: int, average_length: float) -> float:
    """What a term's repeats are worth in a row of this length, from 0 towards 1."""
    return tf / (tf + K1 * (1 - B + B * length / average_length))


def proven(success_score: float, verified_count: int) -> float:
    """A success score, drawn towards one half while little evidence stands behind it."""
    evidence = EVIDENCE + verified_count
    return (0.5 + success_score * evidence) / (1 + evidence)


def tag_factor(asked_for: frozenset[str], tags: Sequence[str]) -> float:
    """Tags re-rank, they do not filter: from one half for none of them to 1 for all."""
    if not asked_for:
        return 1.0
    return 0.5 + 0.5 * len(asked_for.intersection(tags)) / len(asked_for)


def ranked(query: Asked, candidates: Iterable[Candidate]) -> list[Ranked]:
    """The candidates that match at all, best first; of equals the newest first."""
    found = [_weighed(query, candidate) for candidate in candidates]
    found = [one for one in found if one.relevance > 0]
    found.sort(key=lambda one: (one.score, one.candidate.created_at, one.candidate.key), reverse=True)
    return found


def why(query: Asked, one: Ranked, engine: str) -> Why:
    """Every part of a score, so that anyone can add it up again."""
    terms = one.candidate.terms.split(" ")
    parts = []
    for term, count, weight in zip(query.terms, query.counts, query.idfs, strict=True):
        if tf := terms.count(term):
            part = weight * saturation(tf, one.candidate.length, query.average_length) / query.most
            parts.append(Term(term=term, tf=tf, df=count, idf=weight, part=part))
    return Why(
        relevance=one.relevance, weight=one.weight, success=one.success, tags=one.tags, terms=tuple(parts),
        rows=query.rows, length=one.candidate.length, average_length=query.average_length, engine=engine,
    )  # fmt: skip


def _weighed(query: Asked, candidate: Candidate) -> Ranked:
    relevance = _relevance(query, candidate)
    age_s = (query.now - candidate.weighed_at).total_seconds()
    weight = candidate.weight * retention(age_s, half_life_days=query.half_life_days)
    success = proven(candidate.success_score, candidate.verified_count)
    tags = tag_factor(query.tags, candidate.tags)
    return Ranked(
        score=relevance * weight * success * tags, candidate=candidate, relevance=relevance, weight=weight,
        success=success, tags=tags,
    )  # fmt: skip


def _relevance(query: Asked, candidate: Candidate) -> float:
    terms = candidate.terms.split(" ")
    norm = K1 * (1 - B + B * candidate.length / query.average_length)
    found = 0.0
    for term, weight in zip(query.terms, query.idfs, strict=True):
        if tf := terms.count(term):
            found += weight * tf / (tf + norm)
    return found / query.most
