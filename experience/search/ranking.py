"""The one formula both engines rank by: `score = relevance × weight × success × tags`, each from 0 to 1.

Relevance is BM25 divided by the most it could reach for this query (the sum of the terms' idf), so that it keeps its
meaning from query to query: weak evidence stays weak.
"""

from __future__ import annotations

import json
from math import log

from experience.clock import from_text
from experience.models import Term, Why
from experience.search.decay import retention
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime
    from typing import Any, TypeAlias

    Row: TypeAlias = tuple[Any, ...]  # with the columns of `layers.experiences.CANDIDATE`
    Scored: TypeAlias = tuple[float, str, int, float, float, float, Row]  # score, created_at, key, its parts

K1 = 1.2
B = 0.75
MOST_TERMS = 32  # of a longer query the rarest terms are searched for
BACKGROUND = 1_000  # rows a young store is thought to have when its words are weighed
FAIR, ENOUGH = 0.2, 12.0  # the share of a query, or the sum of idfs, that makes a thing worth showing unasked
EVIDENCE = 0.5  # what a self-report alone is worth, in verified outcomes


class Asked(Value):
    """A query with what the corpus says about its terms, rarest first."""

    terms: tuple[str, ...]
    counts: tuple[int, ...]
    idfs: tuple[float, ...]
    most: float  # the sum of all idfs, of unknown terms too
    unknown: int  # terms that stand nowhere
    rows: int
    average_length: float
    tags: frozenset[str]
    now: datetime
    half_life_days: float


class Ranked(Value):
    """A row that is shown, with every part of its score."""

    key: int
    score: float
    relevance: float
    weight: float
    success: float
    tags: float
    terms: tuple[str, ...]
    length: int


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
        idfs=tuple(weight for _, _, weight in found), most=sum(idfs), unknown=len(known) - len(found), rows=rows,
        average_length=total / rows if rows else 0.0, tags=frozenset(tags), now=now, half_life_days=half_life_days,
    )  # fmt: skip


def idf(rows: int, count: int) -> float:
    """How telling a term is that stands in *count* of *rows* rows; never negative."""
    return log(1 + (rows - count + 0.5) / (count + 0.5))


def telling(query: Asked, held: Collection[str]) -> bool:
    """Whether a thing that holds these terms is about the query at all: a fair share of it, or enough in itself.

    A young store knows little about how rare a word is, so it is weighed as a part of a larger one.
    """
    rows = max(query.rows, BACKGROUND)
    weights = {term: idf(rows, count) for term, count in zip(query.terms, query.counts, strict=True)}
    evidence = sum(weight for term, weight in weights.items() if term in held)
    return evidence >= min(ENOUGH, FAIR * (sum(weights.values()) + query.unknown * idf(rows, 0)))


def saturation(tf: int, length: float, average_length: float) -> float:
    """What a term's repeats are worth in a row of this length, from 0 towards 1."""
    return tf / (tf + K1 * (1 - B + B * length / average_length))


def proven(success_score: float, verified_count: int) -> float:
    """A success score, drawn towards one half while little evidence stands behind it."""
    evidence = EVIDENCE + verified_count
    return (0.5 + success_score * evidence) / (1 + evidence)


def tag_factor(asked_for: frozenset[str], tags: object) -> float:
    """Tags re-rank, they do not filter: from one half for none of them (*tags* is a JSON list) to 1 for all."""
    if not asked_for:
        return 1.0
    return 0.5 + 0.5 * len(asked_for.intersection(json.loads(str(tags)))) / len(asked_for)


def scored(query: Asked, rows: Iterable[Row]) -> list[Scored]:
    """The rows that match at all with their scores; light, for most of them are never shown."""
    worth, tags = dict(zip(query.terms, query.idfs, strict=True)), query.tags
    kept: dict[object, float] = {}  # moment → what time left of a weight: many rows were weighed together
    found: list[Scored] = []
    for row in rows:
        key, _, terms, length, stored, weighed_at, success_score, verified, tagged, created = row
        held = [term for term in terms.split(" ") if term in worth]
        if not held:
            continue
        norm = K1 * (1 - B + B * length / query.average_length)
        relevance = _bm25(held, worth, norm) / query.most
        if weighed_at not in kept:
            age_s = (query.now - from_text(weighed_at)).total_seconds()
            kept[weighed_at] = retention(age_s, half_life_days=query.half_life_days)
        weight, success = stored * kept[weighed_at], proven(success_score, verified)
        score = relevance * weight * success
        if tags:
            score *= tag_factor(tags, tagged)
        found.append((score, created, key, relevance, weight, success, row))
    return found


def best_first(found: list[Scored], limit: int, query: Asked) -> list[Ranked]:
    """The best *limit* in the order they are shown: by score, and of equals the newest first."""
    return [
        Ranked(
            key=key, score=score, relevance=relevance, weight=weight, success=success,
            tags=tag_factor(query.tags, row[8]), terms=tuple(str(row[2]).split(" ")), length=int(str(row[3])),
        )
        for score, _, key, relevance, weight, success, row in sorted(found, reverse=True)[:limit]
    ]  # fmt: skip


def why(query: Asked, one: Ranked, engine: str) -> Why:
    """Every part of a score, so that anyone can add it up again."""
    parts = []
    for term, count, weight in zip(query.terms, query.counts, query.idfs, strict=True):
        if tf := one.terms.count(term):
            part = weight * saturation(tf, one.length, query.average_length) / query.most
            parts.append(Term(term=term, tf=tf, df=count, idf=weight, part=part))
    return Why(
        relevance=one.relevance, weight=one.weight, success=one.success, tags=one.tags, terms=tuple(parts),
        rows=query.rows, length=one.length, average_length=query.average_length, engine=engine,
    )  # fmt: skip


def _bm25(held: list[str], worth: dict[str, float], norm: float) -> float:
    """The terms a row holds, repeats included, as one sum."""
    distinct = set(held)
    if len(distinct) == len(held):
        return sum([worth[term] for term in held]) / (1 + norm)
    return sum([worth[term] * (tf := held.count(term)) / (tf + norm) for term in sorted(distinct)])
