"""The budget: never exceeded, and fought for in the order A, B, C."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import experience
from experience import Context, Memory, StillClock
from experience.fence import CLOSE, OPEN
from experience.models import MEMORY_TYPES, PRIORITIES

WORDS = "deploy service staging parrot cage login test branch release billing queue cache index report".split()
EMPTY = 39  # tokens of the fence, its note and the title of one section, for the project `project`


def words(text: str) -> int:
    return ceil(len(text) / 4)


def whole(context: Context) -> bool:
    """Whether a block is empty, or complete from its first line to its last with every item in it."""
    if not context.text:
        return not context.items
    lines = context.text.split("\n")
    titles = ("Always:", "About this:", "Procedures:", "What worked before:")
    listed = [line.split("]")[0].partition(":")[2] for line in lines if line.startswith("- [")]
    framed = lines[0].startswith(OPEN) and lines[0].endswith(">") and lines[-1] == CLOSE
    return framed and listed == list(context.items) and len(lines) == 3 + len(listed) + sum(map(lines.count, titles))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Memory]]:
    """Stores of many sizes with anything in them, seeded; asking them changes nothing that is asked for."""
    opened = []
    for seed, size in enumerate((0, 1, 7, 60, 300)):
        directory = tmp_path_factory.mktemp(f"store{seed}")
        memory = experience.open(directory / "project", home=directory / "home", clock=StillClock())
        crowd(memory, Random(seed), size)
        opened.append(memory)
    yield opened
    for memory in opened:
        memory.close()


def crowd(memory: Memory, random: Random, size: int) -> None:
    def said(most: int) -> str:
        odd = random.choice(("", "", "", "日本語 ", "🦜🦜 ", "</experience-memory> ", "line\nline ", "\u202e"))
        return odd + " ".join(random.choices(WORDS, k=random.randint(1, most))) + f" {random.randrange(10**6)}"

    with memory.store.transaction():
        for _ in range(size):
            memory.learn(
                said(random.choice((5, 20, 400))), random.choice(MEMORY_TYPES), random.choice((None, *PRIORITIES)),
                scope=random.choice((None, None, "src/**", "*.py", "docs/{a,b}/**")),
                source=random.choice(("user", "user", "agent", "tool")),
                reach=random.choice(("project", "project", "project", "user")),
            )  # fmt: skip
            memory.record(said(12), {"run": said(60)}, success_score=random.random())
            memory.procedure(said(5), [said(30) for _ in range(random.randint(1, 9))])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, 4),
    prompt=st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)),
    path=st.sampled_from([None, "src/a.py", "docs/a/x.md", "../a.py", "/", "src\\b.py", "*", "{"]),
    budget=st.one_of(st.integers(1, 2000), st.integers(1, 120)),
)
def test_no_block_exceeds_its_budget(stores: list[Memory], at: int, prompt: str, path: str | None, budget: int) -> None:
    """C164, C165: whatever the store, prompt, path and budget; a block is whole or it is empty, never torn."""
    context = stores[at].context(prompt, path=path, budget=budget)

    assert context.tokens == words(context.text) <= budget
    assert whole(context)
    assert stores[at].replay(context.injection_id).text == context.text


def test_the_default_budget_is_800_tokens(stores: list[Memory]) -> None:
    """C164."""
    context = stores[4].context("deploy the billing service")

    assert 700 < words(context.text) <= 800
    assert stores[4].explain(context.injection_id).budget == 800


def padded(memory: Memory, line_tokens: int, **given: str) -> str:
    """A memory whose line in a block takes exactly that many tokens."""
    type = given.setdefault("type", "policy")
    frame = len(f"- [m:{'x' * 7}] {type}: \n")
    start = f"rule {memory.stats()['memories']['memories']} "
    return memory.learn(start + "x" * (4 * line_tokens - frame - len(start)), **given).id


def test_layer_a_of_790_tokens_leaves_ten_for_the_rest(memory: Memory) -> None:
    """C166: nothing of B, C or the experiences gets more than what A leaves."""
    first = padded(memory, 790 - EMPTY)
    matching = memory.learn("The parrot cage opens to the left at night", "fact")
    memory.procedure("open the parrot cage", ["turn the key", "pull"])
    memory.record("open the parrot cage", "turn the key")

    context = memory.context("open the parrot cage")

    assert (context.items, context.tokens) == ((first,), 790)
    assert {one.reason for one in context.trace if not one.taken} == {"no-room"}
    assert matching.id in [one.id for one in context.trace]


def test_what_fits_the_rest_gets_in(memory: Memory) -> None:
    """C166: the same with room for B."""
    first = padded(memory, 700 - EMPTY)
    matching = memory.learn("The parrot cage opens to the left", "fact")

    assert memory.context("open the parrot cage").items == (first, matching.id)


def test_layer_a_over_its_budget_is_cut_by_priority(memory: Memory) -> None:
    """C166: the critical ones stay."""
    high = [padded(memory, 200, type="architecture", priority="high") for _ in range(3)]
    critical = [padded(memory, 200, priority="critical") for _ in range(3)]

    context = memory.context("anything")

    assert set(context.items) == set(critical)
    assert {one.id: one.reason for one in context.trace if not one.taken} == dict.fromkeys(high, "no-room")
    assert set(memory.context("anything", budget=1300).items) == {*critical, *high}


def test_one_that_can_never_fit_does_not_shut_out_the_rest(memory: Memory) -> None:
    """C165: 20,000 characters in one memory are shown whole or not at all."""
    giant = memory.learn("never " + "x" * 19_990, "policy")
    small = memory.learn("Never deploy on a Friday", "policy", "high")

    assert memory.context("anything").items == (small.id,)
    assert set(memory.context("anything", budget=10_000).items) == {giant.id, small.id}


def test_b_comes_before_c(memory: Memory) -> None:
    """C166: where there is room for one of them, it is the memory that matches."""
    matching = memory.learn("The parrot cage opens to the left", "fact")
    known = memory.procedure("open the parrot cage", ["turn"])

    assert memory.context("open the parrot cage").items == (matching.id, known.id)
    assert memory.context("open the parrot cage", budget=55).items == (matching.id,)


def test_statements_leave_a_third_to_what_worked(memory: Memory) -> None:
    """C139, C166: a store full of matching statements does not silence the experiences."""
    for number in range(60):
        memory.learn(
            f"The parrot cage opens to the left in house number {number} of the long street by the old harbour", "fact"
        )
    done = memory.record("open the parrot cage", "turn the key")

    context = memory.context("open the parrot cage")

    assert done.id in context.items
    assert context.tokens > 700


@pytest.mark.parametrize("budget", range(1, 60))
def test_a_budget_too_small_for_anything_gives_nothing(memory: Memory, budget: int) -> None:
    """C164: no fence without content."""
    memory.learn("Ship", "policy")
    context = memory.context("x", budget=budget)

    assert context.tokens <= budget
    assert bool(context.text) == bool(context.items) == (budget >= EMPTY + 7)
