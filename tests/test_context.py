"""Context: what goes into a block, in which order, and what never does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import Context, InvalidInput, Memory, StillClock
from tests.conftest import Server

OFF_TOPIC = "what is the capital of Portugal?"
PLAN = "deploy the billing service to staging"
TYPE_WEIGHTS = {
    "policy": 1.5, "pitfall": 1.4, "architecture": 1.3, "decision": 1.2, "workflow": 1.1, "preference": 1.0,
    "fact": 0.9,
}  # fmt: skip


def reason(context: Context, id: str) -> str:
    return next(one.reason for one in context.trace if one.id == id)


def taken(context: Context, layer: str) -> list[str]:
    return [one.id for one in context.trace if one.taken and one.layer == layer]


@pytest.mark.parametrize("type", ["policy", "architecture", "preference"])
@pytest.mark.parametrize("priority", ["critical", "high"])
def test_the_pressing_ones_are_in_whatever_the_prompt_says(shared: Memory, type: str, priority: str) -> None:
    """C155, C156: layer A."""
    learned = shared.learn("Reviews happen on Tuesdays", type, priority)

    for prompt in (OFF_TOPIC, "", "🦜", "reviews"):
        context = shared.context(prompt)
        assert (context.items, reason(context, learned.id)) == ((learned.id,), "always")
        assert "Reviews happen on Tuesdays" in context.text


@pytest.mark.parametrize(
    ("type", "priority"),
    [("preference", "medium"), ("policy", "medium"), ("architecture", "normal"), ("fact", "critical"),
     ("decision", "high"), ("workflow", "critical"), ("pitfall", "high")],
)  # fmt: skip
def test_all_others_are_in_only_where_the_prompt_is_about_them(memory: Memory, type: str, priority: str) -> None:
    """C156: a medium preference does not enter unasked."""
    learned = memory.learn("Reviews happen on Tuesdays", type, priority)

    assert memory.context(OFF_TOPIC).text == ""
    assert memory.context("when do reviews happen?").items == (learned.id,)


def test_layer_a_is_sorted_by_priority_then_by_score(memory: Memory, clock: StillClock) -> None:
    """C157."""
    repeated = memory.learn("Squash commits before merging", "preference", "high")
    stronger = memory.learn("The API speaks JSON only", "architecture", "high")
    clock.advance(days=30)
    fresh = memory.learn("Answer in short sentences", "preference", "high")
    critical = memory.learn("Prefer small pull requests", "preference", "critical")
    for _ in range(3):
        memory.learn("Squash commits before merging", "preference", "high")

    context = memory.context(OFF_TOPIC)

    assert taken(context, "A") == [critical.id, repeated.id, stronger.id, fresh.id]
    places = [context.text.index(id) for id in context.items]
    assert places == sorted(places)


@pytest.mark.parametrize("type", TYPE_WEIGHTS)
@pytest.mark.parametrize(("days", "decay"), [(0, 1.0), (90, 0.5), (180, 0.25)])
def test_a_score_is_the_product_of_its_three_factors(
    memory: Memory, clock: StillClock, type: str, days: int, decay: float
) -> None:
    """C158, C159: type weight × decay × reinforcement, to the last bit, also when it is read back."""
    learned = memory.learn("The parrot cage opens to the left", type, "medium")
    for _ in range(2):
        memory.learn("The parrot cage opens to the left", type, "medium")
    clock.advance(days=days)

    context = memory.context("which way does the parrot cage open?")

    one = next(one for one in context.trace if one.id == learned.id)
    factors = [one.parts[name] for name in ("type_weight", "decay", "reinforcement")]
    assert factors == [TYPE_WEIGHTS[type], decay, 3.0]
    assert one.score == factors[0] * factors[1] * factors[2]
    assert memory.explain(context.injection_id).trace == context.trace


@pytest.mark.parametrize(("days", "expected"), [(142.6, "matches"), (142.7, "below-threshold")])
def test_a_match_is_in_above_the_threshold_alone(memory: Memory, clock: StillClock, days: float, expected: str) -> None:
    """C160: a fact scores 0.9 × 0.5 ^ (days / 90), and the threshold is 0.3."""
    learned = memory.learn("The parrot cage opens to the left")
    clock.advance(days=days)

    context = memory.context("which way does the parrot cage open?")

    assert reason(context, learned.id) == expected
    assert bool(context.text) == (expected == "matches")


def test_layer_a_knows_no_threshold(memory: Memory, clock: StillClock) -> None:
    """C156, C160."""
    learned = memory.learn("Never deploy on a Friday", "policy")
    clock.advance(days=2000)

    assert memory.context(OFF_TOPIC).items == (learned.id,)


def test_three_procedures_for_the_task_at_most(memory: Memory) -> None:
    """C161, C162: five fit, three are in; those of another task are not."""
    fitting = [memory.procedure(f"deploy the billing service, way {n}", [f"run make way{n}"]).id for n in range(5)]
    other = memory.procedure("bake a walnut cake", ["heat the oven", "mix the dough"]).id

    context = memory.context(PLAN)

    assert len(taken(context, "C")) == 3
    assert set(taken(context, "C")) < set(fitting)
    assert [reason(context, id) for id in fitting].count("limit") == 2
    assert taken(memory.context("how do I bake a walnut cake?"), "C") == [other]


def test_a_proven_procedure_stands_before_a_better_match(memory: Memory) -> None:
    """C163."""
    better = memory.procedure(PLAN, ["run make staging"])
    proven = memory.procedure("deploy a service", ["run make deploy"])
    assert taken(memory.context(PLAN), "C") == [better.id, proven.id]

    memory.outcome(proven.id, 1.0, channel="tests")

    assert taken(memory.context(PLAN), "C") == [proven.id, better.id]
    assert "worked 1×" in memory.context(PLAN).text


def test_two_proven_experiences_at_most(memory: Memory) -> None:
    """C139: at most 2, each with a success of at least 0.7; none stored: no section."""
    memory.learn("Never deploy on a Friday", "policy")
    assert "What worked before" not in memory.context(PLAN).text
    good = [memory.record(f"{PLAN} again, part {n}", {"run": n}, success_score=score).id
            for n, score in enumerate((0.7, 1.0, 0.9))]  # fmt: skip
    poor = memory.record(PLAN, {"run": "rm"}, success_score=0.69)

    context = memory.context(PLAN)

    assert len(taken(context, "E")) == 2
    assert set(taken(context, "E")) < set(good)
    assert sorted(reason(context, id) for id in (*good, poor.id)) == ["experience", "experience", "limit", "unproven"]


def test_the_file_at_hand_decides_about_scopes(memory: Memory) -> None:
    """C155, C187: what covers the file is in unasked, what covers others is not, even in layer A."""
    here = memory.learn("Handlers return plain dicts", "fact", scope="src/api/**")
    elsewhere = memory.learn("Widgets are pure functions", "architecture", scope="src/ui/**")
    everywhere = memory.learn("Never commit generated files", "policy")

    context = memory.context(OFF_TOPIC, path="src/api/v2/users.py")

    assert set(context.items) == {here.id, everywhere.id}
    assert reason(context, elsewhere.id) == "other-scope"
    assert set(memory.context(OFF_TOPIC).items) == {elsewhere.id, everywhere.id}
    assert [one.id for one in memory.scoped("src/api/v2/users.py")] == [here.id]


@pytest.mark.parametrize("path", ["src/api/users.py", "./src/api/../api/users.py", "src\\api\\users.py", "ABSOLUTE"])
def test_a_path_may_be_written_in_any_way(memory: Memory, path: str) -> None:
    """C187: relative, absolute, with the separators of Windows."""
    here = memory.learn("Handlers return plain dicts", scope="src/api/*.py")
    given = str(Path(memory.root) / "src/api/users.py") if path == "ABSOLUTE" else path

    assert memory.context(OFF_TOPIC, path=given).items == (here.id,)
    assert memory.context(OFF_TOPIC, path=Path(memory.root) / "src" / "api" / "users.py").items == (here.id,)


@pytest.mark.parametrize(
    "path", ["../other/src/api/users.py", "/etc/users.py", "C:\\work\\users.py", "..", "src/../.."]
)
@pytest.mark.parametrize("scope", ["**", "*.py", "users.py", "src/**"])
def test_no_scope_covers_a_file_outside_the_project(memory: Memory, path: str, scope: str) -> None:
    """C187."""
    memory.learn("Handlers return plain dicts", scope=scope)

    assert memory.context(OFF_TOPIC, path=path).text == ""


@pytest.mark.parametrize("state", ["quarantined", "archived", "superseded", "folded", "forgotten"])
def test_what_is_not_held_true_is_never_injected(shared: Memory, state: str) -> None:
    """C185."""
    source = "tool" if state == "quarantined" else "user"
    learned = shared.learn("The billing service deploys to staging from the main branch", "policy", source=source)
    if state == "archived":
        shared.archive(learned.id)
    elif state == "forgotten":
        shared.forget(learned.id)
    elif state != "quarantined":
        column = {"superseded": "superseded_by", "folded": "folded_into"}[state]
        shared.store.execute(f"update memories set {column} = 'another' where id = ?", learned.id)

    context = shared.context(f"{PLAN} from the main branch", path="src/main.py")

    assert (context.text, context.items) == ("", ())
    if state == "archived":
        assert shared.recall(PLAN)[0].id == learned.id
        shared.restore(learned.id)
        assert shared.context(PLAN).items == (learned.id,)


def test_projects_on_one_server_never_see_each_other(start_server: Callable[..., Server], tmp_path: Path) -> None:
    """C155, C011: no memory, experience, procedure or count of another project shows."""
    url = start_server().url
    with experience.open(tmp_path / "ours", url=url) as ours, experience.open(tmp_path / "theirs", url=url) as theirs:
        theirs.learn("Never deploy the billing service on a Friday", "policy", scope="src/**")
        theirs.record(PLAN, {"run": "theirs"})
        theirs.procedure(PLAN, ["theirs"])
        block = theirs.context(PLAN)

        assert ours.context(PLAN, path="src/main.py").trace == ()
        assert (ours.context(PLAN).text, len(block.items)) == ("", 3)
        for look in (ours.explain, ours.replay, lambda id: ours.outcome(id, 1.0, "user")):
            with pytest.raises(experience.NotFound):
                look(block.injection_id)


def test_the_users_own_memories_reach_every_project(tmp_path: Path) -> None:
    """C009: and the project's never reach another."""
    with experience.open(tmp_path / "one", home=tmp_path / "home") as one:
        mine = one.learn("Answer in Spanish", "preference", "high", reach="user")
        one.learn("Answer with diagrams", "preference", "high")
    with experience.open(tmp_path / "two", home=tmp_path / "home") as two:
        assert two.context(OFF_TOPIC).items == (mine.id,)


def fill(memory: Memory) -> None:
    for number in range(12):
        memory.learn(f"Service number {number} deploys from branch release-{number}", "decision", tags=["deploy"])
        memory.record(f"deploy service {number} to staging", {"run": f"make {number}"}, success_score=0.8)
    memory.learn("Never deploy on a Friday", "policy")
    memory.procedure("deploy a service to staging", ["run make staging", "watch the logs"])


SAY = """
import sys, experience
from experience import StillClock
with experience.open(sys.argv[1], home=sys.argv[2], clock=StillClock()) as memory:
    sys.stdout.buffer.write(memory.context("deploy service 3 to staging", session="x").text.encode())
"""


def test_the_same_store_prompt_and_time_give_the_same_bytes(tmp_path: Path, clock: StillClock) -> None:
    """C155: asked twice, by two halls, by another process."""
    home = tmp_path / "home"
    with experience.open(tmp_path / "p", home=home, clock=clock) as one:
        fill(one)
        first = one.context("deploy service 3 to staging").text
        with experience.open(tmp_path / "p", home=home, clock=clock) as two:
            assert [one.context("deploy service 3 to staging").text, two.context("deploy service 3 to staging").text] \
                == [first, first]  # fmt: skip
        command = [sys.executable, "-c", SAY, str(tmp_path / "p"), str(home)]
        assert subprocess.run(command, capture_output=True, check=True).stdout.decode() == first
    assert all(f"{word}:\n" in first for word in ("Always", "About this", "Procedures", "What worked before"))


def test_a_file_and_a_server_give_the_same_bytes(
    tmp_path: Path, clock: StillClock, start_server: Callable[..., Server]
) -> None:
    """C155: for the same rows; also after everything derived was made anew."""
    url = start_server().url
    with (
        experience.open(tmp_path / "p", clock=clock) as file,
        experience.open(tmp_path / "p", url=url, clock=clock) as server,
    ):
        fill(file)
        for table in ("memories", "experiences", "procedures"):
            copy_rows(file, server, table)
        asked: dict[str, Any] = {"prompt": "deploy service 3 to staging", "path": "src/x.py"}
        first = file.context(**asked)
        assert (server.context(**asked).text, server.context(**asked).trace) == (first.text, first.trace)
        server.reindex()
        file.reindex()
        assert {server.context(**asked).text, file.context(**asked).text} == {first.text}


def copy_rows(file: Memory, server: Memory, table: str) -> None:
    columns = [
        str(name) for name, hidden in file.store.query(f"select name, hidden from pragma_table_xinfo('{table}')")
        if not hidden
    ]  # fmt: skip
    names = ", ".join(columns)
    rows = file.store.query(f"select {names} from {table} order by key")
    server.store.execute_many(f"insert into {table} ({names}) values ({', '.join('?' * len(columns))})", rows)


@pytest.mark.parametrize("budget", [0, -1, -(10**30), 1.5, "800", None, True, float("nan"), 100_001])
def test_a_budget_that_is_none_is_refused(memory: Memory, budget: Any) -> None:
    """C164: nothing is written down for it."""
    with pytest.raises(InvalidInput, match="budget must be a whole number from 1"):
        memory.context(PLAN, budget=budget)
    assert memory.stats()["injections"] == 0


@pytest.mark.parametrize(
    "given", [{"prompt": None}, {"prompt": b"x"}, {"prompt": PLAN, "path": 5}, {"prompt": PLAN, "path": b"x"},
              {"prompt": PLAN, "path": ""}, {"prompt": PLAN, "path": "a\0b"}, {"prompt": PLAN, "session": 5},
              {"prompt": PLAN, "session": "\ud800"}, {"prompt": PLAN, "session": "x" * 501}],
    ids=repr,
)  # fmt: skip
def test_what_is_no_text_is_refused(memory: Memory, given: dict[str, Any]) -> None:
    """C155: in a sentence that names the field; nothing is half-written."""
    with pytest.raises(InvalidInput, match=next(name for name in ("session", "path", "prompt") if name in given)):
        memory.context(**given)
    assert memory.stats()["injections"] == 0


def test_a_prompt_of_five_megabytes_is_answered(memory: Memory) -> None:
    """C155: its beginning is searched for and kept, the rest is not."""
    learned = memory.learn("Handlers return plain dicts")

    context = memory.context("what do handlers return? " + "pad " * 1_250_000)

    assert context.items == (learned.id,)
    assert len(memory.explain(context.injection_id).prompt) == 2000


@pytest.mark.parametrize("prompt", ["\0" * 9, "\ud800 broken", "' or 1=1 --", '"*^()', "NEAR(", "a" * 5000, "\u202e"])
def test_no_prompt_breaks_it(memory: Memory, prompt: str) -> None:
    """C155: what cannot be stored is replaced."""
    memory.learn("Never deploy on a Friday", "policy")

    assert "Never deploy" in memory.context(prompt).text


def test_a_clock_that_goes_backwards_takes_nothing_away(memory: Memory, clock: StillClock) -> None:
    """C159: the future counts as now."""
    learned = memory.learn("The parrot cage opens to the left")
    clock.advance(days=-400)

    assert memory.context("how does the parrot cage open?").items == (learned.id,)


def test_injection_alone_moves_no_clock_and_counts_no_use(memory: Memory, clock: StillClock) -> None:
    """C136, C159: neither the decay of a memory nor the weight of an experience starts anew."""
    learned, done = memory.learn("The parrot cage opens to the left"), memory.record("open the parrot cage", "left")
    clock.advance(days=9)

    context = memory.context("open the parrot cage")

    assert set(context.items) == {learned.id, done.id}
    assert (memory.get(learned.id), memory.get(done.id)) == (learned, done)
