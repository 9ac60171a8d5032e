// The official MCP client of npm, driving the command it is given: list the tools, learn something, recall it.
const [client, command, ...args] = process.argv.slice(2);
const { Client } = await import(`${client}/dist/index.mjs`);
const { StdioClientTransport } = await import(`${client}/dist/stdio.mjs`);

const agent = new Client({ name: "tests", version: "1" });
await agent.connect(new StdioClientTransport({ command, args, env: process.env }));
const { tools } = await agent.listTools();
const learned = await agent.callTool({ name: "memory_learn", arguments: { content: "The port is 7333" } });
const recalled = await agent.callTool({ name: "memory_recall", arguments: { query: "which port" } });
await agent.close();
console.log(JSON.stringify({
  tools: tools.map((tool) => tool.name), learned: learned.structuredContent, recalled: recalled.structuredContent,
}));
