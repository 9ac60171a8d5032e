"""The server: each request is done by the synchronous core in a worker thread, and answered in every revision."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server import CacheHint, Server
from mcp.shared.exceptions import MCPError

from experience.desks.core_memory import INSTRUCTIONS
from experience.errors import ExperienceError
from experience.mcp_server import notes, prompts
from experience.mcp_server.tools import BY_NAME, TOOLS, call
from experience.verbs.answers import as_json
from experience.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from mcp.server import ServerRequestContext
    from mcp.server.caching import CacheableMethod

    from experience.mcp_server.tools import Tool
    from experience.memory import Memory

    Asked: TypeAlias = ServerRequestContext[Any]
    Page: TypeAlias = types.PaginatedRequestParams | None

WORKERS = 4  # each holds one connection to the store
MINUTE = 60_000
BEFORE = "Look for similar tasks with find_experiences before you start one, and record how it went when it is done."
FRESH: dict[CacheableMethod, CacheHint] = {  # what is listed changes with the version; what is read changes any time
    "tools/list": CacheHint(ttl_ms=60 * MINUTE), "prompts/list": CacheHint(ttl_ms=60 * MINUTE),
    "resources/templates/list": CacheHint(ttl_ms=60 * MINUTE), "server/discover": CacheHint(ttl_ms=60 * MINUTE),
    "resources/list": CacheHint(ttl_ms=MINUTE), "resources/read": CacheHint(ttl_ms=0),
}  # fmt: skip


def crew() -> ThreadPoolExecutor:
    """The threads that do the work; always the same ones, for each keeps a connection of its own."""
    return ThreadPoolExecutor(WORKERS, thread_name_prefix="experience-mcp")


def server(memory: Memory, workers: ThreadPoolExecutor) -> Server[Any]:
    """The server of one hall."""
    desk = _Desk(memory, workers)
    return Server(
        "experience", version=__version__, title="experience", instructions=f"{INSTRUCTIONS}\n{BEFORE}",
        cache_hints=FRESH, get_tool_input_schema=lambda name: BY_NAME[name].takes if name in BY_NAME else None,
        on_list_tools=desk.list_tools, on_call_tool=desk.call_tool, on_list_resources=desk.list_resources,
        on_list_resource_templates=desk.list_templates, on_read_resource=desk.read_resource,
        on_list_prompts=desk.list_prompts, on_get_prompt=desk.get_prompt,
    )  # fmt: skip


class _Desk:
    """Answers each kind of request."""

    def __init__(self, memory: Memory, workers: ThreadPoolExecutor) -> None:
        self._memory, self._workers = memory, workers

    async def list_tools(self, _: Asked, __: Page) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(one) for one in TOOLS])

    async def call_tool(self, _: Asked, asked: types.CallToolRequestParams) -> types.CallToolResult:
        if asked.name not in BY_NAME:
            raise _unfit(f"the tool {asked.name!r} is unknown; known are {', '.join(BY_NAME)}")
        try:
            text = await self._done(lambda: as_json(call(self._memory, asked.name, asked.arguments or {})))
        except ExperienceError as error:  # a sentence the model can act on
            return types.CallToolResult(content=[types.TextContent(type="text", text=str(error))], is_error=True)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=json.loads(text)
        )

    async def list_resources(self, _: Asked, __: Page) -> types.ListResourcesResult:
        found = await self._done(lambda: notes.listed(self._memory))
        return types.ListResourcesResult(resources=[_resource(one) for one in found])

    async def list_templates(self, _: Asked, __: Page) -> types.ListResourceTemplatesResult:
        note = types.ResourceTemplate(
            name="note", title="A note", uri_template=f"{notes.NOTES}{{+name}}", mime_type="text/markdown",
            description="A note of the project by its name.",
        )  # fmt: skip
        return types.ListResourceTemplatesResult(resource_templates=[note])

    async def read_resource(self, _: Asked, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        text, kind = await self._answered(lambda: notes.read(self._memory, str(asked.uri)))
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=asked.uri, text=text, mime_type=kind)])

    async def list_prompts(self, _: Asked, __: Page) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_prompt(one) for one in prompts.PROMPTS])

    async def get_prompt(self, _: Asked, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        words = await self._answered(lambda: prompts.words(self._memory, asked.name, asked.arguments or {}))
        said = types.TextContent(type="text", text=words)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=said)])

    async def _answered(self, work: Callable[[], Any]) -> Any:
        """Work whose failure is an error of the protocol, as resources and prompts have it."""
        try:
            return await self._done(work)
        except ExperienceError as error:
            raise _unfit(str(error)) from error

    async def _done(self, work: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


def _unfit(sentence: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=sentence)


def _tool(one: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=one.title, read_only_hint=one.reads, destructive_hint=one.destroys,
        idempotent_hint=one.reads or one.repeats, open_world_hint=False,
    )  # fmt: skip
    return types.Tool(
        name=one.name, title=one.title, description=one.description, input_schema=one.takes, output_schema=one.answers,
        annotations=hints,
    )  # fmt: skip


def _resource(one: notes.Readable) -> types.Resource:
    return types.Resource(**one.as_dict(), annotations=types.Annotations(audience=["assistant"], priority=0.5))


def _prompt(one: prompts.Prompt) -> types.Prompt:
    argument = types.PromptArgument(name=one.argument, description=one.help, required=one.needed)
    return types.Prompt(name=one.name, title=one.title, description=one.description, arguments=[argument])
