"""How many tokens a text takes: characters / 4 rounded up, the same on every machine and for every model."""

from __future__ import annotations

from experience import checks
from experience.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CHARACTERS = 4  # per token
COUNTERS = ("characters", "o200k")


def count(text: str, *, counter: str = "characters") -> int:
    """The tokens of *text* by the stated rule, or as OpenAI's o200k counts them when asked for."""
    if not isinstance(text, str):
        raise InvalidInput(f"text must be text, not {type(text).__name__}")
    if checks.one_of("counter", counter, COUNTERS) == "o200k":
        return _o200k()(checks.encodable("text", text))
    return of_characters(len(text))


def of_characters(number: int) -> int:
    """The tokens of that many characters."""
    return -(-number // CHARACTERS)


def _o200k() -> Callable[[str], int]:
    from importlib import import_module  # rs_bpe is optional and holds 25 MB: nobody pays who does not ask for it

    try:
        tokenizer = import_module("rs_bpe.bpe").openai.o200k_base()  # the package caches it
    except (ImportError, AttributeError) as error:
        raise InvalidInput(
            "counter 'o200k' needs the package rs-bpe; run: pip install rs-bpe, or leave out counter"
        ) from error
    counted: Callable[[str], int] = tokenizer.count
    return counted
