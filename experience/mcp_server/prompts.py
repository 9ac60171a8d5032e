"""What a user may ask for by name: putting what is known into the conversation, and saving what was said in it."""

from __future__ import annotations

from experience.errors import InvalidInput
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from experience.memory import Memory


class Prompt(Value):
    """One prompt: its only argument, whether it is needed, and the message it becomes."""

    name: str
    title: str
    description: str
    argument: str
    help: str
    needed: bool
    words: Callable[[Memory, str], str]


def _recall(memory: Memory, about: str) -> str:
    block = memory.context(about)
    if not block.text:
        return f"Nothing is known about this yet: {about}"
    return f"This is what is known about: {about}\n\n{block.text}"


def _save(_: Memory, what: str) -> str:
    said = f"this:\n\n{what}" if what else "what is worth keeping of this conversation."
    return (
        f"Save {said}\n\nUse memory_learn for facts, decisions, preferences and rules, one statement a call, each in "
        "words that make sense without this conversation; record_experience for a task that was done and how well it "
        "went; memory_procedure for a workflow. Leave out secrets and what only matters today. Then say in one line "
        "what you saved."
    )


PROMPTS = (
    Prompt(name="recall", title="Recall", description="Put what is known about something into the conversation.",
           argument="about", help="What it is about.", needed=True, words=_recall),
    Prompt(name="save", title="Save", description="Save what is worth keeping.", argument="what",
           help="What to save; by default whatever this conversation taught.", needed=False, words=_save),
)  # fmt: skip


def words(memory: Memory, name: str, given: dict[str, str]) -> str:
    """The message that a prompt becomes."""
    prompt = next((one for one in PROMPTS if one.name == name), None)
    if prompt is None:
        raise InvalidInput(f"the prompt {name!r} is unknown; known are {', '.join(one.name for one in PROMPTS)}")
    said = given.get(prompt.argument, "").strip()
    if prompt.needed and not said:
        raise InvalidInput(f"{name} needs {prompt.argument}: {prompt.help}")
    return prompt.words(memory, said)
