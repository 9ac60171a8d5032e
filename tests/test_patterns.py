"""The patterns as data: each says what it captures and is held to it.

`python -m tests.test_patterns` writes the patterns into their page.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import regex

from experience.capture.detect import PATTERNS, detect, feedback
from experience.capture.patterns import PRIORITY, Pattern
from experience.capture.patterns import feedback as outcomes
from experience.capture.sentences import words
from experience.models import MEMORY_TYPES, PRIORITIES

PAGE = Path(__file__).parent.parent / "docs" / "capture.md"
MARK = "<!-- the patterns, written by `python -m tests.test_patterns` -->\n"
EVERY = (*PATTERNS, *outcomes.PATTERNS)
TITLES = {
    "policy": "Constraints become a policy, priority critical",
    "fact": "Corrections become a fact, priority high",
    "preference": "Preferences become a preference, priority medium",
    "failure": "Feedback: it failed",
    "success": "Feedback: it worked",
}


def said(pattern: Pattern, field: str) -> list[str]:
    return list(getattr(pattern, field))


def each(patterns: tuple[Pattern, ...], field: str) -> list[object]:
    """One case a sentence, named by its pattern."""
    return [
        pytest.param(pattern, sentence, id=f"{pattern.name}-{number}")
        for pattern in patterns
        for number, sentence in enumerate(said(pattern, field))
    ]


def rows() -> str:
    """The patterns as the page shows them: by what they become, with their sentences."""
    parts = []
    for type, title in TITLES.items():
        parts += [f"\n### {title}\n\n| pattern | says | does not say |\n|---|---|---|\n"]
        for pattern in [pattern for pattern in EVERY if pattern.type == type]:
            shown = [" · ".join(said(pattern, field)) for field in ("examples", "counters")]
            parts += [f"| `{pattern.name}` | {shown[0]} | {shown[1]} |\n"]
    return "".join(parts)


@pytest.mark.parametrize(("pattern", "sentence"), each(PATTERNS, "examples"))
def test_an_example_is_captured_as_its_type(pattern: Pattern, sentence: str) -> None:
    """C168, C169, C170."""
    assert [(one.type, one.priority, one.text) for one in detect(sentence)] == [
        (pattern.type, PRIORITY[pattern.type], sentence)
    ]


@pytest.mark.parametrize(("pattern", "sentence"), each(PATTERNS, "counters"))
def test_a_counter_example_is_captured_by_nothing(pattern: Pattern, sentence: str) -> None:
    """C168, C169, C170: near misses, questions among them."""
    assert detect(sentence) == []


@pytest.mark.parametrize(("pattern", "sentence"), each(outcomes.PATTERNS, "examples"))
def test_feedback_is_an_outcome_and_never_a_memory(pattern: Pattern, sentence: str) -> None:
    heard = feedback(sentence)

    assert heard is not None
    assert heard.verdict == pattern.type
    assert detect(sentence) == []


@pytest.mark.parametrize(("pattern", "sentence"), each(outcomes.PATTERNS, "counters"))
def test_what_only_resembles_feedback_is_none(pattern: Pattern, sentence: str) -> None:
    assert feedback(sentence) is None


@pytest.mark.parametrize("pattern", EVERY, ids=lambda pattern: pattern.name)
def test_no_trigger_hides_an_example_from_its_own_pattern(pattern: Pattern) -> None:
    """A pattern is only tried where one of its triggers stands."""
    hidden = [
        sentence for sentence in pattern.examples if not any(trigger in words(sentence) for trigger in pattern.triggers)
    ]

    assert hidden == []
    assert all(trigger == trigger.lower() and trigger[0] == " " and trigger.strip() for trigger in pattern.triggers)


@pytest.mark.parametrize("pattern", EVERY, ids=lambda pattern: pattern.name)
def test_a_pattern_sees_its_own_examples(pattern: Pattern) -> None:
    """Another pattern may win a sentence, but never because this one is blind to it."""
    expression = regex.compile(pattern.regex.replace("'", ""), regex.IGNORECASE)
    plain = [sentence.replace("'", "").replace("’", "") for sentence in pattern.examples]

    assert [sentence for sentence in plain if not expression.search(sentence)] == []


def test_every_pattern_has_a_name_of_its_own_and_sentences_for_both_sides() -> None:
    assert len({pattern.name for pattern in EVERY}) == len(EVERY)
    assert [pattern.name for pattern in EVERY if len(pattern.examples) < 2 or len(pattern.counters) < 2] == []
    assert {pattern.type for pattern in PATTERNS} == PRIORITY.keys() <= set(MEMORY_TYPES)
    assert set(PRIORITY.values()) <= set(PRIORITIES)


def test_the_page_shows_every_pattern_as_it_is() -> None:
    """`python -m tests.test_patterns` brings the page up to date."""
    assert PAGE.read_text(encoding="utf-8").split(MARK)[1] == rows()


if __name__ == "__main__":
    PAGE.write_text(PAGE.read_text(encoding="utf-8").split(MARK)[0] + MARK + rows(), encoding="utf-8")
