"""How many tokens a model can read at once, by the beginning of its name."""

from __future__ import annotations

from experience import checks
from experience.errors import InvalidInput

UNKNOWN = 128_000
LARGEST = 1_000_000_000

# As published. Where the versions or the hosts of a family differ, the smaller window stands here: compacting early
# costs little, an overflow costs the request. The longest matching beginning wins; `window=` overrides all.
WINDOWS = {
    "claude": 200_000, "claude-2": 100_000, "claude-2.1": 200_000, "claude-instant": 100_000,
    "claude-v2": 100_000, "claude-v2:1": 200_000,
    "chatgpt-4o": 128_000, "codex-mini": 200_000, "gpt-3.5": 16_385, "gpt-35": 16_385, "gpt-4": 8_192,
    "gpt-4-0125": 128_000, "gpt-4-1106": 128_000, "gpt-4-32k": 32_768, "gpt-4-turbo": 128_000, "gpt-4.1": 1_047_576,
    "gpt-4.5": 128_000, "gpt-4o": 128_000, "gpt-5": 400_000, "gpt-5-chat": 128_000, "gpt-oss": 131_072,
    "o1": 200_000, "o1-mini": 128_000, "o1-preview": 128_000, "o3": 200_000, "o4": 200_000,
    "gemini": 1_048_576, "gemini-1.0": 32_760, "gemini-1.5-pro": 2_097_152, "gemma": 8_192, "gemma-3": 131_072,
    "gemma3": 131_072,
    "llama": 131_072, "llama-2": 4_096, "llama2": 4_096, "llama-3": 8_192, "llama3": 8_192,
    "llama-3.": 131_072, "llama3.": 131_072, "llama-3-1": 131_072, "llama3-1": 131_072, "llama3-2": 131_072,
    "llama3-3": 131_072,
    "codestral": 32_768, "devstral": 131_072, "mistral": 32_768, "mistral-large": 131_072, "mixtral": 32_768,
    "command-a": 256_000, "command-r": 128_000, "deepseek": 65_536, "glm": 128_000, "grok": 131_072,
    "grok-4": 256_000, "kimi": 131_072, "nova": 128_000, "qwen": 32_768, "qwen3-coder": 262_144,
}  # fmt: skip


def window_of(model: str | None, window: int | None = None) -> int:
    """The window asked for, else the one of the model's family, else 128k tokens."""
    if model is not None and not isinstance(model, str):
        raise InvalidInput(f"model must be a model's name, not {type(model).__name__}")
    if window is not None:
        return checks.count("window", window, most=LARGEST)
    name = (model or "").strip().lower()
    if name.endswith("[1m]"):  # how Claude Code writes its models with the long window
        return 1_000_000
    return max(((len(start), size) for start, size in WINDOWS.items() if _begins(name, start)), default=(0, UNKNOWN))[1]


def _begins(name: str, start: str) -> bool:
    """Whether a model's own name begins so, after its vendor: `openai/gpt-4o`, `us.anthropic.claude-sonnet-4`."""
    own = name.rsplit("/", 1)[-1].removeprefix("ft:")
    return own.startswith((start, f"meta-{start}")) or f".{start}" in own
