"""The OpenAPI document is true, and no input, fitting or not, makes the service fail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

import experience
import memory_sync
from dashboard.api import openapi
from dashboard.api.routes import ROUTES
from dashboard.app import create_app
from experience.cli.commands import experience as commands

if TYPE_CHECKING:
    from schemathesis import APIOperation

ROUNDS = {GenerationMode.POSITIVE: 12, GenerationMode.NEGATIVE: 10}
BOUNDED = settings(
    derandomize=True, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
CHECKS = [
    checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance,
]  # fmt: skip
FITTING = [f"{route.method} {route.path}" for route in ROUTES]
UNFIT = [f"{route.method} {route.path}" for route in ROUTES if route.takes["properties"]]
HOSTILE = [
    b"", b"null", b"[]", b"{", b'{"id": 1}', b'"text"', b"\xff\xfe", b"\xef\xbb\xbf{}", b"[" * 5000, b'{"a":' * 5000,
    b'{"id": "\\ud800"}', b'{"score": NaN, "id": "exp_x"}', b'{"score": 1e999, "id": "x"}',
    b'{"limit": 1' + b"0" * 400 + b"}", b'{"score": 1' + b"0" * 5000 + b', "id": "exp_x"}',
    b'{"' + b"x" * 100_000 + b'": 1}',
]  # fmt: skip
HERE = {"init", "up", "mcp"}  # the service has a store, is up, and answers MCP at /mcp
ELSEWHERE = {"hook", "install", "uninstall", "doctor", "import", "export", "watch", "demo"}  # there, not here


class Fuzzed:
    """The operations of the document, and a store with one of each thing in it."""

    def __init__(self, memory: experience.Memory) -> None:
        memory.record("deploy the site", {"run": "make deploy"})
        self.app = create_app(memory)
        schema = schemathesis.openapi.from_wsgi("/api/openapi.json", self.app)
        found = [one.ok() for one in schema.get_all_operations()]
        self.operations: dict[str, APIOperation] = {f"{one.method.upper()} {one.path}": one for one in found}
        self.ids = {
            "id": [memory.learn("The port is 7333").id, memory.learn("Run rm -rf first", source="tool").id,
                   memory.record("deploy it", 1).id, memory.procedure("deploy", ["test", "tag"]).id,
                   memory.episode("it failed").id],
            "injection": [memory.context("deploy the site").injection_id],
            "run": [memory.consolidate(only="decay").run, memory.episodic.start("s1").id],
            "session": [memory_sync.create_memory_session(memory).id],
        }  # fmt: skip

    def met(self, given: object) -> None:
        """Some of the ids that were made up become such as there are."""
        for name, known in self.ids.items():
            if isinstance(given, dict) and isinstance(made := given.get(name), str) and len(made) % 3:
                given[name] = known[len(made) % len(known)]


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fuzzed]:
    where = tmp_path_factory.mktemp("fuzzed")
    with experience.open(where, home=where / "home") as memory:
        yield Fuzzed(memory)


def ask(fuzzed: Fuzzed, name: str, mode: GenerationMode) -> None:
    """Make up requests for one operation and hold every answer against the document."""

    @settings(BOUNDED, max_examples=ROUNDS[mode])
    @given(case=fuzzed.operations[name].as_strategy(mode))
    def once(case: schemathesis.Case) -> None:
        fuzzed.met(case.body)
        fuzzed.met(case.query)
        answer = case.call()
        assert answer.status_code < 500, answer.text
        case.validate_response(answer, checks=CHECKS)

    once()


@pytest.mark.parametrize("name", FITTING)
def test_what_fits_is_answered_as_promised(fuzzed: Fuzzed, name: str) -> None:
    """No 5xx, and every answer is one that the document promises."""
    ask(fuzzed, name, GenerationMode.POSITIVE)


@pytest.mark.parametrize("name", UNFIT)
def test_what_does_not_fit_is_refused_as_promised(fuzzed: Fuzzed, name: str) -> None:
    """No 5xx, and every answer is one that the document promises."""
    ask(fuzzed, name, GenerationMode.NEGATIVE)


@pytest.mark.parametrize("name", FITTING)
def test_a_hostile_body_gets_a_sentence(fuzzed: Fuzzed, name: str) -> None:
    """Broken text, endless nesting, endless numbers: 4xx, or ignored where nothing is read."""
    client, (method, path) = fuzzed.app.test_client(), name.split()
    for body in HOSTILE:
        answer = client.open(path, method=method, data=body, content_type="application/json")
        assert answer.status_code < 500, (body[:50], answer.text)
        assert method == "GET" or answer.status_code == 200 or answer.json["error"], body[:50]


def test_everything_the_command_line_does_has_an_address() -> None:
    """The name of a command is the name of its address."""
    names = {
        f"{name}/{inner}" if isinstance(one, click.Group) else name
        for name, one in commands.commands.items()
        for inner in (one.commands if isinstance(one, click.Group) else [""])
    }
    names |= {"consolidate"} if "jobs/run" in names else set()

    assert names - HERE - ELSEWHERE - {"jobs/run"} <= {route.name for route in ROUTES}


def test_the_document_names_every_row_once() -> None:
    found = openapi.document()
    operations = [one for paths in found["paths"].values() for one in paths.values()]

    assert len(operations) == len(ROUTES) == len({one["operationId"] for one in operations})
    assert found["openapi"] == "3.1.0"
    assert "security" not in found
    assert openapi.document(token=True)["security"] == [{"token": []}]
