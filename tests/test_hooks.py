"""A hook never hurts the agent: whatever comes in, it ends well, prints a whole answer or nothing, and in time."""

from __future__ import annotations

import json
import marshal
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import experience
from experience.errors import ExperienceError
from experience.hooks import answering, launch, trouble
from tests.payloads import EVERY, Hooks
from tests.test_cli import SCRIPT, WATCH

# Forks a hook for every line on stdin, hands it the bytes through a pipe, and tells its exit code and what it printed.
FORKS = """
import base64, os, sys
from experience.hooks import launch
from experience.hooks.hosts import NAMES, host

for name in NAMES:
    host(name)
for line in sys.stdin:
    name, event, given = line.split()
    inlet, outlet = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.dup2(inlet[0], 0), os.dup2(outlet[1], 1)
        for one in (*inlet, *outlet):
            os.close(one)
        launch.main([name, event])
    os.close(inlet[0]), os.close(outlet[1])
    try:
        os.write(inlet[1], base64.b64decode(given))
    except BrokenPipeError:
        pass
    os.close(inlet[1])
    told = os.read(outlet[0], 1)
    os.close(outlet[0])
    print(os.waitstatus_to_exitcode(os.wait()[1]), len(told), flush=True)
"""
TEXTS = st.text(max_size=30)
WRONG = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.lists(TEXTS, max_size=2)
JSONS = st.recursive(
    WRONG | TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)
FIELDS = ("session_id", "conversation_id", "sessionId", "cwd", "workspace_roots", "prompt", "text", "tool_name", "tool")


@st.composite
def malformed(draw: st.DrawFn) -> bytes:
    """Bytes that no host would send: no JSON, no object, or an object without a place or with wrong fields."""
    kind = draw(st.integers(0, 4))
    if kind == 0:
        return draw(st.binary(max_size=200))
    if kind == 1:
        whole = json.dumps({"session_id": "s", "cwd": draw(TEXTS), "prompt": draw(TEXTS)})
        return whole[: draw(st.integers(0, len(whole) - 1))].encode()
    if kind == 2:
        return json.dumps(draw(JSONS)).encode()
    fields: dict[str, Any] = {name: draw(WRONG | TEXTS) for name in draw(st.sets(st.sampled_from(FIELDS)))}
    if kind == 3:
        fields |= {"cwd": f"/nowhere/{draw(st.integers(0, 9))}", "session_id": "s"}
    return json.dumps({**draw(st.dictionaries(TEXTS, JSONS, max_size=3)), **fields}).encode()


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No hook of these tests meets a project by accident."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))


@pytest.fixture
def hooks(tmp_path: Path) -> Hooks:
    """The hooks of Claude Code in a project with one policy."""
    project = tmp_path / "project"
    with experience.open(project, home=tmp_path / "home") as memory:
        memory.learn("Never push to main without a review.", type="policy")
    return Hooks("claude-code", tmp_path, project, tmp_path / "home")


def ask(hooks: Hooks, prompt: str = "may I push to main?") -> bytes:
    return json.dumps(hooks.payload("UserPromptSubmit", "s", prompt=prompt)).encode()


def silent(done: subprocess.CompletedProcess[bytes]) -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize(("name", "event"), EVERY)
def test_two_hundred_malformed_events_a_hook_say_nothing(name: str, event: str) -> None:
    """Promise 2"""

    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(malformed())
    def said(raw: bytes) -> None:
        try:
            told = answering.answer(name, event, raw)
        except ExperienceError:
            told = ""  # `main` writes it down and ends well, see below
        assert told == ""

    said()


def test_the_whole_process_ends_well_whatever_comes_in() -> None:
    """Promise 2: 200 malformed events through real pipes, in turn through every hook of every host."""
    import base64

    worker = subprocess.Popen([sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert worker.stdin is not None
    assert worker.stdout is not None
    send, receive = worker.stdin, worker.stdout
    turn = iter(EVERY * 10)

    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(malformed())
    def ends_well(raw: bytes) -> None:
        name, event = next(turn)
        send.write(f"{name} {event} {base64.b64encode(raw).decode() or '='}\n")
        send.flush()
        assert receive.readline() == "0 0\n"

    ends_well()
    send.close()
    assert worker.wait() == 0
    receive.close()


def test_a_host_or_an_event_that_is_unknown_is_no_reason_to_speak(hooks: Hooks) -> None:
    for arguments in ([], ["claude-code"], ["nonsense", "Stop"], ["claude-code", "Nonsense"], ["cursor", "Stop", "x"]):
        command = [*hooks.command("x")[:4], *arguments]
        assert silent(subprocess.run(command, input=b"{}", capture_output=True, env=os.environ, timeout=60))


def test_a_byte_order_mark_and_windows_line_ends_are_read_over(hooks: Hooks) -> None:
    whole = json.dumps(json.loads(ask(hooks)), indent=1).replace("\n", "\r\n")

    assert b"without a review" in hooks.raw("UserPromptSubmit", b"\xef\xbb\xbf" + whole.encode()).stdout


def test_fifty_megabytes_are_read_to_their_end_and_left(hooks: Hooks) -> None:
    huge = ask(hooks, "x" * 50_000_000)

    assert silent(hooks.raw("UserPromptSubmit", huge))
    assert "the event is too large" in trouble.lines(str(hooks.home))[-1]


def test_a_long_prompt_is_answered(hooks: Hooks) -> None:
    told = hooks.raw("UserPromptSubmit", ask(hooks, "may I push to main? " + "and this " * 100_000))

    assert len(json.loads(told.stdout)["hookSpecificOutput"]["additionalContext"]) < 10_000


def test_a_locked_store_is_not_waited_for(hooks: Hooks) -> None:
    holder = sqlite3.connect(hooks.project / ".experience" / "project.db", isolation_level=None)
    holder.execute("begin immediate")

    assert silent(hooks.raw("UserPromptSubmit", ask(hooks)))
    holder.close()
    assert "StoreUnavailable" in trouble.lines(str(hooks.home))[-1]
    assert b"without a review" in hooks.raw("UserPromptSubmit", ask(hooks)).stdout


def test_a_damaged_store_and_a_store_of_another_program_say_nothing(hooks: Hooks) -> None:
    place = hooks.project / ".experience" / "project.db"
    for name in ("project.db-wal", "project.db-shm"):
        (place.parent / name).unlink(missing_ok=True)
    place.write_bytes(b"this is no database at all, however long one looks at it" * 100)

    assert silent(hooks.raw("UserPromptSubmit", ask(hooks)))


def test_where_no_memory_lives_nothing_is_said_and_nothing_is_made(hooks: Hooks, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    told = json.loads(ask(hooks)) | {"cwd": str(bare)}

    assert silent(hooks.raw("UserPromptSubmit", json.dumps(told).encode()))
    assert list(bare.iterdir()) == []
    assert silent(hooks.raw("UserPromptSubmit", json.dumps(told | {"cwd": str(tmp_path / "gone")}).encode()))


def test_a_home_that_cannot_be_written_to_disturbs_nobody(hooks: Hooks) -> None:
    home = "/proc/experience"  # not even root may write there

    assert silent(hooks.raw("UserPromptSubmit", b"{", EXPERIENCE_HOME=home))
    assert b"without a review" in hooks.raw("UserPromptSubmit", ask(hooks), EXPERIENCE_HOME=home).stdout


def test_a_host_that_stopped_listening_is_no_trouble(hooks: Hooks) -> None:
    inlet, outlet = os.pipe()
    os.close(inlet)
    env = {**os.environ, "EXPERIENCE_HOME": str(hooks.home)}
    hook = subprocess.Popen(
        hooks.command("UserPromptSubmit"), stdin=subprocess.PIPE, stdout=outlet, stderr=subprocess.PIPE, env=env
    )
    os.close(outlet)

    assert hook.communicate(ask(hooks), timeout=60)[1] == b""
    assert hook.returncode == 0


def test_a_host_that_never_ends_its_event_is_left_at_the_deadline(hooks: Hooks) -> None:
    env = {**os.environ, "EXPERIENCE_HOME": str(hooks.home)}
    hook = subprocess.Popen(
        hooks.command("UserPromptSubmit"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=env,
    )
    assert hook.stdin is not None
    hook.stdin.write(b'{"session_id":')
    hook.stdin.flush()

    assert hook.wait(timeout=60) == 0
    assert hook.stdout is not None
    assert hook.stdout.read() == b""
    hook.communicate()
    assert "the deadline passed" in trouble.lines(str(hooks.home))[-1]


def test_the_deadline_is_far_below_those_of_the_hosts() -> None:
    assert max(launch.deadline(event) for _, event in EVERY) <= 2.0
    assert launch.deadline("SessionEnd") < 1.0


def test_two_hooks_at_once_both_answer_and_both_are_heard(hooks: Hooks) -> None:
    env = {**os.environ, "EXPERIENCE_HOME": str(hooks.home)}
    pair = [
        subprocess.Popen(hooks.command("UserPromptSubmit"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        for _ in range(2)
    ]
    told = [hook.communicate(ask(hooks, f"may I push to main, {at}?"), timeout=60)[0] for at, hook in enumerate(pair)]

    assert all(b"without a review" in one for one in told)
    with experience.open(hooks.project) as memory:
        assert len(memory.episodic.search("push main")) == 2


def test_packages_of_the_repository_at_hand_are_never_loaded(hooks: Hooks) -> None:
    for name in ("jobs", "dashboard", "experience", "json"):
        (hooks.project / name).mkdir()
        (hooks.project / name / "__init__.py").write_text("raise SystemExit(7)")

    done = hooks.raw("UserPromptSubmit", ask(hooks), PYTHONPATH=str(hooks.project), PYTHONSTARTUP="x", PYTHONHOME="")
    assert (done.returncode, b"without a review" in done.stdout) == (0, True)


def test_packages_that_are_gone_leave_a_hook_that_ends_well(hooks: Hooks) -> None:
    hooks.file.write_text(hooks.file.read_text().replace("sys.path.extend", "(lambda paths: None)"))

    assert silent(hooks.raw("UserPromptSubmit", ask(hooks)))


def test_a_hook_loads_the_standard_library_and_our_own_modules_only(hooks: Hooks) -> None:
    """No click, no numpy, no flask: every prompt would pay for them. Stemmer is what the search cuts words with."""
    code = (
        "import sys; sys.path.extend(PATHS)\n"
        "from experience.hooks import answering\n"
        "told = answering.answer('claude-code', 'UserPromptSubmit', sys.stdin.buffer.read())\n"
        "names = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)\n"
        "print(len(told) > 0, *sorted(names))"
    ).replace("PATHS", repr([path for path in sys.path if path]))
    given = ask(hooks, "never use npm, password: hunter2secret99, no, use pnpm")

    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=given, capture_output=True, check=True)

    loaded, *names = done.stdout.decode().split()
    assert loaded == "True"
    names = [name for name in names if "cython" not in name and name != "__main__"]  # what Stemmer is built with
    assert set(names) <= {"experience", "regex", "Stemmer"}


def test_a_message_is_heard_without_a_word_and_without_the_network(hooks: Hooks, tmp_path: Path) -> None:
    """C167"""
    seen = tmp_path / "seen"
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH)
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "watch"), "SEEN": str(seen), "EXPERIENCE_HOME": str(hooks.home)}
    said = json.dumps(hooks.payload("Stop", "s", last_assistant_message="done", stop_hook_active=False)).encode()
    kept = ask(hooks, "I prefer tabs over spaces in Makefiles.")

    for event, given_bytes in (("Stop", said), ("UserPromptSubmit", kept)):
        done = subprocess.run(
            [SCRIPT, "hook", "claude-code", event], input=given_bytes, capture_output=True, env=env, check=True
        )
        assert done.stderr == b""
        assert b"systemMessage" not in done.stdout

    assert seen.read_text() == ""
    with experience.open(hooks.project, home=hooks.home) as memory:
        assert [one.type for one in memory.memories()] == ["preference", "policy"]


def test_a_fresh_conversation_is_told_what_always_holds(hooks: Hooks) -> None:
    """C155"""
    started, asked = hooks.start("fresh"), hooks.prompt("other", "paint the fence green")

    for told in (started, asked):
        assert told is not None
        assert "Never push to main without a review." in told["hookSpecificOutput"]["additionalContext"]


def test_the_start_says_in_a_line_how_the_memory_is(hooks: Hooks) -> None:
    def first() -> str:
        told = hooks.start("s")
        assert told is not None
        return str(told["hookSpecificOutput"]["additionalContext"].splitlines()[0])

    assert first() == "experience-memory of this project: memories 1, experiences 0; all is well."
    hooks.raw("UserPromptSubmit", b"{")
    assert "1 hooks failed since yesterday: `experience doctor` says why" in first()


def test_the_log_of_troubles_never_quotes_what_was_said_and_stays_small(tmp_path: Path) -> None:
    try:
        raise ValueError("hunter2 is my password")
    except ValueError as error:
        trouble.note(str(tmp_path), "claude-code", "Stop", error)
    for _ in range(2_000):
        trouble.note(str(tmp_path), "claude-code", "Stop\n", "the event is too large")

    lines = trouble.lines(str(tmp_path), 10_000)
    assert "ValueError\ttest_hooks.py:" in trouble.lines(str(tmp_path), 10_000)[0] or len(lines) > 100
    assert "hunter2" not in (tmp_path / trouble.FILE).read_text()
    assert (tmp_path / trouble.FILE).stat().st_size <= trouble.MOST + 1_000
    assert all(len(line.split("\t")) >= 4 for line in lines)


def test_a_session_that_ends_without_a_word_is_closed_by_the_next(hooks: Hooks) -> None:
    clock = experience.StillClock()
    with experience.open(hooks.project, home=hooks.home, clock=clock) as memory:
        left = memory.episodic.start("left")  # long before today
    hooks.start("next")

    with experience.open(hooks.project, home=hooks.home) as memory:
        assert memory.episodic.get(left.id).archived_at is not None
        assert memory.episodic.opened("next").host == "claude-code"


def test_the_command_line_answers_as_the_installed_file_does(hooks: Hooks) -> None:
    env = {**os.environ, "EXPERIENCE_HOME": str(hooks.home)}
    done = subprocess.run(
        [SCRIPT, "hook", "claude-code", "UserPromptSubmit"], input=ask(hooks), capture_output=True, env=env, check=True
    )

    assert b"without a review" in done.stdout


# The bundle of a hook's code.


def bundles(hooks: Hooks) -> list[Path]:
    return list((hooks.home / "cache").glob("hook-*"))


def test_the_first_prompt_bundles_the_code_and_the_next_ones_run_from_it(hooks: Hooks) -> None:
    first = hooks.raw("UserPromptSubmit", ask(hooks)).stdout
    (bundle,) = bundles(hooks)
    made = bundle.stat().st_mtime_ns
    second = hooks.raw("UserPromptSubmit", ask(hooks)).stdout

    assert b"without a review" in first
    assert second == first
    assert bundle.stat().st_mtime_ns == made


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\xe9\x00\x00\x00\x00", None])
def test_a_bundle_that_is_damaged_or_stale_is_left_aside_and_made_anew(hooks: Hooks, damage: bytes | None) -> None:
    hooks.raw("UserPromptSubmit", ask(hooks))
    (bundle,) = bundles(hooks)
    stamps, codes = marshal.loads(bundle.read_bytes())
    stale = marshal.dumps(([(path, size + 1, at) for path, size, at in stamps], dict.fromkeys(codes)))
    bundle.write_bytes(stale if damage is None else damage)

    assert b"without a review" in hooks.raw("UserPromptSubmit", ask(hooks)).stdout
    assert len(marshal.loads(bundle.read_bytes())[1]) > 50


def test_a_project_that_is_named_counts_whatever_the_event_says(hooks: Hooks, tmp_path: Path) -> None:
    told = json.loads(ask(hooks)) | {"cwd": str(tmp_path)}
    command = [SCRIPT, "hook", "claude-code", "UserPromptSubmit", "--project", str(hooks.project)]
    env = {**os.environ, "EXPERIENCE_HOME": str(hooks.home)}
    done = subprocess.run(command, input=json.dumps(told).encode(), capture_output=True, env=env, check=True)

    assert b"without a review" in done.stdout
