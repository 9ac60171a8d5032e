"""What a tool's call and its result say: the command, whether it tests or builds, and how it went."""

from __future__ import annotations

from typing import Any

import pytest

from experience.errors import ExperienceError
from experience.hooks import tools
from experience.hooks.hosts import host
from experience.learning import verdicts
from tests.payloads import EVERY


@pytest.mark.parametrize(
    ("command", "channel"),
    [
        ("pytest -q", "tests"), ("cd app && FOO=1 uv run pytest -x | tail -3", "tests"), ("npm test", "tests"),
        (".venv/bin/python -m pytest", "tests"), ("cargo test --all", "tests"), ("go test ./...", "tests"),
        ("make check", "tests"), ("make", "build"), ("npm run build", "build"), ("npx tsc --noEmit", "build"),
        ("cargo build", "build"), ("ls", None), ("echo pytest", None), ("git commit -m 'make test pass'", None),
        ("cat pytest.ini", None), ("", None),
    ],
)  # fmt: skip
def test_a_command_is_known_to_test_or_to_build(command: str, channel: str | None) -> None:
    assert verdicts.channel(command) == channel


@pytest.mark.parametrize(
    ("command", "result", "failed", "ok"),
    [
        ("pytest -q", {"stdout": "12 passed in 0.3s"}, False, True),
        ("pytest -q", {"stdout": "1 failed, 12 passed in 0.3s"}, False, False),
        ("pytest -q | tail -1", {"stdout": "1 failed, 12 passed", "exit_code": 0}, False, False),
        ("pytest -q; ls", {"stdout": "", "exit_code": 0}, False, None),
        ("pytest && git push", "Exit code: 0\nOutput:\n", False, True),
        ("cargo test", "test result: FAILED. 1 passed; 1 failed", False, False),
        ("go test ./...", "ok  \tapp\t0.1s", False, True),
        ("npm run build", "Exit code 2\nerror TS2304: no name", True, False),
        ("make", {"output": "cc a.c", "metadata": {"exit": 0}}, False, True),
        ("make", '{"output":"make: *** [all] Error 1","metadata":{"exit_code":2}}', False, False),
        ("make", "cc a.c", False, None),
        ("ls", "a b", False, True), ("ls", "no such directory", True, False), ("", None, False, True),
    ],
)  # fmt: skip
def test_words_and_exit_codes_tell_how_it_went(command: str, result: Any, failed: bool, ok: bool | None) -> None:
    assert tools.went_well(command, result, failed=failed) is ok


def test_a_long_result_keeps_its_beginning_and_more_of_its_end() -> None:
    kept = tools.words("begin" + "x" * 100_000 + "12 passed")

    assert (kept[:5], kept[-9:], len(kept) < 20_000) == ("begin", "12 passed", True)


def test_every_adapter_can_be_had_by_its_name_and_no_other() -> None:
    assert {host(name).NAME for name, _ in EVERY} == {name for name, _ in EVERY}
    with pytest.raises(ExperienceError, match="choose one of claude-code, codex"):
        host("emacs")
