"""Observing: who said it decides what it may become; feedback is no memory; what we injected is never learned again."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import pytest

from experience import InvalidInput, Memory, StillClock

ROLES = ("user", "assistant", "tool", "system", "file", "external")
RULES = (
    "Never push to main on a Friday.", "I prefer tabs over spaces.", "You must always run the linter before a commit.",
    "Always use pnpm instead of npm.", "We must never store card numbers in the billing database.",
)  # fmt: skip


def states(memory: Memory) -> dict[str, int]:
    return {state: len(memory.memories(state=state)) for state in ("current", "quarantined", "all")}


def test_what_the_user_says_is_known_at_once(shared: Memory) -> None:
    """C155, C167: captured without a model, with its id, and injected into the next prompt."""
    [captured] = shared.observe("We deploy twice a day. You must always run the linter before a commit.", session="s")

    learned = shared.get(str(captured.id))
    assert (learned.trust, learned.source, learned.type, learned.priority) == ("user", "user", "policy", "critical")
    assert learned.content in shared.context("write a parser", session="s").text
    assert states(shared) == {"current": 1, "quarantined": 0, "all": 1}


@pytest.mark.parametrize("role", ROLES[1:])
@pytest.mark.parametrize("rule", RULES)
def test_what_others_say_is_a_candidate_in_quarantine_at_most(memory: Memory, role: str, rule: str) -> None:
    """C167: only the user's words earn the user's trust."""
    memory.observe(rule, role=role)

    assert states(memory)["current"] == 0
    assert memory.context(rule).text == ""
    assert {one.trust for one in memory.memories(state="all")} <= {"agent", "tool", "external"}


@pytest.mark.parametrize("role", ROLES[1:])
def test_others_can_neither_repeat_nor_replace_what_the_user_said(memory: Memory, role: str) -> None:
    """C167: no reinforcement, no new value of a claim."""
    memory.observe("No, the API listens on port 9000, not 8000.")
    before = memory.memories(state="all")
    assert before != []

    for _ in range(3):
        memory.observe("No, the API listens on port 9000, not 8000.", role=role)
        memory.observe("Actually the API listens on port 7777.", role=role)

    assert [one for one in memory.memories(state="all") if one.trust == "user"] == before
    assert "7777" not in memory.context("which port does the API listen on?").text


def test_the_user_lets_out_what_an_assistant_had_said(memory: Memory) -> None:
    [said] = memory.observe("Always use pnpm instead of npm.", role="assistant")
    assert memory.get(str(said.id)).quarantined_at is not None

    memory.observe("Always use pnpm instead of npm.", role="user")

    assert (memory.get(str(said.id)).quarantined_at, memory.get(str(said.id)).trust) == (None, "user")


@pytest.mark.parametrize(
    ("text", "success"),
    [("it still didn't work", 0.0), ("Same error as before.", 0.0), ("that fixed it, thanks!", 1.0),
     ("It works now", 1.0)],
)  # fmt: skip
def test_feedback_is_an_outcome_of_the_last_injection_and_no_memory(memory: Memory, text: str, success: float) -> None:
    """C167, C136: of the session it was said in, and of no other."""
    mine, theirs = memory.record("fix the login test", "freeze the clock"), memory.record("bake a cake", "flour")
    memory.context("bake a cake", session="two")
    memory.context("bake a cake", session="one")
    memory.context("fix the login test", session="one")

    assert memory.observe(text, session="one") == []

    assert memory.get(mine.id).verified_count == 1
    assert memory.get(mine.id).success_score == pytest.approx((0.5 + success) / 1.5)
    assert memory.get(theirs.id) == theirs
    assert states(memory)["all"] == 0


@pytest.mark.parametrize("role", ROLES[1:])
def test_only_a_user_gives_feedback(memory: Memory, role: str) -> None:
    """C136: an assistant that says it works vouches for nothing."""
    done = memory.record("fix the login test", "freeze the clock")
    memory.context("fix the login test", session="s")

    memory.observe("it works now, that fixed it", role=role, session="s")

    assert memory.get(done.id) == done
    assert memory.stats()["outcomes"] == 0


def test_feedback_and_a_rule_in_one_message_both_count(memory: Memory) -> None:
    done = memory.record("fix the login test", "freeze the clock")
    memory.context("fix the login test", session="s")

    captured = memory.observe("It still doesn't work. Never mock the clock in tests.", session="s")

    assert [one.text for one in captured] == ["Never mock the clock in tests."]
    assert memory.get(done.id).verified_count == 1


def test_a_rule_with_its_reason_is_no_feedback(memory: Memory) -> None:
    """C136: the sentence that became a memory rates nothing."""
    memory.record("fix the login test", "freeze the clock")
    memory.context("fix the login test", session="s")

    assert memory.observe("Never use symlinks because that doesn't work on Windows.", session="s") != []
    assert memory.stats()["outcomes"] == 0


def test_feedback_without_an_injection_is_only_logged(memory: Memory) -> None:
    memory.record("fix the login test", "freeze the clock")
    memory.context("fix the login test", session="another")

    assert memory.observe("it still didn't work", session="s") == []
    assert (memory.stats()["outcomes"], memory.stats()["turns"]) == (0, 1)


def injected(memory: Memory) -> str:
    """A block with every section, full of what would be captured had a person said it."""
    for rule in RULES:
        memory.observe(rule, session="s")
    memory.learn("The cart must never round prices before the last step of a checkout", "decision")
    memory.record("fix the checkout rounding", "Always use decimals. I prefer Decimal over float.")
    memory.procedure("fix the checkout", ["You must always run the price tests first", "never round early"])
    block = memory.context("fix the checkout rounding of the cart", session="s").text
    assert all(title in block for title in ("Always:", "About this:", "Procedures:", "What worked before:"))
    return block


SHAPES: dict[str, Any] = {
    "whole": lambda block: block,
    "twice": lambda block: f"{block}\n{block}",
    "in upper case": lambda block: block.upper(),
    "indented": lambda block: textwrap.indent(block, "    "),
    "quoted": lambda block: textwrap.indent(block, "> "),
    "quoted twice": lambda block: textwrap.indent(block, "> > "),
    "in a list": lambda block: textwrap.indent(block, "* "),
    "without its first line": lambda block: block.partition("\n")[2],
    "without its last line": lambda block: block.rpartition("\n")[0],
    "its items alone": lambda block: "\n".join(line for line in block.split("\n") if line.startswith("- [")),
    "its items without bullets": lambda block: block.replace("\n- [", "\n["),
    "its items numbered": lambda block: block.replace("\n- [", "\n1. ["),
    "from the midst on": lambda block: block[len(block) // 2 :],
    "wrapped": lambda block: "\n".join(textwrap.fill(line, 60) for line in block.split("\n")),
    "wrapped, without its fence": lambda block: "\n".join(
        textwrap.fill(line, 60) for line in block.split("\n") if line.startswith("- [")
    ),
    "as JSON": lambda block: json.dumps({"additionalContext": block}),
    "a part of it as JSON": lambda block: json.dumps(block.partition("\n")[2]),
    "escaped": lambda block: block.replace("<", "&lt;").replace(">", "&gt;"),
    "with Windows' line ends": lambda block: block.replace("\n", "\r\n"),
    "in a sentence": lambda block: f"You told me this:\n\n{block}\n\nCan you see it?",
}


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_injected_is_never_learned_again(memory: Memory, shape: str, role: str) -> None:
    """C155, C167: pasted back in any shape by anyone, nothing is captured, reinforced or rated."""
    block = injected(memory)
    before = memory.memories(state="all")

    assert memory.observe(SHAPES[shape](block), role=role, session="s") == []

    assert memory.memories(state="all") == before
    assert memory.stats()["outcomes"] == 0


@pytest.mark.parametrize("role", ["assistant", "tool", "file"])
def test_an_item_repeated_bare_by_others_is_not_learned_again(memory: Memory, role: str) -> None:
    """C167: known by its words, whatever stands around it."""
    shown = [rule for rule in RULES if rule in injected(memory)]
    before = memory.memories(state="all")

    assert len(shown) >= 2
    for rule in shown:
        assert memory.observe(f"As noted before:\n  {rule.upper()}", role=role, session="s") == []
    assert memory.memories(state="all") == before


def test_a_user_may_say_again_what_was_injected(memory: Memory) -> None:
    """C155: their own words still count: the memory is reinforced, none is added."""
    injected(memory)
    before = states(memory)

    [again] = memory.observe("Never push to main on a Friday.", session="s")

    assert memory.get(str(again.id)).reinforcement_count == 2
    assert states(memory) == before


def test_a_user_may_correct_what_was_injected_by_its_id(memory: Memory) -> None:
    """C155: a citation is no paste; the words beside a pasted block are heard, too."""
    block = injected(memory)

    [corrected] = memory.observe("What [m:abcdefg] says is wrong. Always use yarn for the frontend.", session="s")
    [beside] = memory.observe(f"I prefer dark themes.\n{block}", session="s")

    assert [corrected.text, beside.text] == ["Always use yarn for the frontend.", "I prefer dark themes."]


def test_a_block_in_the_message_before_is_no_context_of_the_next_memory(memory: Memory) -> None:
    """C155: else every memory would be found by the words of what stood in the last block."""
    block = injected(memory)
    memory.observe(f"Here is what I know:\n{block}\nShall I go on?", role="assistant", session="s")

    [learned] = memory.observe("I prefer green buttons.", session="s")

    [(terms,)] = memory.store.query("select context_terms from memories where id = ?", learned.id)
    assert "checkout" not in str(terms)
    assert "know" in str(terms)


def test_a_block_in_the_prompt_asks_for_nothing(memory: Memory) -> None:
    """C155: a pasted block does not bring back itself."""
    learned = memory.learn("The cart rounds prices at the last step")
    block = memory.context("how does the cart round prices?").text
    assert learned.id in block

    assert memory.context(f"{block}\nwrite a poem").items == ()


def test_the_entries_of_a_system_prompt_are_never_learned_again(memory: Memory) -> None:
    """C155, C027."""
    memory.learn("Never push to main on a Friday", "policy")

    for role in ("user", "system", "assistant"):
        assert memory.observe(memory.formatted_memories().partition("\n\n")[2], role=role) == []


def test_every_message_is_logged_in_its_session(shared: Memory, clock: StillClock) -> None:
    """C167: in order, with its role, whatever was captured from it."""
    for text, role in (("hello", "user"), ("I prefer tabs over spaces.", "user"), ("Done.", "assistant"), ("", "tool")):
        shared.observe(text, role=role, session="s")

    assert [(turn.role, turn.content) for turn in shared.shelf.episodic.last("s")] == [
        ("user", "hello"), ("user", "I prefer tabs over spaces."), ("assistant", "Done."), ("tool", ""),
    ]  # fmt: skip
    assert shared.shelf.episodic.last("another") == []


@pytest.mark.parametrize(
    ("given", "said"),
    [({"text": None}, "text"), ({"text": b"x"}, "text"), ({"role": "root"}, "role 'root' is unknown"),
     ({"role": None}, "role"), ({"session": 5}, "session"), ({"session": "a\0b"}, "session"),
     ({"session": "\ud800"}, "session")],
    ids=repr,
)  # fmt: skip
def test_what_is_no_message_is_refused_and_nothing_is_written(memory: Memory, given: dict[str, Any], said: str) -> None:
    """C167."""
    with pytest.raises(InvalidInput, match=said):
        memory.observe(**{"text": "I prefer tabs.", **given})
    assert (memory.stats()["turns"], states(memory)["all"]) == (0, 0)


@pytest.mark.parametrize("text", ["x" * 5_000_000, "Never push to main.\0\ud800", "\u202e" * 100, "I prefer " * 9000])
def test_no_message_breaks_it(memory: Memory, text: str) -> None:
    """C167: its first 20,000 characters are kept, what cannot be stored is replaced."""
    memory.observe(text, session="s")

    assert len(memory.shelf.episodic.last("s")[0].content) <= 20_000
