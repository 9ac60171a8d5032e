// Written by `experience install opencode`; `experience uninstall opencode` removes it.
// Hands OpenCode's events to the memory and puts what it answers into the system prompt. It never throws.
import { spawn } from "node:child_process"

const COMMAND = ["COMMAND"]
const TIMEOUT_MS = 5000

const ask = (event, payload) =>
  new Promise((resolve) => {
    let told = ""
    const done = () => {
      try {
        resolve(JSON.parse(told).context || "")
      } catch {
        resolve("")
      }
    }
    try {
      const hook = spawn(COMMAND[0], [...COMMAND.slice(1), event], {
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
        timeout: TIMEOUT_MS,
      })
      hook.on("error", done)
      hook.on("close", done)
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (part) => (told += part))
      hook.stdin.end(JSON.stringify(payload))
    } catch {
      done()
    }
  })

const words = (parts) =>
  (parts || [])
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n")

export const ExperienceMemory = async ({ client, directory }) => {
  const always = new Map() // what each session was told at its start,
  const latest = new Map() // with its last message,
  const passing = new Map() // and about the step at hand
  const base = (session) => ({ session_id: session || "", cwd: directory })

  const start = async (session) => {
    if (!always.has(session)) {
      always.set(session, "")
      always.set(session, await ask("session.created", { ...base(session), source: "startup" }))
    }
  }
  const pass = (session, text) => text && passing.set(session, [...(passing.get(session) || []), text])
  const lastWords = async (session) => {
    try {
      const { data } = await client.session.messages({ path: { id: session } })
      const said = (data || []).filter((one) => one.info?.role === "assistant")
      return words(said[said.length - 1]?.parts)
    } catch {
      return ""
    }
  }

  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID || event.properties?.info?.id
      if (!session) return
      if (event.type === "session.created") await start(session)
      if (event.type === "session.idle") {
        await ask("session.idle", { ...base(session), last_assistant_message: await lastWords(session) })
      }
      if (event.type === "session.deleted") {
        for (const known of [always, latest, passing]) known.delete(session)
        await ask("session.deleted", { ...base(session), reason: "deleted" })
      }
    },
    "chat.message": async (input, output) => {
      await start(input.sessionID)
      const text = words(output.parts)
      latest.set(input.sessionID, await ask("chat.message", { ...base(input.sessionID), text }))
      passing.delete(input.sessionID)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input.sessionID
      for (const text of [always.get(session), latest.get(session), ...(passing.get(session) || [])]) {
        if (text) output.system.push(text)
      }
    },
    "tool.execute.before": async (input, output) => {
      const step = { ...base(input.sessionID), tool: input.tool, args: output.args }
      pass(input.sessionID, await ask("tool.execute.before", step))
    },
    "tool.execute.after": async (input, output) => {
      const step = { ...base(input.sessionID), tool: input.tool, args: input.args }
      const result = { output: output.output, metadata: output.metadata }
      pass(input.sessionID, await ask("tool.execute.after", { ...step, output: result }))
    },
    "experimental.session.compacting": async (input) => {
      await ask("experimental.session.compacting", { ...base(input.sessionID), trigger: "auto" })
    },
  }
}
