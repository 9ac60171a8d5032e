"""Finding with FTS5 inside the store: no start-up, always fresh; serves short-lived processes and servers.

A row can only be among the best if it gathers enough idf to make up for its age and its successes. FTS5 steps over
postings ten times faster than anybody adds them up, so it is asked for just those rows, by a formula of ANDs and ORs.
The newest rows come first: they weigh most, and the better the best so far are, the fewer of the older ones can matter.
"""

from __future__ import annotations

from experience.clock import from_text
from experience.layers.experiences import REWEIGHED
from experience.search.decay import retention
from experience.search.ranking import asked, best_first, proven, saturation, scored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from experience.layers.keyword import KeywordIndex
    from experience.search.ranking import Asked, Ranked, Row, Scored

LARGE = 5_000  # rows from which on a store is looked through by age
PARTS = (1.0, 0.8, 0.5)  # where the parts of a large store begin, newest first
GUESS = 0.3  # the share of a query's idf that the best ten are thought to gather, before any is known
SHORT = 0.7  # rows much shorter than this share of the average are rare; what they could make of it is passed over
AT_ONCE = 512  # rows ranked between two looks at how good the best are by now
NOTHING = 1e-300  # what weighs less counts as so heavy: nobody can divide by it otherwise
MOST = 8_192  # rows ranked for one query; more only an enormous limit asks for
PRECISE = 12  # terms; a longer query is a prompt: its formula would take longer than it saves

RARE = 4_000  # of a prompt: postings read of the rarest terms, wherever they stand …
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
    haste: float = 1.0,
) -> tuple[Asked, list[Ranked]]:
    """The best rows for these terms: as if every row had been ranked, unless the query is as long as a prompt.

    In *haste*, a share of the budget, every query is taken for a prompt: a block for an agent must not keep it waiting.
    """
    rows, total = index.corpus()
    query = asked(
        index.document_counts(terms), terms, rows=rows, total=total, tags=tags, now=now, half_life_days=half_life_days
    )
    if not query.terms:
        return query, []
    precise = len(query.terms) <= PRECISE and haste == 1.0
    found = Hunt(index, query, limit).found() if precise else promising(index, query, limit, haste)
    return query, best_first(found, limit, query)


class Hunt:
    """The rows that may be among the best, found part by part."""

    def __init__(self, index: KeywordIndex, query: Asked, limit: int) -> None:
        self._index, self._query, self._limit = index, query, limit
        self._at_once = max(AT_ONCE, 2 * limit)
        self._found: dict[int, Scored] = {}
        self._last = 0.0  # the score of the last that would be shown, 0 while there is room

    def found(self) -> list[Scored]:
        """Every row that was ranked."""
        edges = self._index.edges(PARTS if self._query.rows >= LARGE else PARTS[:1])
        if not edges:
            return []  # erased this very moment by another process
        ends = [key for key, _ in edges[1:]]
        for (until, newest), since in zip(edges, [*ends, 0], strict=True):
            self._search(since, until, self._heaviest(newest))
        if self._index.holds(REWEIGHED):  # what was used or proven weighs more than its age says
            self._search(0, edges[0][0], 1.0, only=REWEIGHED)
        return list(self._found.values())

    def _search(self, since: int, until: int, heaviest: float, only: str = "") -> None:
        """Rank the rows of a part that may be among the best; none weighs more than *heaviest*."""
        need = self._needed(heaviest, GUESS * sum(self._query.idfs))
        while until > since and len(self._found) < MOST and (wanted := formula(self._query, need)):
            rows: list[Row] = self._index.holding(wanted, since, until, self._at_once, only=only)
            self._rank(rows)
            lower = self._needed(heaviest, need / 3 if need > 1 else 0.0)
            if lower < need:  # a guess was too high
                need = lower
            elif len(rows) == self._at_once:  # there are more, all older than these
                until, heaviest = rows[-1][0] - 1, min(heaviest, 1.0 if only else self._heaviest(rows[-1][9]))
                need = self._needed(heaviest, 0.0)
            else:
                return

    def _rank(self, rows: Iterable[Row]) -> None:
        for one in scored(self._query, [row for row in rows if row[0] not in self._found]):
            self._found[one[2]] = one
        self._last = reached(list(self._found.values()), self._limit)

    def _needed(self, heaviest: float, otherwise: float) -> float:
        return least(self._query, self._last, heaviest) if self._last else otherwise

    def _heaviest(self, newest: str) -> float:
        """What a row of that age makes of its relevance at most, unless it was used or proven since."""
        age_s = (self._query.now - from_text(newest)).total_seconds()
        return proven(1.0, 0) * max(retention(age_s, half_life_days=self._query.half_life_days), NOTHING)


def least(query: Asked, score: float, heaviest: float) -> float:
    """The idf a row has to gather for this score; the more terms that takes, the longer it is, the less each adds."""
    held = 0
    while True:
        length = max(held, SHORT * query.average_length)
        need = score * query.most / (heaviest * saturation(1, length, query.average_length))
        took, gathered = 0, 0.0
        while gathered < need and took < len(query.idfs):
            gathered += query.idfs[took]
            took += 1
        if took <= held:
            return need
        held = took


def formula(query: Asked, need: float) -> str:
    """What asks FTS5 for every row that gathers so much idf, and few others; empty where none can.

    A rare term may be enough in itself; any other has to stand beside one of those that could fill what is missing.
    """
    left = [sum(query.idfs[at:]) for at in range(len(query.idfs))]
    quoted = [f'"{term}"' for term in query.terms]
    ways = []
    for at, (term, idf) in enumerate(zip(quoted, query.idfs, strict=True)):
        if left[at] < need:
            break
        others = [other for other, rest in zip(quoted[at + 1 :], left[at + 1 :], strict=True) if rest >= need - idf]
        ways.append(term if idf >= need else f"({term} AND ({' OR '.join(others)}))")
    return " OR ".join(ways)


def promising(index: KeywordIndex, query: Asked, limit: int, haste: float = 1.0) -> list[Scored]:
    """For a prompt: the rows that gather the most idf within a budget, some at a time, until the rest look hopeless."""
    found: list[Scored] = []
    looked, heaviest, terms = 0, 0.0, within_budget(query, haste)
    for most in PROPOSED if haste == 1.0 else PROPOSED[:1]:
        proposed = index.matching(terms, max(most, 2 * limit))
        while looked < len(proposed):
            if proposed[looked][1] * heaviest < reached(found, limit) * query.most:
                return found
            some = proposed[looked : looked + max(FIRST, 2 * limit, looked)]
            fresh = scored(query, index.candidates([key for key, _ in some]))
            heaviest = max([heaviest, *(heft(query, one) for one in fresh)])
            found += fresh
            looked += len(some)
        if len(proposed) < most:
            break
    return found


def within_budget(query: Asked, haste: float = 1.0) -> list[tuple[str, float, float]]:
    """Each term, its idf and in which share of the rows, newest first, it is looked up: the rarest ones in all."""
    rare = 1
    while rare < len(query.terms) and sum(query.counts[: rare + 1]) <= haste * RARE:
        rare += 1
    share = min(1.0, haste * COMMON / (sum(query.counts[rare:]) or 1))
    terms = zip(query.terms, query.idfs, strict=True)
    return [(term, idf, 1.0 if at < rare else share) for at, (term, idf) in enumerate(terms)]


def heft(query: Asked, one: Scored) -> float:
    """What a row makes of the idfs it gathers: its saturation, weight and success, tags aside."""
    _, _, _, _, weight, success, row = one
    return weight * success * saturation(1, int(row[3]), query.average_length)


def reached(found: list[Scored], limit: int) -> float:
    """The score of the last that would be shown, 0 while there is room."""
    return sorted([one[0] for one in found], reverse=True)[limit - 1] if len(found) >= limit else 0.0
