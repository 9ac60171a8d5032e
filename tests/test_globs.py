"""Scopes: which paths a glob speaks of, which globs are refused, and that none can make a match slow."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experience import InvalidInput, Memory
from experience.globs import checked, matches

YES = """
src/**/*.ts src/a/b.ts
src/**/*.ts src/b.ts
src/**/*.ts src/a/b/c/d.ts
src/*.py src/a.py
src/** src/a/b.py
src/** src
src src/a/b.py
src/ src/a/b.py
src/main.py src/main.py
*.py a.py
*.py deep/down/a.py
Makefile Makefile
Makefile tools/Makefile
docs tools/docs/page.md
**/tests/** pkg/tests/test_a.py
**/tests/** tests/test_a.py
**/*.{js,ts} web/app.ts
{src,lib}/*.c lib/a.c
{src/core,lib}/*.c src/core/a.c
test_?.py test_a.py
a{,b}c ac
** any/thing.at/all
pages/[id].tsx pages/[id].tsx
data/a+b(1).csv data/a+b(1).csv
ünï/*.md ünï/日本.md
*a*b* xaxbx
{*.py,*.pyi} deep/a.pyi
"""
NO = """
src/**/*.ts src/a/b.js
src/**/*.ts lib/a/b.ts
src/**/*.ts src/a/b.tsx
src/*.py src/deep/a.py
src/* src/a/b.py
src lib/src.py
src srcs/a.py
src/main.py src/main.pyc
src/main.py lib/src/main.py
*.py a.pyc
test_?.py test_10.py
test_?.py test_.py
a?c a/c
a*c a/c
{src,lib}/*.c srclib/a.c
{src,lib}/*.c etc/a.c
pages/[id].tsx pages/i.tsx
SRC/** src/a.py
*.py ../elsewhere/a.py
** ../elsewhere/a.py
"""
BAD = {
    "nothing": "", "blanks": " \t", "a number": 5, "bytes": b"src", "a list": ["src"], "an absolute path": "/etc/**",
    "a home": "~/.ssh/**", "a drive": "C:/work", "a drive with backslashes": "C:\\work", "the parent": "../other/**",
    "a way out": "src/../../x", "a way out in braces": "{..,a}/x", "an open brace": "src/{a,b", "a closed brace": "a}b",
    "braces in braces": "{a,{b,c}}", "too long": "x" * 301, "NUL": "a\0b", "a line break": "a\nb",
    "half a character": "\ud800", "a control": "\x1b[31m", "a direction mark": "\u202esrc",
}  # fmt: skip


def pairs(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


@pytest.mark.parametrize(("glob", "path"), pairs(YES))
def test_a_glob_covers(glob: str, path: str) -> None:
    """C186."""
    assert matches(checked("scope", glob), path)


@pytest.mark.parametrize(("glob", "path"), pairs(NO))
def test_a_glob_does_not_cover(glob: str, path: str) -> None:
    """C186."""
    assert not matches(checked("scope", glob), path)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_glob_is_refused_by_the_name_of_its_field(memory: Memory, name: str) -> None:
    """Nothing is written."""
    with pytest.raises(InvalidInput, match=r"^scope "):
        memory.learn("tabs, not spaces", scope=BAD[name])  # type: ignore[arg-type]

    assert memory.memories(state="all") == []


@pytest.mark.parametrize(
    ("written", "kept"),
    [("src\\a\\*.py", "src/a/*.py"), ("./src/**", "src/**"), (" src ", "src"), (".", "**"), ("./", "**")],
)
def test_a_glob_is_kept_in_one_form(written: str, kept: str) -> None:
    assert checked("scope", written) == kept


def test_no_glob_makes_a_match_slow() -> None:
    """A process of its own: matchers that try every way to split a path would still be at it next year."""
    code = """
from experience.globs import matches
name, deep = "a" * 4000, "a/" * 2000 + "y"
print(matches("*a" * 20 + "b", name), matches("**/" * 90 + "x", deep), matches("{a,aa}" * 45 + "b", name),
      matches("**a" * 80 + "b", deep), matches("*a" * 20, name))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.split() == ["False", "False", "False", "False", "True"]


PIECES = {"*a": "[^/]*a", "?": "[^/]", "b*": "b[^/]*", "{a,b}": "(?:a|b)", "{a*,b/c}": "(?:a[^/]*|b/c)", "c": "c"}
NAME = st.lists(st.sampled_from(sorted(PIECES)), min_size=1, max_size=3).filter(lambda some: "**" not in "".join(some))


@given(
    st.lists(st.one_of(st.just(["**"]), NAME), min_size=1, max_size=4),
    st.lists(st.text("abc", min_size=1, max_size=3), max_size=5),
)
def test_walking_a_glob_finds_what_its_regular_expression_finds(globs: list[list[str]], names: list[str]) -> None:
    """C186: an independent reading of the same glob; directories at both ends tie it down."""
    glob = "/".join(["x", *map("".join, globs), "y"])
    meant = "".join(
        "(?:[^/]+/)*" if pieces == ["**"] else "".join(PIECES[piece] for piece in pieces) + "/" for pieces in globs
    )
    path = "/".join(["x", *names, "y"])

    assert matches(glob, path) == bool(re.fullmatch(f"x/{meant}y", path))
