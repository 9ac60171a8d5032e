"""Both arms of the search: side by side, fused, decayed, diversified, explained, and degraded when one fails."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import experience
from experience.desks.vectors import EXTRAS
from experience.search.hybrid import FusedMemoryWhy, FusedWhy
from tests.conftest import need
from tests.meanings import DIMENSION, Meanings, served, told

PARAPHRASES = {
    "the vehicle would not start this morning": "our car refused to run at dawn",
    "purchase two bottles of milk": "buy some dairy at the shop",
    "the physician prescribed medication": "a doctor gave me pills",
    "the film was dull": "I found that movie boring",
    "children are playing outdoors": "kids run around in the garden",
    "the attorney drafted an agreement": "our lawyer wrote a contract",
    "she is exhausted after the marathon": "running so far left her very tired",
    "the residence has a large cellar": "their house comes with a big basement",
    "it rained heavily all day": "there was a downpour until night",
    "the firm dismissed twelve employees": "a company laid off a dozen workers",
    "he repaired the broken bicycle": "fixing my damaged bike took him an hour",
    "the infant slept through the night": "our baby did not wake once",
}


@pytest.fixture
def server() -> Iterator[Meanings]:
    with served() as started:
        yield started


@pytest.fixture
def letters(
    server: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: experience.StillClock
) -> Iterator[experience.Memory]:
    for name, value in server.settings().items():
        monkeypatch.setenv(name, value)
    with experience.open(tmp_path / "project", clock=clock) as opened:
        yield opened


def test_both_arms_run_side_by_side(letters: experience.Memory, server: Meanings) -> None:
    """C037: the trace shows that each arm began before the other ended."""
    told(letters, "apples are red", "bananas are yellow")
    letters.vectors.search("warm")
    server.delay_s = 0.05  # the query takes a while to embed; keywords do not wait for it

    arms = letters.vectors.trace("red bananas").arms

    keyword, vector = arms["memories.keyword"], arms["memories.vector"]
    assert keyword[0] < vector[1]
    assert vector[0] < vector[1]
    assert keyword[1] < vector[1]


def test_what_is_shown_adds_up(letters: experience.Memory) -> None:
    """C042: merged == 0.7 v + 0.3 k, and the score is that × decay."""
    told(letters, "apples are red", "apples ripen late", "bananas are yellow")

    found = letters.vectors.hybrid("red apples")

    assert found
    for one in found:
        assert one.why.merged == pytest.approx(0.7 * one.why.vector + 0.3 * one.why.keyword, abs=1e-9)
        assert one.score == pytest.approx(one.why.merged * one.why.decay, abs=1e-12)
        assert 0 <= one.why.keyword < 1
    assert found[0].text == "apples are red"


@pytest.mark.parametrize("fusion", ["weighted", "measured"])
def test_recall_and_find_say_how_they_fused(
    letters: experience.Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fusion: str
) -> None:
    """C042: with the setting `weighted` recall and find go by the documented recipe, too."""
    monkeypatch.setenv("EXPERIENCE_FUSION", fusion)
    with experience.open(tmp_path / "project") as memory:
        told(memory, "apples are red", "bananas are yellow")
        memory.record("peel the apples", {"run": "peel"})

        said, done = memory.recall("red apples", touch=False)[0].why, memory.find("peel red apples")[0].why

    assert isinstance(said, FusedMemoryWhy)
    assert isinstance(done, FusedWhy)
    for why in (said, done):
        assert why.weights is not None
        parts = (why.weights.vector * why.vector, why.weights.keyword * why.keyword)
        phrase = why.weights.phrase * done.phrase if why is done else 0.0
        assert why.relevance == why.merged == pytest.approx(sum(parts) + phrase, abs=1e-9)
        assert sum(term.part for term in why.terms) == pytest.approx(why.keyword)
        assert why.model == f"letters@{letters.settings['embedder_url']}"
        if fusion == "weighted":
            assert (why.weights.vector, why.weights.keyword) == (0.7, pytest.approx(0.3))


def test_scores_are_products_of_what_they_show(letters: experience.Memory) -> None:
    told(letters, "apples are red")
    letters.record("peel the apples", {"run": "peel"}, success_score=0.8)

    hit, done = letters.recall("red apples", touch=False)[0], letters.find("peel apples")[0]

    why = hit.why
    assert hit.score == pytest.approx((why.relevance + why.neighbours) * why.decay * why.reinforcement)
    assert done.score == pytest.approx(done.why.relevance * done.why.weight * done.why.success * done.why.tags)


def test_a_half_life_halves(letters: experience.Memory, clock: experience.StillClock) -> None:
    """C043, C044: the same text told 30 days apart: the ratio of the decays is one half, the newer one first."""
    letters.episode("apples arrived")
    clock.advance(days=30)
    letters.episode("apples arrived")

    newer, older = letters.vectors.hybrid("apples", mmr=1.0)

    assert older.why.decay / newer.why.decay == pytest.approx(0.5)
    assert newer.why.merged == pytest.approx(older.why.merged)
    assert newer.score > older.score


def test_the_half_life_is_a_setting(
    letters: experience.Memory, clock: experience.StillClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C044: a setting changes the ratio."""
    letters.episode("apples arrived")
    clock.advance(days=30)
    monkeypatch.setenv("EXPERIENCE_SEARCH_HALF_LIFE_DAYS", "15")

    with experience.open(tmp_path / "project", clock=clock) as other:
        assert other.vectors.hybrid("apples")[0].why.decay == pytest.approx(0.25)


def test_a_near_duplicate_makes_room(letters: experience.Memory, server: Meanings) -> None:
    """C046, C047: by default, at λ 0.5, what differs comes second; without MMR the near-duplicate does."""
    flat = [0.0] * (DIMENSION - 3)
    server.known |= {
        "where are the apples?": [1.0, 0.0, 0.0, *flat], "apples lie in the barn": [1.0, 0.1, 0.0, *flat],
        "apples lie in that barn": [1.0, 0.12, 0.0, *flat], "apples rot when wet": [0.8, 0.0, 0.6, *flat],
    }  # fmt: skip
    for text in [*server.known][1:]:
        letters.vectors.embed(text)

    plain = [one.text for one in letters.vectors.hybrid("where are the apples?", mmr=1.0)]
    diverse = [one.text for one in letters.vectors.hybrid("where are the apples?")]

    assert letters.settings["mmr"] == 0.5
    assert {*plain[:2]} == {"apples lie in the barn", "apples lie in that barn"}
    assert diverse[1] == "apples rot when wet"


def test_ten_are_shown(letters: experience.Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C048: of thirty that match the best ten; a setting changes it."""
    for n in range(30):
        letters.vectors.embed(f"apples number {n}")

    assert len(letters.vectors.hybrid("apples")) == 10
    assert len(letters.recall("apples", touch=False)) == 0
    monkeypatch.setenv("EXPERIENCE_SEARCH_RESULTS", "4")
    with experience.open(tmp_path / "project") as other:
        assert len(other.vectors.hybrid("apples")) == 4


def test_the_very_words_are_never_missed(letters: experience.Memory, server: Meanings) -> None:
    """C041: an identifier is rank 1, and words that stand there exactly are found whatever vectors say."""
    server.known["ERR_TLS_CERT_42"] = [0.0, 1.0, *[0.0] * (DIMENSION - 2)]
    for n in range(40):
        server.known[text := f"entries {n} of many"] = [0.0, 1.0, *[0.0] * (DIMENSION - 2)]
        letters.learn(text)
    server.known["the proxy fails with ERR_TLS_CERT_42"] = [1.0, *[0.0] * (DIMENSION - 1)]
    exact = letters.learn("the proxy fails with ERR_TLS_CERT_42").id

    assert exact in [hit.id for hit in letters.recall("ERR_TLS_CERT_42", limit=3, touch=False)]
    assert exact in [one.id for one in letters.vectors.hybrid("ERR_TLS_CERT_42", 3)]


def test_an_identifier_is_the_first_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C040, C041: with a real model beside it, too."""
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", _installed())
    with experience.open(tmp_path / "project") as memory:
        texts = ["call my_func_name before close", "ERR_TLS_CERT_42 means the clock is wrong",
                 "certificates expire in March", "functions have names", "Café Lumière opens at nine"]  # fmt: skip
        told(memory, *texts)

        for query, wanted in (("my_func_name", 0), ("ERR_TLS_CERT_42", 1), ("cafe lumiere", 4)):
            assert memory.recall(query, touch=False)[0].memory.content == texts[wanted]


def test_other_words_for_the_same_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C039: recall@1 over twelve paraphrases: words alone find next to none of them, with vectors most are found."""
    found = {}
    for embedder in ("none", _installed()):
        monkeypatch.setenv("EXPERIENCE_EMBEDDER", embedder)
        with experience.open(tmp_path / embedder) as memory:
            told(memory, *PARAPHRASES)
            top = {query: memory.recall(query, limit=1, touch=False) for query in PARAPHRASES.values()}
        found[embedder] = sum(
            bool(top[query]) and top[query][0].memory.content == text for text, query in PARAPHRASES.items()
        )

    assert found["none"] <= 4
    assert found[_installed()] >= 9


@pytest.mark.parametrize("trouble", ["away", "broken", "slow", "nan", "dimension", "nonsense"])
def test_when_the_embedder_fails_words_are_searched(
    server: Meanings, tmp_path: Path, clock: experience.StillClock, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    """Keyword search goes on, every result says that it is degraded, and a while later vectors are asked again."""
    for name, value in server.settings(embedder_timeout_s="0.2").items():
        monkeypatch.setenv(name, value)
    with experience.open(tmp_path / "project", clock=clock) as memory:
        told(memory, "apples are red", "bananas are yellow")
        memory.record("peel the apples", {"run": "peel"})
        if trouble == "dimension":
            memory.vectors.search("fine so far")
        _break(server, trouble)

        said, done, all_kinds = _searched(memory)

        assert [hit.memory.content for hit in said] == ["apples are red"]
        assert isinstance(said[0].why, FusedMemoryWhy)
        assert isinstance(done[0].why, FusedWhy)
        for why in (said[0].why, done[0].why, all_kinds[0].why):
            assert why.degraded
            assert why.vector == 0
        assert said[0].score == pytest.approx(said[0].why.relevance)
        assert "degraded" in memory.stats()["search"]
        asked = len(server.asked)
        _searched(memory)
        assert len(server.asked) == asked  # it is left alone for a while
        if trouble != "away":
            _mend(server)
            clock.advance(seconds=31)
            assert memory.recall("ripe red apples", touch=False)[0].why.degraded is None  # type: ignore[attr-defined]


def test_a_recall_filters_what_vectors_name(letters: experience.Memory) -> None:
    """Type, scope and state hold for both arms."""
    letters.learn("zebras zigzag", type="preference")
    letters.learn("zinc zones", type="policy", scope="src/**")
    gone = letters.learn("zoos zap").id
    letters.archive(gone)

    def found(**filters: str) -> set[str]:
        return {hit.memory.content for hit in letters.recall("z zz zzz", touch=False, **filters)}  # type: ignore[arg-type]

    assert found() == {"zebras zigzag", "zinc zones", "zoos zap"}
    assert found(type="policy") == {"zinc zones"}
    assert found(scope="src/**") == {"zinc zones"}
    assert found(scope="user") == set()


def test_nothing_is_found_that_has_nothing_to_do_with_it(letters: experience.Memory) -> None:
    """No query returns everything: what shares no word has to be near enough."""
    told(letters, "apples are red")
    letters.record("peel apples", {"run": "peel"})

    assert letters.recall("zzz yyy xxx", touch=False) == []
    assert letters.find("zzz yyy xxx") == []
    assert letters.vectors.hybrid("zzz yyy xxx") == []


def test_the_same_recall_again_is_a_hit_of_the_cache(letters: experience.Memory) -> None:
    """Embedding what was missing comes before a result set is kept."""
    told(letters, "apples are red")

    first, second = letters.recall("apples", touch=False), letters.recall("apples", touch=False)

    assert first == second
    assert letters.stats()["cache"]["hits"] == 1
    assert letters.stats()["search"] == "fts5 + endpoint"


def test_a_context_needs_no_vectors(letters: experience.Memory, server: Meanings) -> None:
    """It stands in the way of an agent: no text is embedded for it."""
    letters.learn("apples are red", type="policy")

    assert "apples are red" in letters.context("which colour have apples?").text
    assert server.asked == []


def test_a_tool_and_an_agents_context_rank_alike(memory: experience.Memory) -> None:
    """C036: by the same formula; the same query brings the same memories in the same order."""
    told(memory, "apples are red and round", "red apples ripen in the red barn", "apples rot", "bananas are yellow")
    query = "red apples in the barn"

    asked_for = [hit.id for hit in memory.recall(query, touch=False)]
    automatic = [one.id for one in memory.context(query).trace if one.layer == "B"]

    assert len(asked_for) == 3
    assert automatic == asked_for


def test_without_an_embedder_no_numpy_is_loaded(memory: experience.Memory, tmp_path: Path) -> None:
    """A cold recall by words alone pays nothing for the second arm."""
    import subprocess

    code = (
        "import sys, experience\n"
        "with experience.open(sys.argv[1]) as memory:\n"
        "    memory.learn('apples are red'); memory.recall('apples'); memory.find('apples')\n"
        "print('numpy' in sys.modules, 'experience.search.hybrid' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code, tmp_path / "p"], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]


def _installed() -> str:
    best = next((name for name, needed in EXTRAS.items() if all(map(find_spec, needed))), "none")
    need("an embedder", best != "none")
    return best


def _searched(memory: experience.Memory) -> tuple[list, list, list]:  # type: ignore[type-arg]
    return memory.recall("red apples", touch=False), memory.find("peel apples"), memory.vectors.hybrid("red apples")


def _break(server: Meanings, trouble: str) -> None:
    if trouble == "away":
        server.close()
    elif trouble == "broken":
        server.status = 503
    elif trouble == "slow":
        server.delay_s = 0.6
    elif trouble == "nan":
        server.answer = '{"data": [{"index": 0, "embedding": [NaN]}, {"index": 1, "embedding": [1.0]}]}'
    elif trouble == "nonsense":
        server.answer = "<html>"
    else:
        server.known |= {text: [1.0, 2.0] for text in ("red apples", "peel apples")}


def _mend(server: Meanings) -> None:
    server.status, server.delay_s, server.answer = 200, 0.0, None
    server.known.clear()
