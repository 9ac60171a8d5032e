"""What a command says about the work: whether it ran tests or a build, and whether they went well. Pure.

The words of the test runner count before the exit code: behind a pipe, or before a `;`, the code is another command's.
"""

from __future__ import annotations

import re

LOOKED_AT = 20_000  # characters at the end of an output: runners end with their summary
COMMAND = 4_000  # characters of a command line

_PREFIX = (  # what may stand before the command itself
    r"(?:(?:sudo|time|nice|exec|command|env|xvfb-run|npx|bunx|pnpx|(?:poetry|uv|pdm|hatch|pipenv|rye|conda) run"
    r"|(?:pnpm|yarn|bun)(?: exec| dlx| x)?|bundle exec|(?:\S*/)?python[\d.]*(?: -[A-Za-z])*? -m|coverage run -m"
    r"|timeout(?: -\S+)* \S+|\w+=\S*)\s+)*(?:\S*/)?"
)
_SCRIPT = r"(?:npm|pnpm|yarn|bun|deno|just|task|rake|composer|make|nox|mix|lerna|turbo|nx)"
_TESTS = (
    r"(?:pytest|py\.test|unittest|tox|jest|vitest|mocha|ava|rspec|phpunit|ctest|pest|cypress run|playwright test)\b"
    rf"|{_SCRIPT}(?: run| task| -\S+)* (?:test|check|spec|tests|e2e)\b"
    r"|npm t\b|cargo (?:\+\S+ )?(?:test|nextest)\b|go test\b"
    r"|(?:swift|dotnet|bazel|zig build|sbt|flutter|dart|lein) test\b"
    r"|mvnw?(?: \S+)* (?:test|verify)\b|gradlew?(?: \S+)* (?:test|check)\b"
)
_BUILD = (
    rf"{_SCRIPT}(?: run| -\S+)* (?:build|compile|all|dist|bundle)\b|make(?: -\S+)*$"
    r"|cargo (?:\+\S+ )?(?:build|check|clippy)\b"
    r"|go (?:build|vet)\b|tsc\b|cmake --build\b|ninja\b"
    r"|(?:swift|dotnet|bazel|vite|next|docker|docker compose|zig) build\b"
    r"|build(?=\s*$)|webpack\b|rollup\b|esbuild\b"
    r"|mvnw?(?: \S+)* (?:compile|package|install)\b|gradlew?(?: \S+)* (?:build|assemble)\b"
)
_CHANNELS = (("tests", rf"{_PREFIX}(?:{_TESTS})"), ("build", rf"{_PREFIX}(?:{_BUILD})"))

_FAILED = (
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b(?!, 0 warnings? \(0)"
    r"|^FAILED\b|^FAIL\b|^--- FAIL:|test result: FAILED|could not compile|\*\*\* \[|BUILD FAIL(?:ED|URE)"
    r"|^Failed!|error TS\d+|^npm ERR!|^error\[E\d+\]|errors during collection|compilation (?:failed|terminated)"
)
_PASSED = (
    r"\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^OK\b|test result: ok|^ok\s+\S+|BUILD SUCCESS(?:FUL)?|^Passed!"
    r"|100% tests passed|\b[1-9]\d* examples?, 0 failures"
)
_CODE = r"""(?:exit(?:ed with)?(?: |_)?(?:code|status)?|return_?code)["']?\s*[:=]?\s*(\d{1,3})\b"""


def channel(command: str) -> str | None:
    """Which kind of outcome a command line yields: `tests`, `build`, or none."""
    return next((name for name, _, _ in _found(command)), None)


def verdict(command: str, output: str, code: int | None = None) -> bool | None:
    """Whether the tests or the build of a command line went well; None where nothing tells."""
    found = _found(command)
    if not found:
        return None
    name, first, last = found[0]
    said = _said(output[-LOOKED_AT:], name)
    if said is False or code is None:
        return said
    if last or (code == 0 and first):
        return code == 0  # the code is its own, or of a chain that only goes on after success
    return said


def exit_code(output: str) -> int | None:
    """The exit code that an output tells of itself, if it does."""
    found = re.search(_CODE, output[:500], re.IGNORECASE)
    return int(found[1]) if found else None


def _said(output: str, channel: str) -> bool | None:
    """What the words of an output say."""
    if re.search(_FAILED, output, re.MULTILINE):
        return False
    return True if channel and re.search(_PASSED, output, re.MULTILINE) else None


def _found(command: str) -> list[tuple[str, bool, bool]]:
    """The parts of a command line that test or build: the channel, whether its success is needed to go on, and whether
    the line's exit code is its own."""
    parts = re.split(r"(&&|\|\||[;\n|])", command[:COMMAND].strip())
    commands, joints = parts[0::2], [*parts[1::2], ""]
    found = []
    for at, (part, _) in enumerate(zip(commands, joints, strict=True)):
        after = {joint for joint in joints[at:] if joint}
        for name, pattern in _CHANNELS:
            if re.match(pattern, part.strip()):
                found.append((name, after <= {"&&"}, not after))
                break
    return found
