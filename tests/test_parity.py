"""Two engines, one ranking: FTS5 inside the store and the live bm25s index answer alike, whatever happened before."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import experience
from experience import Hit, Memory, StillClock, analyzer
from experience.search import finder
from experience.search.fts import formula
from experience.search.ranking import asked
from tests.conftest import Server

VERBS = "deploy build test debug migrate restore rename parse cache index upload sign rotate profile retry".split()
THINGS = (
    "site database login_form server userTable invoice parser cache key report image queue cluster index.html backup "
    "certificate test-suite webhook session token schema container budget mailer cron worker cart search page"
).split()
PLACES = "staging production docker windows kubernetes the laptop night CI postgres redis the customer".split()
WAYS = "quickly without downtime after the update when it fails with a timeout in python twice for every tenant".split()
TAGS = "web ops data ui".split()
OTHER_PROCESS = """
import sys, experience
with experience.open(*sys.argv[2:]) as memory:
    memory.erase(sys.argv[1])
    print(memory.record("deploy the site to the moon", 1).id)
"""


def an_intent(rng: Random) -> str:
    words = [rng.choice(VERBS), "the", rng.choice(THINGS[: rng.randint(1, len(THINGS))])]
    if rng.random() < 0.7:
        words += ["on", rng.choice(PLACES)]
    return " ".join(words + rng.sample(WAYS, rng.randint(0, 6)))


def a_query(rng: Random) -> str:
    start = rng.choice(["how do I", "", "please", "we need to", "error:"])
    words = [rng.choice(VERBS), "the", rng.choice(THINGS), rng.choice(["", "on", "in"]), rng.choice(PLACES)]
    return " ".join([start, *words, *rng.sample(WAYS, rng.randint(0, 3))])


def a_record(rng: Random) -> dict[str, object]:
    tags = rng.sample(TAGS, rng.randint(0, 2))
    return {"intent": an_intent(rng), "solution": 1, "success_score": rng.choice([0.2, 0.7, 1]), "tags": tags}


def play(memory: Memory, clock: StillClock, rng: Random, steps: int, *, decay: bool) -> None:
    """A life: mostly new experiences, some used, judged, erased, pruned; at last time may take its toll."""
    ids = [one.id for one in memory.list(limit=1000)]
    for _ in range(steps):
        deed = rng.choices(("add", "use", "judge", "erase", "prune"), (40, 20, 20, 15, 5))[0]
        if deed == "add" or len(ids) < 5:
            ids += memory.record_many([a_record(rng) for _ in range(rng.randint(1, 3))])
        elif deed == "use":
            memory.mark_used(rng.choice(ids))
        elif deed == "judge":
            memory.outcome(rng.choice(ids), rng.random(), rng.choice(["test", "agent", "user"]))
        elif deed == "erase":
            memory.erase(ids.pop(rng.randrange(len(ids))))
        else:
            memory.prune_expired(min_weight=0.4)
            ids = [one.id for one in memory.list(limit=1000)]
        clock.advance(hours=rng.randint(0, 24))
    if decay:
        assert memory.apply_decay() > 0


@pytest.fixture
def pair(shared: Memory, clock: StillClock) -> Iterator[tuple[Memory, Memory]]:
    """Two views of one store: a live index, and FTS5 alone."""
    with another(shared, clock) as plain:
        shared.warm()
        yield shared, plain


def another(memory: Memory, clock: StillClock) -> Memory:
    return experience.open(memory.root, memory.store.where if "://" in memory.store.where else None, clock=clock)


def engines(*answers: list[Hit]) -> list[set[str]]:
    return [{hit.why.engine for hit in hits} for hits in answers]


def shown(hits: list[Hit]) -> list[tuple[str, float]]:
    return [(hit.id, pytest.approx(hit.score, rel=1e-9)) for hit in hits]


def alike(one: list[Hit], two: list[Hit]) -> bool:
    """The same scores and, but for those who share the last score, the same experiences."""
    if [hit.score for hit in one] != pytest.approx([hit.score for hit in two], rel=1e-9):
        return False
    last = one[-1].score * (1 + 1e-9) if one else 0.0
    return {hit.id for hit in one if hit.score > last} == {hit.id for hit in two if hit.score > last}


def a_question(rng: Random) -> tuple[str, list[str] | None]:
    return a_query(rng), rng.sample(TAGS, rng.randint(1, 2)) if rng.random() < 0.3 else None


@pytest.mark.parametrize("seed", range(2))
def test_both_engines_find_the_same(pair: tuple[Memory, Memory], clock: StillClock, seed: int) -> None:
    """C138: the first hit in 99 %, the ten in 95 % of realistic queries, in a life of changes made on both sides."""
    (live, plain), rng = pair, Random(seed)
    live.record_many([a_record(rng) for _ in range(700)])
    live.warm()
    firsts = tens = 0
    for turn in range(8):
        play((live, plain)[turn % 2], clock, rng, 20, decay=turn in (3, 6))
        if turn in (3, 6):
            live.warm()  # a decay touches every row: the live index is asked again once it is built anew
        for _ in range(25):
            query, tags = a_question(rng)
            one, two = live.find(query, tags), plain.find(query, tags)
            assert engines(one, two) == [{"bm25s"}, {"fts5"}]
            firsts += one[0].id == two[0].id
            tens += alike(one, two)

    assert firsts >= 198
    assert tens >= 190


def test_both_engines_find_the_same_in_a_store_grown_over_months(memory: Memory, clock: StillClock) -> None:
    """C138: thousands of rows of every age and success, so that FTS5 has to choose which rows it looks at."""
    rng, ids = Random(11), []
    for _ in range(60):
        ids += memory.record_many([a_record(rng) for _ in range(100)])
        clock.advance(days=1)
    for old in rng.sample(ids[:4000], 60):  # some weigh more than their age says
        memory.mark_used(old)
    for old in rng.sample(ids[:4000], 60):
        memory.outcome(old, 1.0, "test")
    memory.warm()
    asked = [a_query(rng) for _ in range(160)]
    live, plain = [memory.find(query) for query in asked], []
    for start in range(0, len(asked), finder.STAYS):  # a process that makes no more finds than these stays with FTS5
        with another(memory, clock) as short:
            plain += [short.find(query) for query in asked[start : start + finder.STAYS]]

    assert (engines(*live), engines(*plain)) == ([{"bm25s"}] * 160, [{"fts5"}] * 160)
    assert sum(one[0].id == two[0].id for one, two in zip(live, plain, strict=True)) >= 0.99 * 160
    assert sum(alike(one, two) for one, two in zip(live, plain, strict=True)) >= 0.95 * 160


@pytest.mark.parametrize("need", [0.0, 1.0, 2.5, 4.0, 5.5, 7.0, 9.9, 10.5])
def test_fts5_is_asked_for_every_row_that_gathers_enough(need: float) -> None:
    """C138: and for none where not even all terms together would do."""
    idfs = dict(zip("abcde", (4.0, 3.0, 2.0, 1.0, 0.5), strict=True))
    query = asked(dict.fromkeys(idfs, 1), idfs, rows=9, total=9, tags=(), now=StillClock()(), half_life_days=30)
    query = query.replace(terms=tuple(idfs), idfs=tuple(idfs.values()))
    rows = [subset for size in range(1, 6) for subset in combinations(idfs, size)]
    with sqlite3.connect(":memory:") as db:
        db.execute("create virtual table held using fts5 (terms)")
        db.executemany("insert into held (rowid, terms) values (?, ?)", enumerate(map(" ".join, rows)))
        wanted = formula(query, need)
        found = db.execute("select rowid from held where held match ?", (wanted,)).fetchall() if wanted else []

    enough = {at for at, row in enumerate(rows) if sum(map(idfs.__getitem__, row)) >= need}
    assert {at for (at,) in found} >= enough
    assert (wanted == "") == (not enough)


def test_a_thousand_half_lives_later_both_engines_still_find(pair: tuple[Memory, Memory], clock: StillClock) -> None:
    """C135, C138: neither a weight too small for a number nor one too large for the arrays stops them."""
    live, plain = pair
    live.record("deploy the site", 1)
    clock.advance(days=30 * 1_100)
    fresh = live.record("deploy the moon", 1)

    assert [memory.find("deploy the site")[0].id for memory in (live, plain)] == [fresh.id] * 2


def test_a_query_as_long_as_a_prompt_finds_what_it_is_about_on_both_engines(pair: tuple[Memory, Memory]) -> None:
    """C138: beyond a dozen terms FTS5 reads a budget of postings instead of all."""
    (live, plain), rng = pair, Random(5)
    live.record_many([a_record(rng) for _ in range(300)])
    about = live.record("rotate the certificate of the mailer for every tenant before the night in windows", 1)
    said = "we rotate certificate mailer tenant night windows and upload the cart session schema budget worker page"

    assert [memory.find(said)[0].id for memory in (live, plain)] == [about.id] * 2


@pytest.mark.parametrize("seed", range(2))
def test_a_live_index_that_followed_every_change_equals_a_fresh_one(
    pair: tuple[Memory, Memory], clock: StillClock, seed: int
) -> None:
    """C138: the same hits, the same scores, the same reasons."""
    (live, plain), rng = pair, Random(100 + seed)
    live.record_many([a_record(rng) for _ in range(300)])
    live.warm()
    for turn in range(6):
        play((live, plain)[turn % 2], clock, rng, 25, decay=False)
        live.find("deploy the site")
    with another(live, clock) as fresh:
        fresh.warm()
        for _ in range(60):
            query, tags = a_question(rng)
            one, two = live.find(query, tags), fresh.find(query, tags)
            assert engines(one, two) == [{"bm25s"}, {"bm25s"}]
            assert one == two


WORDS = st.lists(st.sampled_from(["deploy", "the", "site", "database", "red", "日本"]), min_size=1, max_size=5)
DEED = st.one_of(
    st.tuples(st.just("add"), WORDS.map(" ".join)),
    st.tuples(st.sampled_from(["use", "judge", "erase", "prune", "find", "wait"]), st.integers(0, 7)),
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(DEED, max_size=25))
def test_no_sequence_of_writes_drives_the_engines_apart(deeds: list[tuple[str, str | int]]) -> None:
    """C138: small stores, where every row, every tie and every emptiness shows."""
    clock = StillClock()
    with (
        tempfile.TemporaryDirectory() as directory,
        experience.open(directory, clock=clock) as live,
        experience.open(directory, clock=clock) as plain,
    ):
        live.record("deploy the red site", 1)
        live.warm()
        for deed, what in deeds:
            there = [one.id for one in plain.list()]
            chosen = there[int(what) % len(there)] if there and isinstance(what, int) else ""
            if deed == "add":
                plain.record(str(what), 1)
            elif deed == "wait":
                clock.advance(days=int(what))
            elif deed == "prune":
                live.prune_expired(min_weight=1.0)
            elif deed == "find":
                live.find("site")
            elif chosen:
                {"use": plain.mark_used, "judge": lambda id: live.outcome(id, 0.5, "ci"), "erase": live.erase}[deed](
                    chosen
                )
        for query in ("deploy", "the", "red site 日本", "database", "deploy the red database"):
            one, two = live.find(query), plain.find(query)
            assert shown(one) == shown(two)
            assert [(hit.why.relevance, hit.why.terms) for hit in one] == [(h.why.relevance, h.why.terms) for h in two]
            assert engines(one, two) in ([{"bm25s"}, {"fts5"}], [set(), set()])


def test_what_another_process_changed_both_engines_know_in_their_next_call(pair: tuple[Memory, Memory]) -> None:
    """C001: read your writes, across processes, on both engines."""
    live, plain = pair
    gone = live.record("deploy the site to the sun", 1)
    live.record("bake bread", 1)
    assert [shown(memory.find("deploy moon")) for memory in pair] == [shown(live.find("deploy moon"))] * 2
    where = [live.root, *([live.store.where] if "://" in live.store.where else [])]
    command = [sys.executable, "-c", OTHER_PROCESS, gone.id, *where]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    one, two = live.find("deploy moon"), plain.find("deploy moon")

    assert ([hit.id for hit in one], [hit.id for hit in two]) == ([written], [written])
    assert engines(one, two) == [{"bm25s"}, {"fts5"}]


def test_with_equal_weight_and_success_the_ranking_is_that_of_bm25(pair: tuple[Memory, Memory]) -> None:
    """C138: FTS5's own bm25() on the same terms; it takes a slightly smaller idf, so near-ties may turn round."""
    (live, plain), rng = pair, Random(7)
    live.record_many([{"intent": an_intent(rng), "solution": 1} for _ in range(400)])
    for query in [*THINGS, *(f"{rng.choice(THINGS)} {rng.choice(PLACES[-5:])}" for _ in range(30))]:
        terms = analyzer.query_terms(query)
        if max(plain.shelf.index("experiences").document_counts(terms).values(), default=0) > 40:
            continue  # FTS5 takes less notice of a term that many rows have
        rows = plain.store.query(
            """
            select e.id, -bm25(experiences_fts) from experiences_fts as f join experiences as e on e.key = f.rowid
            where experiences_fts match ? order by bm25(experiences_fts), e.key desc
            """,
            " OR ".join(f'"{term}"' for term in terms),
        )
        expected = {str(id): float(str(score)) for id, score in rows}
        for memory, engine in ((live, "bm25s"), (plain, "fts5")):
            hits = memory.find(query, limit=1000)
            found = [expected[hit.id] for hit in hits]
            assert ({hit.id for hit in hits}, engines(hits)) == (set(expected), [{engine} if expected else set()])
            assert all(after <= before * 1.05 for before, after in pairwise(found)), query
            if len(terms) == 1:
                assert [hit.id for hit in hits] == list(expected)


def until(seen: Callable[[], bool]) -> bool:
    """Wait for what happens in the background; a minute is long past any patience."""
    for _ in range(6000):
        if seen():
            return True
        time.sleep(0.01)
    return False


def test_a_process_that_stays_changes_over_to_the_live_index_by_itself(shared: Memory) -> None:
    """C138: FTS5 answers from the first find on and while the index is built; both give the same."""
    rng = Random(1)
    shared.record_many([a_record(rng) for _ in range(finder.WORTHWHILE)])
    first = [shared.find("deploy the site") for _ in range(finder.STAYS)]
    assert engines(*first) == [{"fts5"}] * finder.STAYS

    assert until(lambda: engines(shared.find("deploy the site")) == [{"bm25s"}])

    assert shown(shared.find("deploy the site")) == shown(first[0])


def test_a_short_or_small_life_never_pays_for_a_live_index(memory: Memory) -> None:
    """C138: neither a few finds in a large store nor many in a small one build arrays."""
    rng = Random(2)
    memory.record_many([a_record(rng) for _ in range(finder.WORTHWHILE - 1)])
    for _ in range(3 * finder.STAYS):
        memory.find("deploy")
    memory.close()
    with experience.open(memory.root) as large:
        large.record("deploy the site", 1)
        for _ in range(finder.STAYS):
            large.find("deploy")
        builders = memory._finder._builder, large._finder._builder

    assert builders == (None, None)


def test_an_index_that_outgrew_its_arrays_is_built_anew_in_the_background(memory: Memory) -> None:
    """C138: it answers all the while, every fresh row included."""
    rng = Random(3)
    memory.record("bake bread", 1)
    memory.warm()
    old = memory._finder._index
    memory.record_many([a_record(rng) for _ in range(finder.REBUILD + 1)])
    fresh = memory.record("zeppelin landing", 1)

    assert [(hit.id, hit.why.engine) for hit in memory.find("zeppelin")] == [(fresh.id, "bm25s")]
    assert until(lambda: memory._finder._index is not old)
    index = memory._finder._index

    assert index is not None
    assert (index.grown, index.rows) == (0, finder.REBUILD + 3)
    assert [(hit.id, hit.why.engine) for hit in memory.find("zeppelin")] == [(fresh.id, "bm25s")]


def test_a_build_whose_server_dies_is_given_up_in_silence(
    start_server: Callable[..., Server], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The next find says what is wrong; nobody is waiting for the background to do so."""
    server = start_server()
    with experience.open(tmp_path / "project", server.url) as memory:
        memory.record("deploy the site", 1)
        server.kill()
        memory._finder._start_building(StillClock()())
        assert memory._finder._builder is not None
        memory._finder._builder.join()
        with pytest.raises(experience.StoreUnavailable, match="cannot reach the libSQL server"):
            memory.find("deploy")

        server.start()
        assert len(memory.find("deploy")) == 1
    assert capfd.readouterr().err == ""


def test_neither_engine_searches_anything_but_the_intent(pair: tuple[Memory, Memory]) -> None:
    """C132, C138: the words of a solution, a tag or a source do not match."""
    live, plain = pair
    written = live.record("deploy the site", {"run": "kubernetes"}, tags=["harbour"], source="notebook")

    for memory in (live, plain):
        assert [memory.find(word) for word in ("kubernetes", "harbour", "notebook", "run")] == [[]] * 4
        assert [hit.id for hit in memory.find("site kubernetes")] == [written.id]
    assert engines(live.find("site"), plain.find("site")) == [{"bm25s"}, {"fts5"}]
