"""Capture: what is heard in a message, what is not, and that no message can hurt."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience import fence
from experience.capture import detect as ear
from experience.capture.detect import detect, feedback
from experience.capture.sentences import LONGEST, MOST, prose
from experience.models import Captured

ROOT = Path(__file__).parent.parent
BECOMES = {"preference": "preference", "correction": "fact", "constraint": "policy"}
MESSAGES = [json.loads(line) for line in (Path(__file__).parent / "messages.jsonl").read_text("utf-8").splitlines()]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(one.type, one.priority) for one in detect(text)]


def texts(text: str) -> list[str]:
    return [one.text for one in detect(text)]


@pytest.mark.parametrize(
    "text",
    [
        "I prefer spaces over tabs", "i prefer small functions", "I'd prefer a plain table",
        "always use double quotes", "Always use UTC in the database.", "please always use the v2 client",
        "never use wildcard imports", "Never squash my commits", "and never use floats for money",
    ],
)  # fmt: skip
def test_a_preference_is_heard(text: str) -> None:
    """C168."""
    assert kinds(text) == [("preference", "medium")]


@pytest.mark.parametrize(
    "text",
    [
        "Actually, the queue is called jobs", "actually it listens on 9090", "Actually we dropped that table",
        "no, the limit is 20", "No, use the second account", "no it belongs to the admin page",
        "not the server but the client decides", "It is stored not in grams but in ounces", "not red but green",
    ],
)  # fmt: skip
def test_a_correction_is_a_fact_of_high_priority(text: str) -> None:
    """C169."""
    assert kinds(text) == [("fact", "high")]


@pytest.mark.parametrize(
    "text",
    [
        "must run on Python 3.11", "Each request must carry a trace id", "you must keep the old urls",
        "required Node 22", "Two reviewers are required", "Required: a test for each bug",
        "don't ever edit that file by hand", "Dont ever log a token", "do not ever skip the hooks",
    ],
)  # fmt: skip
def test_a_constraint_is_a_critical_policy(text: str) -> None:
    """C170."""
    assert kinds(text) == [("policy", "critical")]


@pytest.mark.parametrize(
    "text",
    [
        "Do you prefer tabs?", "should I always use a lock?", "Have you never used it?", "do you always use a lock",
        "Does it actually work?", "is it not red but green?", "Must every request carry an id?", "is a visa required?",
        "Why would anyone ever need this?", "how do I make sure it must run on 3.11?",
    ],
)  # fmt: skip
def test_a_question_teaches_nothing(text: str) -> None:
    """C168, C169, C170: negatives."""
    assert detect(text) == []


@pytest.mark.parametrize(
    "text",
    [
        'He wrote "always use tabs" there', "They shouted “never use tabs” at us", "the note was 'never use tabs here'",
        "> I prefer tabs\n> never use spaces", "my boss says we must use tabs", "The docs say you should never do that",
        "according to the manual you must unplug it", "The error says the id must be unique",
        "Kim told me to always knock",
    ],
)  # fmt: skip
def test_other_peoples_words_teach_nothing(text: str) -> None:
    """C168, C169, C170: negatives."""
    assert detect(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "run `always use tabs` now", "```\nnever use tabs\nI prefer spaces\n```", "~~~ text\nyou must not\n~~~",
        "```python\n# never use tabs", "// never call this twice", "raise ValueError('must be set');",
        "ValueError: name must not be empty", "2026-01-02 10:11:12 you must restart", "[ERROR] token is required",
        "diff --git a/b b/b\n@@ -1 +1 @@\n-always retry\n+never retry", "| rule | never log |\n|---|---|",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in must\nKeyError: 'required'",
        "Look into this finding:\n\nThe value of `total` must be set before `close()` runs, not after.",
        "<log>\nyou must restart\n</log>", "<system-reminder>\nYou must never say so.\n</system-reminder>",
        "see https://example.org/never-use-tabs/I prefer",
    ],
)  # fmt: skip
def test_code_and_pasted_output_teach_nothing(text: str) -> None:
    """C168, C169, C170: negatives."""
    assert detect(text) == []


def test_what_stands_around_a_paste_is_still_heard() -> None:
    text = "It prints this:\n```\nyou must not\n```\nKeyError: 'must'\n> never\n\nplease never swallow errors. Thanks!"

    assert texts(text) == ["please never swallow errors."]


def test_inline_code_and_quotations_stay_inside_the_sentence_that_holds_them() -> None:
    text = 'never call `os.system`, and always write "colour"'

    assert texts(text) == [text]


def test_the_stricter_pattern_wins_a_sentence_and_takes_it_once() -> None:
    """C168, C170: "don't ever X" is a policy although "never X" is a preference."""
    assert kinds("don't ever use eval, never use exec, I prefer neither") == [("policy", "critical")]
    assert kinds("Actually I told you: always use a lock, you must not skip it") == [("policy", "critical")]


def test_each_sentence_is_captured_with_its_place() -> None:
    text = "Hi!\n\n1. I prefer tabs.\n2. what is this?\n- never use   eval; ok\n/ask you must test it"

    found = detect(text)

    assert [(one.type, one.text) for one in found] == [
        ("preference", "I prefer tabs."), ("preference", "never use   eval; ok"), ("policy", "you must test it"),
    ]  # fmt: skip
    assert [text[slice(*one.span)] for one in found] == [one.text for one in found]


def test_a_statement_is_heard_up_to_the_question_behind_it() -> None:
    assert texts("I'm allergic to sesame, what can I bake?") == ["I'm allergic to sesame"]


def test_the_same_words_twice_are_captured_once() -> None:
    assert texts("never use tabs.\nnever use tabs.") == ["never use tabs."]


@pytest.mark.parametrize(
    "text", ["I PREFER TABS", "i dont like tabs", "I don’t like tabs", "im not a fan of tabs", "WE DONT USE TABS"]
)
def test_case_and_apostrophes_do_not_matter(text: str) -> None:
    """C168."""
    assert kinds(text) == [("preference", "medium")]


@pytest.mark.parametrize("text", ["never do it", "you must do that", "don't do this", "no, not that", "Don't."])
def test_what_means_nothing_alone_is_no_memory(text: str) -> None:
    assert detect(text) == []


def test_nothing_longer_than_is_kept_is_captured() -> None:
    assert detect("never use " + "x" * LONGEST) == []
    found = texts("so here it is; " * 40 + "never use globals")
    assert len(found) == 1
    assert found[0].endswith("never use globals")
    assert len(found[0]) <= LONGEST


def test_a_pasted_book_teaches_little() -> None:
    """At most 20 things a message, from its beginning and its end."""
    book = [f"You must obey rule number {number}." for number in range(9000)]

    assert len(detect(" ".join(book))) == ear.MOST
    hidden = "x y z.\n" * MOST + "never look here.\n" + "x y z.\n" * MOST
    assert detect(hidden) == []
    assert texts("I prefer the top.\n" + hidden + "I prefer the end.") == ["I prefer the top.", "I prefer the end."]


def test_the_end_of_a_long_message_may_be_the_inside_of_a_block() -> None:
    assert detect("see\n```\n" + "x = 1\n" * MOST + "# you must not\nI prefer tabs\n```\n") == []


@pytest.mark.parametrize(
    "injected",
    [
        f"{fence.OPEN} project='x'>\nI prefer tabs.\nnever use spaces.\n{fence.CLOSE}",
        "- [m:7f3a2b] never use spaces in makefiles",
        f"{fence.OPEN} project='x'>\nyou must cut me off",
        f"{fence.OPEN}>\n" + "never use spaces.\n" * 3000 + fence.CLOSE,
    ],
)
def test_what_was_injected_is_never_learned_again(injected: str) -> None:
    assert detect(injected) == []
    assert texts(f"I prefer mornings.\n{injected}") == ["I prefer mornings."]


def test_every_role_is_read_alike() -> None:
    """Trust is decided where it is stored."""
    assert detect("never use tabs", role="tool") == detect("never use tabs")


@pytest.mark.parametrize(
    "text",
    [
        "never " * 170_000, "must not " * 110_000, '"' * 1_000_000, "'" * 1_000_000, "`" * 1_000_000, "“«" * 500_000,
        " " * 100_000 + "never use tabs", "\n" * 1_000_000, "> " * 500_000, "<a>\n" * 250_000, "no, " * 250_000,
        "not a but b, " * 80_000, "\t>*-" * 250_000, "[m:" * 330_000, fence.OPEN * 60_000, "never use\u200b" * 90_000,
        "I " + "really " * 50 + "never", "I have a " + "very, " * 60, "(" * 390 + " you must", "- " * 500_000 + "never",
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_no_message_can_hang_or_break_the_ear(text: str) -> None:
    assert all(text[slice(*one.span)] == one.text for one in detect(text))
    assert feedback(text) is None or feedback(text) == feedback(text)


def test_a_pattern_that_takes_too_long_is_counted_and_matches_nothing() -> None:
    slow = ear.ALL[0].replace(name="slow", triggers=(" aaaa",), regex=r"^(?:(?:a|aa)+)+$")
    sentence = "a" * 60 + "b c d"

    assert list(ear._seen(f"{sentence}. " * 9, (slow,))) == []
    assert ear.timeouts.pop("slow") == ear.TRIES


@pytest.mark.parametrize(
    "text",
    [
        "🎉 never use tabs 🎉",
        "ありがとう。never use tabs。次",
        "עברית: never use tabs",
        "‏never use tabs‏",
        "e\u0301 I prefer tabs",
        "I prefer 日本語 names",
    ],
)
def test_other_scripts_do_not_get_in_the_way(text: str) -> None:
    found = detect(text)

    assert len(found) == 1
    assert text[slice(*found[0].span)] == found[0].text


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    assert all(text[slice(*one.span)] == one.text for one in detect(text))
    assert len(prose(text)) == len(text)


PIECES = [
    "never use tabs",
    "I prefer ",
    "you must ",
    "?",
    ". ",
    "\n",
    "```\n",
    "> ",
    '"',
    "'",
    "’",
    "İ",
    "ß",
    "🎉",
    "- ",
    ", ",
    " but not ",
]


@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=25).map("".join))
def test_a_place_is_true_and_a_capture_whole(text: str) -> None:
    """Whatever is captured stands in the message at its place, stripped, short enough, in order."""
    found = detect(text)

    assert [text[slice(*one.span)] for one in found] == [one.text for one in found]
    assert all(one.text == one.text.strip() and 0 < len(one.text) <= LONGEST for one in found)
    assert [one.span for one in found] == sorted(one.span for one in found)
    assert detect(text) == found


def test_feedback_prefers_a_failure_and_knows_its_place() -> None:
    text = "great work! but it still doesn't load"
    heard = feedback(text)

    assert heard is not None
    assert (heard.verdict, text[slice(*heard.span)]) == ("failure", "but it still doesn't load")
    assert feedback("is it working now?") is None
    assert feedback("> it works now") is None
    assert feedback("") is None


def test_two_hundred_messages_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """C171: measured on messages that were written for this; the figures are printed."""
    fired = [(row["label"] in BECOMES, bool(detect(row["text"]))) for row in MESSAGES]
    right, silent = fired.count((True, True)), fired.count((True, False))
    precision, recall = right / (right + fired.count((False, True))), right / (right + silent)
    with capsys.disabled():
        sys.stdout.write(f"\ncapture on {len(fired)} messages: precision {precision:.3f}, recall {recall:.3f}\n")

    assert len(fired) >= 200
    assert precision >= 0.95
    assert recall >= 0.90


def test_most_labelled_messages_become_the_right_type() -> None:
    """C168, C169, C170."""
    rows = [
        (BECOMES[row["label"]], [one.type for one in detect(row["text"])])
        for row in MESSAGES
        if row["label"] in BECOMES
    ]

    assert sum(type in types for type, types in rows) / len(rows) >= 0.90


def test_labelled_feedback_is_heard() -> None:
    told = [(row["label"], feedback(row["text"])) for row in MESSAGES if row["label"] in ("failure", "success")]

    assert sum(heard is not None and heard.verdict == label for label, heard in told) / len(told) >= 0.90


def loaded(message: str) -> set[str]:
    """The modules a fresh process holds after it has heard one message, with every way out to the network shut."""
    code = (
        "import sys, socket\n"
        "def shut(*_, **__): raise SystemExit('went out')\n"
        "socket.socket.connect = shut\n"
        "from experience.capture.detect import detect\n"
        f"detect({message!r}); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_capture_needs_no_model_and_no_network_and_a_silent_message_no_regex() -> None:
    """C167, C171: offline, nothing heavy; `regex` only once a trigger is heard."""
    silent, heard = loaded("rename the class"), loaded("never use tabs")

    assert "regex" not in silent
    assert "regex" in heard
    outside = {name.split(".")[0] for name in heard} - set(sys.stdlib_module_names)
    assert {name for name in outside if not name.startswith("_")} <= {"experience", "regex", "sitecustomize"}


def test_a_capture_is_a_value_without_an_id_until_it_is_stored() -> None:
    assert detect("I prefer tabs") == [
        Captured(type="preference", text="I prefer tabs", priority="medium", span=(0, 13), pattern="i-prefer")
    ]
