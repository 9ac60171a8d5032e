"""Finding with FTS5 inside the store: no start-up, always fresh; serves short-lived processes and servers.

FTS5 only proposes: the rows that gather the most idf from the query's rarest terms. They are ranked by the house's own
formula, some at a time, until no row that is left could get in with the best factors seen so far.
"""

from __future__ import annotations

from experience.search.ranking import asked, best_first, saturation, scored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from experience.layers.keyword import KeywordIndex
    from experience.search.ranking import Asked, Ranked, Scored

RARE = 4_000  # postings read of the rarest terms, wherever they stand …
COMMON = 6_000  # … and of the other terms, in the newest rows alone: older ones weigh less
FIRST = 128  # rows ranked at first: mostly enough
PROPOSED = (256, 4_096)  # rows asked for, and once those were not enough; past them rows have too little in common


def find(
    index: KeywordIndex,
    terms: Sequence[str],
    *,
    tags: Iterable[str],
    limit: int,
    now: datetime,
    half_life_days: float,
) -> tuple[Asked, list[Ranked]]:
    """The best rows for these terms, exactly as if every row had been ranked."""
    rows, total = index.corpus()
    query = asked(
        index.document_counts(terms), terms, rows=rows, total=total, tags=tags, now=now, half_life_days=half_life_days
    )
    return query, best(index, query, limit) if query.terms else []


def best(index: KeywordIndex, query: Asked, limit: int) -> list[Ranked]:
    """The best rows: the most promising are ranked, some at a time, until the rest could not get in."""
    found: list[Scored] = []
    looked, heaviest, terms = 0, 0.0, within_budget(query)
    for most in PROPOSED:
        proposed = index.matching(terms, max(most, 2 * limit))
        while looked < len(proposed):
            if proposed[looked][1] * heaviest < reached(found, limit) * query.most:
                return best_first(found, limit, query)
            some = proposed[looked : looked + max(FIRST, 2 * limit, looked)]
            fresh = scored(query, index.candidates([key for key, _ in some]))
            heaviest = max([heaviest, *(heft(query, one) for one in fresh)])
            found += fresh
            looked += len(some)
        if len(proposed) < most:
            break
    return best_first(found, limit, query)


def within_budget(query: Asked) -> list[tuple[str, float, float]]:
    """Each term, its idf and in which share of the rows, newest first, it is looked up: the rarest ones in all."""
    rare = 1
    while rare < len(query.terms) and sum(query.counts[: rare + 1]) <= RARE:
        rare += 1
    share = min(1.0, COMMON / (sum(query.counts[rare:]) or 1))
    terms = zip(query.terms, query.idfs, strict=True)
    return [(term, idf, 1.0 if at < rare else share) for at, (term, idf) in enumerate(terms)]


def heft(query: Asked, one: Scored) -> float:
    """What a row makes of the idfs it gathers: its saturation, weight and success, tags aside."""
    _, _, _, _, weight, success, row = one
    return weight * success * saturation(1, int(row[3]), query.average_length)


def reached(found: list[Scored], limit: int) -> float:
    """The score of the last that would be shown, 0 while there is room."""
    return sorted([one[0] for one in found], reverse=True)[limit - 1] if len(found) >= limit else 0.0
