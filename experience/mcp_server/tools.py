"""The tools, in the order in which they are listed: what each is for, what it takes, what it answers, what it does."""

from __future__ import annotations

from experience.desks.core_memory import ACTIONS, TYPES
from experience.mcp_server.trust import AGENT, vouched
from experience.values import Value
from experience.verbs import arguments
from experience.verbs.arguments import ID, LIMIT, MEMORY_TYPE, PRIORITY, QUERY, REACH, SCOPE, TAGS, takes, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from experience.memory import Memory
    from experience.models import MemoryItem

    Schema: TypeAlias = dict[str, Any]
    Given: TypeAlias = dict[str, Any]

SHOWN = 50  # changes of a dry run


class Tool(Value):
    """One tool, and the hints by which a host decides whether to ask the user first."""

    name: str
    title: str
    description: str
    takes: Schema
    answers: Schema
    work: Callable[[Memory, Given], Given]
    reads: bool = False  # it changes nothing but what was wanted when
    destroys: bool = False
    repeats: bool = False  # a second call with the same arguments changes nothing more


def _answer(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": [*properties]}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer"}
_COUNTS: Schema = {"type": "object", "additionalProperties": {"type": "integer"}}
_TEXTS = _list(_TEXT)
_MEMORY = _answer(id=_TEXT, type=_TEXT, priority=_TEXT, content=_TEXT, scope={"type": ["string", "null"]}, tags=_TEXTS,
                  state=_TEXT)  # fmt: skip
_EXPERIENCE = _answer(id=_TEXT, type=_TEXT, intent=_TEXT, solution={}, success_score=_NUMBER, tags=_TEXTS)


def _learn(memory: Memory, given: Given) -> Given:
    return _memory(memory.learn(**given, source=AGENT))


def _recall(memory: Memory, given: Given) -> Given:
    found = memory.recall(**given)
    return {"memories": [{"score": round(hit.score, 4), **_memory(hit.memory)} for hit in found]}


def _episode(memory: Memory, given: Given) -> Given:
    made = memory.episode(**given, source=AGENT)
    return {"id": made.id, "event": made.event, "outcome": made.outcome, "tags": made.tags}


def _procedure(memory: Memory, given: Given) -> Given:
    made = memory.procedure(**given, source=AGENT)
    return {"id": made.id, "name": made.name, "steps": made.steps, "yours": made.source == AGENT}


def _stats(memory: Memory, _: Given) -> Given:
    found = memory.stats()
    counts = ("experiences", "episodes", "procedures", "injections", "outcomes")
    return {
        "project": found["project"], "memories": found["memories"], "user_memories": found["user_memories"],
        "experiences_by_type": found["by_type"], **{name: found[name] for name in counts},
    }  # fmt: skip


def _consolidate(memory: Memory, given: Given) -> Given:
    report = memory.consolidate(**given)
    steps = [{"step": one.step, "state": one.state, "actions": dict(one.actions)} for one in report.steps]
    plan = [{"action": one.action, "kind": one.kind, "id": one.subject} for one in report.changes[:SHOWN]]
    return {"run": report.run, "state": report.state, "dry_run": report.dry_run, "changed": report.changed,
            "steps": steps, "plan": plan}  # fmt: skip


def _core(memory: Memory, given: Given) -> Given:
    told = {} if given["action"] in ("search", "delete") else {"source": AGENT}
    return {"entries": memory.manage_core_memory(**given, **told)}


def _find(memory: Memory, given: Given) -> Given:
    limit = given.pop("limit")
    found = [hit for hit in memory.find(**given, limit=min(1000, 4 * limit)) if vouched(hit.experience)]
    return {"experiences": [{"score": round(hit.score, 4), **_experience(hit.experience)} for hit in found[:limit]]}


def _record(memory: Memory, given: Given) -> Given:
    return _experience(memory.record(**given, source=AGENT))


def _feedback(memory: Memory, given: Given) -> Given:
    after = memory.outcome(**given, channel=AGENT)
    return {"id": after.id, "kind": type(after).__name__.lower(), "counts_as": "a self-report"}


def _memory(one: MemoryItem) -> Given:
    state = "quarantined" if one.quarantined_at else "archived" if one.archived_at else "current"
    return {"id": one.id, "type": one.type, "priority": one.priority, "content": one.content, "scope": one.scope,
            "tags": one.tags, "state": state}  # fmt: skip


def _experience(one: Any) -> Given:
    return {name: getattr(one, name) for name in ("id", "type", "intent", "solution", "success_score", "tags")}


_CORE = takes(
    "action",
    action=arguments.choice(ACTIONS, "What to do. add needs content, category, title and scope; update and delete need "
                            "an id; search takes query, category and scope, all optional."),
    id=ID, content=text("One statement, in words that make sense without this conversation."),
    category=arguments.choice(tuple(TYPES), "Facts and decisions; what always or never to do; lessons learned."),
    title=text("A few words to find it by.", 200), scope=REACH,
    keywords=text("Words separated by |; by default they are taken from title and content.", 2000),
    query=QUERY, limit=arguments.count("How many entries at most.", 1000),
)  # fmt: skip
_ENTRY = _answer(id=_TEXT, category=_TEXT, content=_TEXT, title=_TEXT, keywords=_TEXT, scope=_TEXT, timestamp=_COUNT)

TOOLS = (
    Tool(
        name="memory_learn", title="Learn a fact or a rule", repeats=True, work=_learn, answers=_MEMORY,
        description="Store one statement that will matter in later conversations: a fact, a decision, a preference, "
        "a rule, a pitfall. Said before, it is reinforced; a new value of a known fact replaces the old one. Save on "
        "your own initiative when the user tells personal details, shows a preference, settles a convention, shows a "
        "command that works, or says \"remember this\". Never store secrets.",
        takes=takes("content", content=text("One statement, in words that make sense without this conversation."),
                    type={**MEMORY_TYPE, "default": "fact"}, scope=SCOPE, priority=PRIORITY, tags=TAGS,
                    reach={**REACH, "default": "project"}),
    ),
    Tool(
        name="memory_recall", title="Recall what was learned", reads=True, work=_recall,
        description="Look up what was learned in earlier conversations, best match first: facts, decisions, "
        "preferences, rules, pitfalls. Ask here before asking the user something they may have told already.",
        takes=takes("query", query=QUERY, type=MEMORY_TYPE, limit=LIMIT,
                    scope=text("user, project, a glob, or the path of a file: only what speaks of it.", 1000),
                    max_tokens=arguments.count("Only as many as fit into so many tokens.", 1_000_000)),
        answers=_answer(memories=_list(_MEMORY)),
    ),
    Tool(
        name="memory_episode", title="Note what happened", work=_episode,
        description="Note an event with its outcome and tags: a deploy that failed, a bug that was found. Episodes "
        "that recur become a lesson by themselves.",
        takes=takes("event", event=text("What happened, in one or two sentences."),
                    outcome=text("How it ended, in a word such as failed or fixed.", 200), tags=TAGS,
                    session=arguments.SESSION),
        answers=_answer(id=_TEXT, event=_TEXT, outcome={"type": ["string", "null"]}, tags=_TEXTS),
    ),
    Tool(
        name="memory_procedure", title="Keep a workflow", destroys=True, repeats=True, work=_procedure,
        description="Keep a workflow that works under a name, its steps in order. The same name gets the new steps, "
        "unless a more trusted source wrote the present ones.",
        takes=takes("name", "steps", name=text("What the workflow is called.", 200),
                    steps=arguments.several(text("One step.", 1000), "The steps in order.", 100, minItems=1),
                    context=text("What it is for, in other words.")),
        answers=_answer(id=_TEXT, name=_TEXT, steps=_TEXTS, yours={"type": "boolean"}),
    ),
    Tool(
        name="memory_stats", title="Count what is stored", reads=True, work=_stats, takes=takes(),
        description="How much is stored: memories by type and the tokens they take, experiences, episodes, procedures.",
        answers=_answer(project=_TEXT, memories={"type": "object"}, user_memories={"type": ["object", "null"]},
                        experiences_by_type=_COUNTS, experiences=_COUNT, episodes=_COUNT, procedures=_COUNT,
                        injections=_COUNT, outcomes=_COUNT),
    ),
    Tool(
        name="memory_consolidate", title="Tidy the memory up", destroys=True, repeats=True, work=_consolidate,
        description="Tidy up now what the night would tidy up: fold duplicates, archive what is stale, turn recurring "
        "episodes into lessons. With dry_run only the plan is shown. `experience undo RUN` takes a run back.",
        takes=takes(dry_run=arguments.flag("Only show what would be done.")),
        answers=_answer(run=_TEXT, state=_TEXT, dry_run={"type": "boolean"}, changed=_COUNT,
                        steps=_list(_answer(step=_TEXT, state=_TEXT, actions=_COUNTS)),
                        plan=_list(_answer(action=_TEXT, kind=_TEXT, id=_TEXT))),
    ),
    Tool(
        name="manage_core_memory", title="Manage the core memory", destroys=True, work=_core, takes=_CORE,
        description="Add, update, delete or search the entries that are in your prompt from the first message on. "
        "search without a query returns all of them.",
        answers=_answer(entries=_list(_ENTRY)),
    ),
    Tool(
        name="find_experiences", title="Find similar tasks", reads=True, work=_find,
        description="Look up how similar tasks were done before, and how well that went. Ask here before starting a "
        "task.",
        takes=takes("query", query=QUERY, limit={**LIMIT, "default": 5},
                    tags={**TAGS, "description": "Experiences with one of these tags come first."}),
        answers=_answer(experiences=_list(_EXPERIENCE)),
    ),
    Tool(
        name="record_experience", title="Record how a task was done", work=_record, answers=_EXPERIENCE,
        description="Record what was tried for a task and how well it went, once it is done; failures are worth "
        "recording, too.",
        takes=takes("intent", "solution", intent=text("The task, as somebody would ask for it."),
                    solution=arguments.anything("What was done: text, or any JSON."),
                    type={**arguments.EXPERIENCE_TYPE, "default": "task_solution"},
                    success_score=arguments.share("From 0 (failed) to 1 (worked).", default=1.0), tags=TAGS),
    ),
    Tool(
        name="memory_feedback", title="Say whether it helped", work=_feedback,
        description="Say how it went with something this memory gave you: an experience, a procedure, a memory, or a "
        "whole block (inj_…). It counts as a self-report; tests and the user weigh more.",
        takes=takes("id", "score", id=ID, score=arguments.share("From 0 (misled) to 1 (worked)."),
                    evidence=arguments.anything("What shows it: text, or any JSON.")),
        answers=_answer(id=_TEXT, kind=_TEXT, counts_as=_TEXT),
    ),
)  # fmt: skip
BY_NAME = {tool.name: tool for tool in TOOLS}


def call(memory: Memory, name: str, given: object) -> Given:
    """Do what a tool is asked for."""
    tool = BY_NAME[name]
    asked = {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given
    return tool.work(memory, arguments.fitting(tool.takes, asked, name))
