"""Every host's own events in, answers in its own shape out; what was corrected yesterday is injected today."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

import experience
from experience.hooks.hosts import NAMES, host
from experience.hooks.install import carrying, places
from tests.conftest import need
from tests.payloads import ANSWER, CORRECTION, DAYS, LATER, WORD, Hooks, schema, text_of

# Loads the plugin as OpenCode does, plays a day, and prints what each system prompt was given.
PLAY = """
const { ExperienceMemory } = await import(process.argv[1])
const said = (text) => ({ data: [{ info: { role: "assistant" }, parts: [{ type: "text", text }] }] })
const client = { session: { messages: async () => said("installed with pnpm") } }
const hooks = await ExperienceMemory({ client, directory: process.argv[2], worktree: "", project: {} })
const system = async (sessionID, text) => {
  await hooks["chat.message"]({ sessionID }, { message: {}, parts: [{ type: "text", text }] })
  const output = { system: ["You help."] }
  await hooks["experimental.chat.system.transform"]({ sessionID, model: {} }, output)
  return output.system
}
const told = [await system("one", process.argv[3])]
const step = { sessionID: "one", tool: "bash", callID: "1" }
await hooks["tool.execute.before"](step, { args: { command: "pnpm test" } })
const result = { title: "", output: "12 passed", metadata: { exit: 0 } }
await hooks["tool.execute.after"]({ ...step, args: { command: "pnpm test" } }, result)
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "one" } } })
await hooks["experimental.session.compacting"]({ sessionID: "one" }, { context: [] })
await hooks.event({ event: { type: "session.deleted", properties: { info: { id: "one" } } } })
await hooks.event({ event: { type: "session.created", properties: { info: { id: "two" } } } })
told.push(await system("two", process.argv[4]))
console.log(JSON.stringify(told))
"""


@pytest.fixture(params=NAMES)
def hooks(request: pytest.FixtureRequest, tmp_path: Path) -> Hooks:
    """The hooks of each host in a fresh project."""
    with experience.open(tmp_path / "project", home=tmp_path / "home"):
        pass
    return Hooks(request.param, tmp_path, tmp_path / "project", tmp_path / "home")


def a_day(hooks: Hooks, session: str) -> list[tuple[str, dict[str, object]]]:
    """A whole session as the host tells it; returns the answers."""
    answers = [("start", hooks.start(session))]
    answers += [(event, hooks.tell(event, session, **fields)) for event, fields in DAYS[hooks.name]]
    return [(event, told) for event, told in answers if told is not None]


def test_what_was_corrected_yesterday_is_injected_today(hooks: Hooks) -> None:
    """C155 C167: a day with its start, a correction, tools, a failure and an end; then the next day's prompt."""
    a_day(hooks, "yesterday")
    hooks.start("today")
    told = hooks.prompt("today", LATER)

    assert told is not None
    assert WORD in text_of(hooks.name, told)
    assert "<experience-memory" in text_of(hooks.name, told)


def test_every_answer_has_the_shape_its_host_wants(hooks: Hooks) -> None:
    with experience.open(hooks.project, home=hooks.home) as memory:
        memory.learn("Always review before a push.", type="policy")
        memory.learn("pitfall: pnpm test needs the database to run", type="pitfall")
        memory.learn("pitfall: npm install breaks the lockfile here", type="pitfall")
    answered = 0
    for event, told in a_day(hooks, "s"):
        event = {"start": schema_event(hooks.name)}.get(event, event)
        shape = schema(hooks.name, event)
        assert shape is not None, f"{hooks.name} takes no text on {event}"
        jsonschema.validate(told, shape)
        assert len(text_of(hooks.name, told)) < 8_000
        answered += 1

    assert answered >= 2


def schema_event(name: str) -> str:
    return {"cursor": "sessionStart", "opencode": "session.created"}.get(name, "SessionStart")


def test_no_host_is_answered_where_it_has_no_place_for_a_text() -> None:
    for name in NAMES:
        for event in host(name).EVENTS:
            assert (host(name).answer(event, "text") is None) == (schema(name, event) is None), (name, event)


def test_a_day_is_logged_in_order_and_what_was_proven_becomes_an_experience(hooks: Hooks) -> None:
    """C067 C069"""
    a_day(hooks, "s")
    hooks.start("next")

    with experience.open(hooks.project, home=hooks.home) as memory:
        run = next(one for one in memory.episodic.runs() if one.session == "s")
        turns = memory.episodic.turns(run.id)
        kinds = [turn.kind for turn in turns]
        first = [(turn.kind, turn.content) for turn in turns if turn.kind in ("user_message", "model_response")]
        assert kinds[0] == "user_message"
        assert kinds[1:5] == ["tool_call", "tool_result"] * 2
        assert first == [("user_message", CORRECTION), ("model_response", ANSWER)]
        assert [turn.ok for turn in turns if turn.kind == "tool_result"][:2] == [True, False]
        if hooks.name != "vscode":  # it has no event for the end of a session
            learned = memory.get(str(run.experience))
            assert (run.archived_at is not None, learned.intent, learned.success_score) == (True, CORRECTION, 1.0)


def test_a_citation_in_the_last_message_counts_as_use(hooks: Hooks) -> None:
    with experience.open(hooks.project, home=hooks.home) as memory:
        id = memory.learn("Always review before a push.", type="policy").id
    hooks.start("s")
    event, fields = next(
        (event, fields) for event, fields in DAYS[hooks.name] if {"text", "last_assistant_message"} & {*fields}
        and event not in ("chat.message",)
    )  # fmt: skip
    field = "text" if "text" in fields else "last_assistant_message"

    for _ in range(2):
        assert hooks.tell(event, "s", **{**fields, field: f"I asked for a review [m:{id}]."}) is None

    with experience.open(hooks.project, home=hooks.home) as memory:
        assert memory.get(id).reinforcement_count == 3


def test_pitfalls_are_told_before_the_step_and_not_again_at_once(tmp_path: Path) -> None:
    with experience.open(tmp_path / "project", home=tmp_path / "home") as memory:
        memory.learn("keep the old fields in this file", type="pitfall", scope="src/api/**")
    hooks = Hooks("claude-code", tmp_path, tmp_path / "project", tmp_path / "home")
    edit = {
        "tool_name": "Edit", "tool_use_id": "1",
        "tool_input": {"file_path": str(tmp_path / "project" / "src" / "api" / "app.py"), "old_string": "a"},
    }  # fmt: skip

    first, second = (hooks.tell("PreToolUse", "s", **edit) for _ in range(2))

    assert first is not None
    assert "keep the old fields" in text_of("claude-code", first)
    assert second is None


def test_proof_of_tests_is_credited_to_what_was_injected(tmp_path: Path) -> None:
    with experience.open(tmp_path / "project", home=tmp_path / "home") as memory:
        id = memory.record("install the packages of the frontend", "pnpm install").id
    hooks = Hooks("codex", tmp_path, tmp_path / "project", tmp_path / "home")
    told = hooks.prompt("s", LATER)
    for event, fields in DAYS["codex"]:
        if event == "PostToolUse":
            hooks.tell(event, "s", **fields)

    assert told is not None
    assert f"[e:{id}]" in text_of("codex", told)
    with experience.open(tmp_path / "project", home=tmp_path / "home") as memory:
        assert memory.get(id).verified_count == 1


def test_the_plugin_of_opencode_injects_what_the_hook_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin runs in Node as OpenCode runs it in its own runtime."""
    need("node, to run OpenCode's plugin", shutil.which("node") is not None)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    with experience.open(project):
        pass
    carrying.carry_out(carrying.connecting(places.edits("opencode", places.place(str(project), user=False))))
    plugin = project / ".opencode" / "plugins" / "experience.js"
    module = plugin.rename(plugin.with_suffix(".mjs"))

    done = subprocess.run(
        ["node", "--input-type=module", "-e", PLAY, str(module), str(project), CORRECTION, LATER],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip

    first, second = json.loads(done.stdout)
    assert first[0] == second[0] == "You help."
    assert "all is well" in first[1]
    assert WORD in "".join(second[1:])
    with experience.open(project) as memory:
        run = next(one for one in memory.episodic.runs() if one.session == "one")
        assert [turn.kind for turn in memory.episodic.turns(run.id)] == [
            "user_message", "tool_call", "tool_result", "model_response",
        ]  # fmt: skip
        assert run.experience is not None
