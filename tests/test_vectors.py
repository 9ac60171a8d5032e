"""`memory.vectors`: any text by what it means, kept in the store, derived, rebuilt at will."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import experience
from experience import InvalidInput, NotFound
from experience.desks.vectors import EXTRAS
from experience.search import hybrid
from tests.conftest import need
from tests.meanings import Meanings, served, told

NOTES = [
    "Your payment of 40 euros has been confirmed by the bank",
    "The kitchen on the third floor is being painted this week",
    "Sign-in now asks for a second factor sent to the phone",
    "Our newsletter goes out on the first Monday of the month",
    "def transfer(account, amount): account.balance -= amount",
    "Summary: the team chose trains over flights for the offsite",
    "The printer needs new toner before Friday",
]


@pytest.fixture
def server() -> Iterator[Meanings]:
    with served() as started:
        yield started


@pytest.fixture
def letters(
    server: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: experience.StillClock
) -> Iterator[experience.Memory]:
    """A project whose texts mean what the endpoint says."""
    for name, value in server.settings().items():
        monkeypatch.setenv(name, value)
    with experience.open(tmp_path / "project", clock=clock) as opened:
        yield opened


@pytest.fixture
def meaning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[experience.Memory]:
    """A project with the best embedder that is installed."""
    best = next((name for name, needed in EXTRAS.items() if all(map(find_spec, needed))), "none")
    need("an embedder", best != "none")
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", best)
    with experience.open(tmp_path / "project") as opened:
        yield opened


def vectors_of(memory: experience.Memory) -> list[tuple[object, ...]]:
    return memory.store.query("select kind, subject, hash, dimension from vectors order by kind, subject")


def test_the_right_sentence_is_the_top_hit_of_at_most_five(meaning: experience.Memory) -> None:
    """C099, C102: passages, code and summaries are embedded and found by what they mean."""
    for text in NOTES:
        meaning.vectors.embed(text)

    asked = {"was my invoice settled?": 0, "how do I log in securely?": 2, "code that moves money": 4,
             "how do we travel to the company retreat?": 5}  # fmt: skip
    for query, wanted in asked.items():
        found = meaning.vectors.search(query)
        assert len(found) == 5
        assert found[0].text == NOTES[wanted]
    assert len(meaning.vectors.search("was my invoice settled?", top_k=2)) == 2


def test_what_was_discussed_is_recalled(meaning: experience.Memory) -> None:
    """C103: passages of a conversation and the code that belongs to it come back by their subject."""
    said = [
        "We agreed that users prove who they are with passkeys", "Sessions expire after twelve hours",
        "def verify_password(user, given): return hmac.compare_digest(user.hash, digest(given))",
        "Lunch moved to one o'clock", "The chart should use the dark palette", "Invoices are numbered by year",
        "Backups run at night", "The map tiles are cached for a day", "We ordered new chairs",
    ]  # fmt: skip
    for text in said:
        meaning.vectors.embed(text)

    found = [one.text for one in meaning.vectors.search("what have we discussed about authentication before?")]

    assert len({*said[:3]} & {*found}) == 3  # recall@5 is 1


def test_neighbours_are_those_of_brute_force(letters: experience.Memory, server: Meanings) -> None:
    """C038, C100: the query is embedded, and the ranking is that of the cosine with everything."""
    rng = np.random.default_rng(11)
    rows = rng.standard_normal((30, 16))
    for at, row in enumerate(rows):
        server.known[f"passage {at}"] = row.tolist()
        letters.vectors.embed(f"passage {at}")
    server.known["the query"] = (query := rng.standard_normal(16)).tolist()

    found = letters.vectors.search("the query", top_k=10)

    cosines = rows @ query / np.linalg.norm(rows, axis=1) / np.linalg.norm(query)
    wanted = np.argsort(-cosines)[:10]
    assert [one.text for one in found] == [f"passage {at}" for at in wanted]
    assert [one.score for one in found] == pytest.approx(cosines[wanted].tolist(), abs=2e-3)  # kept as half floats


def test_every_kind_of_thing_is_found_by_its_meaning(letters: experience.Memory) -> None:
    """C099: memories, experiences and episodes, too."""
    letters.learn("quiet rooms are quick")
    letters.record("quash quaint queues", {"run": "it"})
    letters.episode("quotas quadrupled", "quelled")
    letters.vectors.embed("quiz questions")

    assert {one.kind for one in letters.vectors.search("q q q", top_k=9)} == {
        "memories", "experiences", "episodes", "passages",
    }  # fmt: skip


def test_vectors_are_derived(letters: experience.Memory) -> None:
    """C098: they stand in the project's store; without them, after a reindex, the results are the same."""
    told(letters, "apples are red", "bananas are yellow", "cherries are small")
    letters.vectors.embed("apples and bananas")
    before = letters.vectors.search("any apple")
    kept = vectors_of(letters)

    letters.reindex()

    assert len(kept) == 4
    assert vectors_of(letters) == []
    assert letters.vectors.search("any apple") == before
    assert vectors_of(letters) == kept


def test_a_text_is_sent_once(letters: experience.Memory, server: Meanings) -> None:
    letters.vectors.embed("the same words")
    letters.learn("the same words")
    letters.vectors.search("something else")
    letters.vectors.search("something else")

    sent = [text for batch in server.asked for text in batch]
    assert sorted(sent) == ["something else", "the same words"]


def test_another_process_reads_what_one_embedded(letters: experience.Memory, server: Meanings, tmp_path: Path) -> None:
    """What was embedded stays; a second hall sends its query and nothing else."""
    told(letters, "apples are red", "bananas are yellow")
    letters.vectors.search("avocado")
    code = (
        "import experience, sys\n"
        "with experience.open(sys.argv[1]) as memory:\n"
        "    print(memory.vectors.search('axolotl')[0].text)"
    )
    server.asked.clear()

    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "project"], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "apples are red"
    assert server.asked == [["axolotl"]]


def test_what_another_process_learned_is_found_at_once(letters: experience.Memory, tmp_path: Path) -> None:
    """C004: a write is in the store first; whoever searches next embeds what is missing."""
    letters.vectors.search("zebra")
    with experience.open(tmp_path / "project") as other:
        other.learn("zinc zones zigzag")

    assert letters.vectors.search("z z")[0].text == "zinc zones zigzag"
    assert letters.recall("zoo zip zap", touch=False)[0].memory.content == "zinc zones zigzag"


def test_what_was_rewritten_is_found_by_what_it_says_now(letters: experience.Memory) -> None:
    id = letters.learn("apples are red").id
    letters.vectors.search("a")
    letters.update(id, content="zebras zig")

    found = letters.vectors.search("zoo")

    assert [(one.text, round(one.score)) for one in found] == [("zebras zig", 1)]


def test_what_was_forgotten_leaves_no_vector(letters: experience.Memory) -> None:
    """A vector tells what its text said: it goes with it."""
    memory, passage = letters.learn("apples are red").id, letters.vectors.embed("apples again").id
    kept = letters.record("ask for apples", {"run": "it"}).id
    letters.vectors.search("a")

    for id in (memory, passage, kept):
        letters.erase(id)

    assert vectors_of(letters) == []
    assert letters.vectors.search("a") == []
    with pytest.raises(NotFound, match="passage"):
        letters.vectors.get(passage)
    with pytest.raises(NotFound, match="passage"):
        letters.vectors.forget(passage)


def test_another_model_embeds_anew(
    letters: experience.Memory, server: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(letters, "apples are red")
    letters.vectors.search("a")
    monkeypatch.setenv("EXPERIENCE_EMBEDDER_MODEL", "other-letters")
    server.known["apples are red"] = [0.0] * 15 + [1.0]
    server.known["pears"] = [0.0] * 15 + [2.0]

    with experience.open(tmp_path / "project") as other:
        assert other.vectors.search("pears")[0].score == pytest.approx(1.0)
    assert letters.store.query("select count(distinct model) from vectors") == [(2,)]


def test_a_passage_is_kept_once_and_without_its_secrets(letters: experience.Memory, server: Meanings) -> None:
    key = "ghp_" + "a1B2" * 9
    first = letters.vectors.embed(f"the token is {key}", source="user")
    again = letters.vectors.embed(f"the token is {key}")
    letters.vectors.search("token")

    assert again == first == letters.vectors.get(first.id) == letters.get(first.id)
    assert first.trust == "user"
    assert key not in first.text
    assert key not in str(server.asked)


@pytest.mark.parametrize("bad", [None, 3, "", " ", "nul \0 here"])
def test_what_is_no_text_is_refused(memory: experience.Memory, bad: object) -> None:
    for verb in (memory.vectors.embed, memory.vectors.search):
        with pytest.raises(InvalidInput):
            verb(bad)  # type: ignore[operator]


def test_without_an_embedder_words_are_searched(memory: experience.Memory) -> None:
    """It works, and says so."""
    memory.vectors.embed("the harbour opens at six")
    memory.learn("the harbour closes at ten")

    found = memory.vectors.search("harbour")

    assert {one.kind for one in found} == {"passages", "memories"}
    assert memory.vectors.embedder == "none"
    assert memory.stats()["search"] == "fts5"
    assert all(one.why.vector == 0 and one.why.model is None for one in found)
    assert vectors_of(memory) == []


def test_a_hall_can_be_opened_for_words_alone(
    server: Meanings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in server.settings().items():
        monkeypatch.setenv(name, value)

    with experience.open(tmp_path / "project", vectors=False) as memory:
        memory.learn("apples are red")
        assert memory.recall("avocado") == []
        assert memory.vectors.embedder == "none"
    assert server.asked == []


def test_a_long_backlog_is_embedded_in_the_background(
    letters: experience.Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search waits for so many rows and no more; what was written just now is among them."""
    monkeypatch.setattr(hybrid, "AT_ONCE", 40)
    letters.record_many([{"intent": f"apples {n}", "solution": n} for n in range(200)])
    letters.record("zebra crossing", {"run": "it"})

    assert letters.find("zoo zigzag zone")[0].experience.intent == "zebra crossing"
    letters._desks.vectors.close()  # waits for the thread in the background

    rows = letters.store.query("select count(*) from vectors")[0][0]
    assert 32 < int(str(rows)) <= 201


def test_inside_a_transaction_nothing_is_embedded(letters: experience.Memory, server: Meanings) -> None:
    """What it wrote may never happen."""
    with letters.store.transaction():
        letters.learn("apples are red")
        assert [hit.memory.content for hit in letters.recall("red apples", touch=False)] == ["apples are red"]

    assert server.asked == []


def test_vectors_stay_in_their_project(start_server: Callable[..., object], tmp_path: Path) -> None:
    """Two projects on one server see their own; each embeds its own."""
    url = start_server().url  # type: ignore[attr-defined]
    with served() as server, pytest.MonkeyPatch.context() as patch:
        for name, value in server.settings().items():
            patch.setenv(name, value)
        with experience.open(tmp_path / "one", url=url) as one, experience.open(tmp_path / "two", url=url) as two:
            one.vectors.embed("apples are red")
            two.vectors.embed("avocados are green")

            assert [found.text for found in one.vectors.search("a a")] == ["apples are red"]
            assert [found.text for found in two.vectors.search("a a")] == ["avocados are green"]
