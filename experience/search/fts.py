"""Finding with FTS5 inside the store: no start-up, always fresh; serves short-lived processes and servers.

FTS5 only proposes: its best rows for the query's rarest terms. They are ranked by the house's own formula; where a row
that was left out could still be better (old or failed rows crowd the first ranks), a second look goes deep and weighs.
"""

from __future__ import annotations

from math import log

from experience.search.ranking import K1, asked, ranked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from experience.layers.experiences import Experiences
    from experience.search.ranking import Asked, Ranked

FIRST = 128  # rows of the first look: mostly enough
SECOND = 8192  # rows of the second look, at the best matches whatever their weight


def find(
    layer: Experiences,
    terms: Sequence[str],
    *,
    tags: Iterable[str],
    limit: int,
    now: datetime,
    half_life_days: float,
) -> tuple[Asked, list[Ranked]]:
    """The best rows for these terms, exactly as if every row had been ranked."""
    rows, total = layer.corpus()
    query = asked(
        layer.document_counts(terms), terms, rows=rows, total=total, tags=tags, now=now, half_life_days=half_life_days
    )
    return query, best(layer, query, limit) if query.terms else []


def best(layer: Experiences, query: Asked, limit: int) -> list[Ranked]:
    """A short look by the rarest terms; a long one where a row left out could still be better."""
    first, used = max(FIRST, 4 * limit), rarest(query)
    matches = layer.matching(query.terms[:used], first)
    found = ranked(query, layer.candidates([key for key, _ in matches]))[:limit]
    reached = found[-1].score * query.most if len(found) == limit else 0.0
    if reached >= left_out(query, used, matches[-1][1] if len(matches) == first else 0.0):
        return found
    keys = layer.promising(query.terms, SECOND, 2 * first, query.now, query.half_life_days)
    return ranked(query, layer.candidates(keys))[:limit]


def rarest(query: Asked) -> int:
    """How many of the rarest terms carry most of what a row can score: the others rarely change who is found."""
    carried, most = 0.0, sum(query.idfs)
    for used, weight in enumerate(query.idfs, 1):
        carried += weight
        if carried >= 0.75 * most:
            return used
    return len(query.idfs)


def left_out(query: Asked, used: int, last: float) -> float:
    """The most BM25 of a row that FTS5 did not propose, when the last it proposed scored *last* (0: it proposed all).

    FTS5 multiplies by (k1 + 1) and takes a slightly smaller idf: the difference of the two is added back.
    """
    unasked = sum(query.idfs[used:])
    if last == 0:
        return unasked
    return (
        unasked
        + last / (K1 + 1)
        + sum(
            mine - max(1e-6, log((query.rows - count + 0.5) / (count + 0.5)))
            for count, mine in zip(query.counts[:used], query.idfs[:used], strict=True)
        )
    )
