"""Chunks: where they begin, how long they are, what they share, and how little an edit changes. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_sync.chunk import pieces

WORDS = "harbour lantern meadow copper thimble orchard gravel velvet ribbon kettle".split()


def tokens(text: str) -> float:
    return len(text) / 4


def prose(random: Random, lines: int, *, headings: bool = False) -> list[str]:
    """Lines of a few words, a paragraph every so often, sections where wanted."""
    found: list[str] = []
    for number in range(lines):
        if headings and random.random() < 0.04:
            found += ["", f"## Part {number}", ""]
        found.append(f"{' '.join(random.choices(WORDS, k=random.randint(3, 14)))} {number}")
        if random.random() < 0.15:
            found.append("")
    return found


def shared(lines: Sequence[str], one: tuple[int, int, str, str], other: tuple[int, int, str, str]) -> str:
    return "\n".join(lines[other[0] - 1 : one[1]])


LONG = [pytest.param(prose(Random(3), 1500, headings=headings), id=str(headings)) for headings in (False, True)]


@pytest.mark.parametrize("lines", LONG)
def test_every_chunk_is_exactly_its_lines(lines: list[str]) -> None:
    """C117, C118: file lines [start..end] are the text, of all chunks, not only the first."""
    found = list(pieces(lines))

    assert len(found) > 50
    assert all("\n".join(lines[start - 1 : end]) == text for start, end, text, _ in found)


@pytest.mark.parametrize("lines", LONG)
def test_no_chunk_is_too_long_and_neighbours_share_enough(lines: list[str]) -> None:
    """C114: at most 400 tokens, at least 80 of whole lines shared."""
    found = list(pieces(lines))

    assert max(tokens(text) for _, _, text, _ in found) <= 400
    assert min(tokens(shared(lines, *pair)) for pair in pairwise(found)) >= 80


@pytest.mark.parametrize(("most", "overlap"), [(100, 20), (800, 80), (60, 0)])
def test_the_sizes_are_settings(most: int, overlap: int) -> None:
    """C115: set 100/20, and the sizes follow."""
    lines = prose(Random(5), 400)
    found = list(pieces(lines, tokens=most, overlap=overlap))

    assert most * 0.4 < max(tokens(text) for _, _, text, _ in found) <= most
    assert min(tokens(shared(lines, *pair)) for pair in pairwise(found)) >= overlap


def test_every_line_with_words_is_in_a_chunk() -> None:
    lines = prose(Random(7), 600, headings=True)
    covered = {number for start, end, _, _ in pieces(lines) for number in range(start, end + 1)}

    assert {number for number, line in enumerate(lines, 1) if line} <= covered


def test_a_short_file_is_one_chunk() -> None:
    assert list(pieces(["# Title", "", "Words."])) == [(1, 3, "# Title\n\nWords.", "Title")]


@pytest.mark.parametrize("lines", [[], [""], ["", "  ", ""]])
def test_a_file_without_words_has_no_chunk(lines: list[str]) -> None:
    assert list(pieces(lines)) == []


def test_a_chunk_begins_at_a_heading_rather_than_anywhere_else() -> None:
    """Sections of 300 tokens: what is new in each chunk is one whole section."""
    section = [f"{' '.join(WORDS)} {number}" for number in range(15)]
    lines = [line for number in range(8) for line in (f"## Section {number}", "", *section, "")]
    found = list(pieces(lines))
    new = [previous[1] + 1 for previous, _ in pairwise(found)]

    assert [lines[start - 1][:10] for start in new] == ["## Section"] * 7
    assert [heading for *_, heading in found] == [f"Section {number}" for number in range(8)]


def test_the_headings_above_a_chunk_are_named_from_the_outermost() -> None:
    body = [f"{' '.join(WORDS)} {number}" for number in range(15)]
    lines = ["# Guide", *body, "", "Setup", "-----", *body, "", "### Linux ###", *body, "", "# Other", *body]

    assert [heading for *_, heading in pieces(lines)] == ["Guide", "Guide › Setup", "Guide › Setup › Linux", "Other"]


@pytest.mark.parametrize(("first", "last"), [("```python", "```"), ("~~~", "~~~~"), ("| a | b |", "| y | z |")])
def test_code_and_tables_stay_whole_where_they_fit(first: str, last: str) -> None:
    """A block of 250 tokens, with blank lines and marks of headings inside, between paragraphs."""
    table = first.startswith("|")
    block = [first, *("| one | two |" if table else "# not a heading" for _ in range(50)), last]
    if not table:
        block[10:10] = ["", ""]
    before, after = prose(Random(1), 60), prose(Random(2), 60)
    lines = [*before, "", *block, "", *after]
    start = len(before) + 2
    end = start + len(block) - 1

    assert any(one <= start and other >= end for one, other, _, _ in pieces(lines))


def test_a_block_that_does_not_fit_is_cut_like_text() -> None:
    lines = ["```", *(f"value_{number} = {number}" for number in range(400)), "```"]
    found = list(pieces(lines))

    assert all(tokens(text) <= 400 and "\n".join(lines[start - 1 : end]) == text for start, end, text, _ in found)


def test_a_line_that_does_not_fit_is_cut_and_its_parts_say_its_number() -> None:
    """C117: each part stands in that line; together they are all of it."""
    long = " ".join(f"{word}{number}" for number in range(800) for word in WORDS[:2])
    lines = ["before", long, "after"]
    found = list(pieces(lines))
    parts = [text for start, end, text, _ in found if (start, end) == (2, 2)]

    assert found[0] == (1, 1, "before", "")
    assert found[-1] == (3, 3, "after", "")
    assert all(part in long and tokens(part) <= 400 for part in parts)
    assert {word for part in parts for word in part.split()} == set(long.split())


def test_a_long_line_without_spaces_ends() -> None:
    parts = [text for _, _, text, _ in pieces(["x" * 10_000])]

    assert "".join(part[: 1600 - 320] for part in parts)[:10_000].startswith("x" * 9_000)
    assert all(len(part) <= 1600 for part in parts)


@pytest.mark.parametrize("lines", LONG)
def test_an_edited_line_changes_at_most_three_chunks(lines: list[str]) -> None:
    """C119: in a file of more than 100 chunks; only where a line that was a border goes, a fourth may follow."""
    random, before = Random(11), {text for _, _, text, _ in pieces(lines)}
    fresh = []
    for number in range(150):
        edited = list(lines)
        at = random.randrange(len(edited))
        if number % 3 == 0:
            edited[at] += " and a few words more"
        elif number % 3 == 1:
            edited.insert(at, "a line that was not there before, of some words")
        else:
            del edited[at]
        fresh.append(sum(text not in before for _, _, text, _ in pieces(edited)))

    assert len(before) > 95
    assert sorted(fresh)[-2] <= 3
    assert max(fresh) <= 4
    assert sum(fresh) / len(fresh) < 2


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=60), max_size=80),
    st.integers(20, 120),
    st.integers(0, 10),
)
def test_any_lines_become_true_chunks_that_fit(lines: list[str], most: int, overlap: int) -> None:
    """C114, C117 for any text whatever."""
    found = list(pieces(lines, tokens=most, overlap=overlap))

    for start, end, text, _ in found:
        assert len(text) <= most * 4
        assert "\n".join(lines[start - 1 : end]) == text or (start == end and text in lines[start - 1])
    covered = {number for start, end, _, _ in found for number in range(start, end + 1)}
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= covered


@settings(max_examples=60, deadline=None)
@given(st.text("#-=|`~ ab\n", max_size=3000))
def test_any_marks_of_markdown_become_true_chunks(text: str) -> None:
    lines = text.split("\n")

    for start, end, part, _ in pieces(lines, tokens=30, overlap=6):
        assert "\n".join(lines[start - 1 : end]) == part or (start == end and part in lines[start - 1])
