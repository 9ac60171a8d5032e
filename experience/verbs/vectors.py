"""`memory.vectors`: any text by what it means, and both arms of the search over everything."""

from __future__ import annotations

from experience import checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from experience.desks.vectors import VectorDesk
    from experience.layers.vectors import Passage
    from experience.search.fusion import Found, Trace
    from experience.search.hybrid import Meaning

    T = TypeVar("T")


class Vectors:
    """Embed, search, and look at how a search went."""

    def __init__(self, desk: VectorDesk) -> None:
        self._desk = desk

    @property
    def embedder(self) -> str:
        """Which embedder answers; `none` where keywords are searched alone."""
        return self._desk.choice

    def embed(self, text: str, *, source: str = "agent") -> Passage:
        """Keep any text (a passage, a summary, a piece of code) so that it is found again by what it means."""
        return self._desk.embed(text, source=source)

    def search(self, query: str, top_k: int = 5) -> list[Found]:
        """The nearest passages, memories, experiences and episodes by cosine, the nearest first."""
        return self._desk.search(query, limit=checks.count("top_k", top_k, most=1000))

    def hybrid(self, query: str, limit: int | None = None, *, mmr: float | None = None) -> list[Found]:
        """The best by `0.7 × cosine + 0.3 × keyword`, × decay, each unlike those above it; ten by default."""
        return list(self.trace(query, limit, mmr=mmr).hits)

    def trace(self, query: str, limit: int | None = None, *, mmr: float | None = None) -> Trace:
        """A hybrid search and how it went: its hits, when each arm ran, what it named."""
        most = None if limit is None else checks.count("limit", limit, most=1000)
        return self._desk.hybrid(query, limit=most, lam=None if mmr is None else checks.score("mmr", mmr))

    def get(self, id: str) -> Passage:
        """The passage with this id."""
        return self._desk.get(id)

    def forget(self, id: str) -> None:
        """Remove a passage for good."""
        self._desk.forget(id)

    def beside(self, text: str, kind: str, keyword: Callable[[], T]) -> tuple[T, Meaning | None]:
        """What *keyword* finds, and at the same time what the vectors of a kind say; None without an embedder."""
        return self._desk.beside(text, kind, keyword)
