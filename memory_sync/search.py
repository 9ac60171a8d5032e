"""Finding chunks: by their words, and beside that by their meaning where an embedder is at hand.

By words it is BM25 over what a chunk says and what its file is called, its headings at half weight, divided by the most
the query could reach. With vectors it is `0.7 × vector + 0.3 × BM25`, both from 0 to 1 (a cosine of 0 counts half), and
of chunks that say the same one stands high. Nothing decays: what stands in a file holds until somebody changes it.
"""

from __future__ import annotations

from experience import analyzer, checks, globs
from experience.errors import InvalidInput
from experience.models import Term
from experience.search.fts import within_budget
from experience.search.mmr import diverse
from experience.search.ranking import K1, B, asked
from experience.values import Value
from memory_sync import sessions
from memory_sync.state import desk
from memory_sync.syncing import refreshed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any, TypeAlias

    from experience.db import Row
    from experience.db import Value as Column
    from experience.memory import Memory
    from experience.search.hybrid import Meaning
    from experience.search.ranking import Asked
    from memory_sync.records import Records

    Candidate: TypeAlias = tuple[Any, ...]  # with the columns of `records.CANDIDATE`
    Condition: TypeAlias = tuple[str, Sequence[Column]]

HEADING = 0.5  # what a word of the headings above counts, beside one of the chunk itself
PROPOSED = 256  # chunks that share most with the query
NO_END = 1e9  # days


class ChunkWhy(Value):
    """Every part of a chunk's score: `share × vector + (1 − share) × relevance`."""

    relevance: float
    vector: float
    share: float
    terms: tuple[Term, ...]
    rows: int
    length: int
    average_length: float
    engine: str


class FoundChunk(Value):
    """A range of lines of a file."""

    id: str
    root: str
    path: str
    start_line: int
    end_line: int
    heading: str
    text: str
    hash: str
    score: float
    why: ChunkWhy

    @property
    def at(self) -> str:
        """Where it stands, as terminals and editors open it: `path:start-end`."""
        return f"{'/'.join(filter(None, (self.root, self.path)))}:{self.start_line}-{self.end_line}"


class SearchResult(Value):
    """What a search found, and how."""

    chunks: tuple[FoundChunk, ...]
    method: str  # fts, vector or hybrid
    auto_synced: bool  # this very call brought changed files into memory first
    search_id: str | None = None  # where it was logged
    response_id: str | None = None


def search(
    memory: Memory,
    query: str,
    limit: int | None = None,
    *,
    session: str | sessions.MemorySession | None = None,
    response_id: str | None = None,
    path: str | None = None,
    min_score: float | None = None,
    fresh: bool = True,
) -> SearchResult:
    """Chunks of files about something, best first; files that changed are synced first, unless *fresh* is false.

    In a *session* only its own roots are searched and what was shown is logged; so it is under a *response_id*.
    *path* is a glob of the paths to search.
    """
    if not isinstance(query, str):
        raise InvalidInput(f"query must be text, not {query.__class__.__name__}")
    most = memory.settings["file_results"] if limit is None else checks.count("limit", limit, most=1000)
    least = None if min_score is None else checks.score("min_score", min_score)
    opened = None if session is None else sessions.active(memory, session)
    synced = fresh and refreshed(memory)
    only = _only(memory, opened, path)
    method, found = ranked(memory, query, most, only=only, min_score=least)
    result = SearchResult(chunks=tuple(found), method=method, auto_synced=synced, response_id=response_id)
    if opened is None and response_id is None:
        return result
    return result.replace(search_id=sessions.log(memory, opened, query, result))


def ranked(
    memory: Memory, query: str, limit: int, *, only: Condition, min_score: float | None
) -> tuple[str, list[FoundChunk]]:
    """The best chunks and how they were found: the one place where the arms of a search come together."""
    records, terms = desk(memory).records, analyzer.query_terms(query)
    most = max(PROPOSED, 4 * limit)
    now = memory.now()
    keyword = lambda: by_words(records, terms, most, now, only)  # noqa: E731  # run beside the vectors
    (asked_for, rows), meaning = memory.vectors.beside(query, "chunks", keyword)
    if meaning is None or meaning.degraded or meaning.left or not meaning.near:  # keywords serve meanwhile
        best = [Scored(row=row, keyword=score) for score, row in rows[:limit]]
        return "fts", _shown(records, asked_for, best, min_score or 0.0)
    least = float(memory.settings["file_min_score"]) if min_score is None else min_score
    near = records.among(list(meaning.near[0]), only)
    found = {row[0]: Scored(row=row, keyword=score) for score, row in rows}
    for row in records.index.candidates([key for key in near if key not in found]):
        found[row[0]] = Scored(row=row, keyword=relevance(asked_for, row) if asked_for.terms else 0.0)
    cosines = {**meaning.cosines(list(found)), **{key: meaning.near[0][key] for key in near}}
    share = float(memory.settings["vector_share"])
    both = [one.replace(vector=(1 + cosines.get(key, -1.0)) / 2, share=share) for key, one in found.items()]
    best = sorted(both, key=lambda one: (-one.score, one.row[0]))[: 4 * limit]
    return "hybrid", _shown(records, asked_for, _unlike(best, meaning, limit, float(memory.settings["mmr"])), least)


class Scored(Value):
    """A chunk with what each arm says about it."""

    row: Candidate
    keyword: float
    vector: float = 0.0
    share: float = 0.0  # of the vector; 0 where keywords are searched alone

    @property
    def score(self) -> float:
        """Both arms, as documented: 0.7 × vector + 0.3 × keyword."""
        return self.share * self.vector + (1 - self.share) * self.keyword


def by_words(
    records: Records, terms: Sequence[str], most: int, now: datetime, only: Condition = ("", ())
) -> tuple[Asked, list[tuple[float, Candidate]]]:
    """The query, and the best chunks for these terms, best first."""
    index = records.index
    rows, total = index.corpus()
    counts = index.document_counts(terms) if terms and rows else {}
    query = asked(counts, terms, rows=rows, total=total, tags=(), now=now, half_life_days=NO_END)
    if not query.terms:
        return query, []
    proposed = index.matching(within_budget(query), most, only=only[0], params=only[1])
    scored = [(relevance(query, row), row) for row in index.candidates([key for key, _ in proposed])]
    return query, sorted(scored, key=lambda pair: (-pair[0], pair[1][0]))


def _unlike(best: Sequence[Scored], meaning: Meaning, limit: int, lam: float) -> list[Scored]:
    """Of neighbours that say the same only the better one stands high: chunks overlap."""
    rows = [meaning.row(one.row[0]) for one in best]

    def similarity(at: int, other: int) -> float:
        one, two = rows[at], rows[other]
        return 0.0 if one is None or two is None else float(one @ two)

    places = diverse([one.score for one in best], similarity, limit=limit, lam=lam)
    return [best[at] for at in places]


def _shown(records: Records, query: Asked, best: Sequence[Scored], least: float) -> list[FoundChunk]:
    """Whole chunks with their why; one that another process took out this very moment is left out."""
    whole = records.by_keys([one.row[0] for one in best]) if best else {}
    return [
        found_chunk(whole[one.row[0]], one.score, why(query, one))
        for one in best
        if one.row[0] in whole and one.score >= least
    ]


def relevance(query: Asked, row: Candidate) -> float:
    """BM25 of a chunk, from 0 to 1."""
    held = _frequencies(query, row)
    parts = [
        idf * saturation(held[term], row[5], query.average_length)
        for term, idf in zip(query.terms, query.idfs, strict=True)
        if term in held
    ]
    return float(sum(parts) / query.most)


def saturation(tf: float, length: int, average_length: float) -> float:
    """What a term's repeats are worth in a chunk of this length, from 0 towards 1; words of headings count half."""
    return tf / (tf + K1 * (1 - B + B * length / average_length))


def why(query: Asked, one: Scored) -> ChunkWhy:
    """Every part of a score, so that anyone can add it up again."""
    row = one.row
    held, parts = _frequencies(query, row), []
    for term, count, idf in zip(query.terms, query.counts, query.idfs, strict=True):
        if term in held:
            part = idf * saturation(held[term], row[5], query.average_length) / query.most
            parts.append(Term(term=term, tf=held[term], df=count, idf=idf, part=part))
    return ChunkWhy(
        relevance=one.keyword, vector=one.vector, share=one.share, terms=tuple(parts), rows=query.rows, length=row[5],
        average_length=query.average_length, engine="fts5 + vectors" if one.share else "fts5",
    )  # fmt: skip


def found_chunk(row: Row, score: float, why: ChunkWhy) -> FoundChunk:
    """A row with the columns of CHUNK as a value."""
    _, id, root, path, first, last, heading, text, hash = row
    return FoundChunk(
        id=str(id), root=str(root), path=str(path), start_line=int(str(first)), end_line=int(str(last)),
        heading=str(heading), text=str(text), hash=str(hash), score=score, why=why,
    )  # fmt: skip


def _frequencies(query: Asked, row: Candidate) -> dict[str, float]:
    """How often each term of the query stands in a chunk, half for the headings above."""
    own, above = f" {row[2]} {row[3]} ", f" {row[4]} "
    counts = {term: _times(term, own) + HEADING * _times(term, above) for term in query.terms}
    return {term: count for term, count in counts.items() if count}


def _times(term: str, words: str) -> int:
    """How often a term stands in a text of terms; looking in the text is faster than going through its words."""
    times = words.count(f" {term} ")
    return words.split(" ").count(term) if times and f" {term} {term} " in words else times


def _only(memory: Memory, opened: sessions.MemorySession | None, path: str | None) -> Condition:
    """What else must hold of a chunk, as a condition on its columns."""
    conditions, params = sessions.within(memory, opened)
    if path is not None:
        glob = globs.checked("path", path)
        paths = [named for _, named in desk(memory).records.hashes() if globs.matches(glob, named)]
        conditions.append("path in (select value from json_each(?))")
        params.append(checks.json_text("path", paths))
    return " and ".join(conditions), params
