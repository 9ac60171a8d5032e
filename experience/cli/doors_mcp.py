"""The command that lets an agent in over stdio."""

from __future__ import annotations

from experience.cli.group import Call, command
from experience.cli.place import project_root
from experience.memory import Memory


@command("mcp")
def mcp(call: Call) -> None:
    """Serve the memory over MCP on stdin and stdout."""
    from experience.mcp_server.stdio import serve  # the protocol's own packages take half a second

    with Memory(project_root(call.project), url=call.url) as memory:
        serve(memory)
