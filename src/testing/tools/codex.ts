import { field, parseJson, stringOf } from "../json.js";
import type { ToolResult } from "../model-request.js";
import { editPatch, patchOf, writePatch } from "./patch-text.js";
import { hereDocument } from "./shell.js";
import type { ToolTable, ToolUse } from "./tool-table.js";

/**
 * Codex chooses its tools by the model (0.166.0). Known models have `exec_command` and a freeform `apply_patch`. Models in
 * code mode have one tool, `exec`, that runs JavaScript. Unknown models have no patch tool, but `apply_patch` is a command
 * in their shell.
 */
export const codex: ToolTable = {
  agent: "codex",
  tools: [
    "exec_command",
    "write_stdin",
    "apply_patch",
    "view_image",
    "update_plan",
    "spawn_agent",
    "exec",
    "request_user_input",
  ],
  shell: [
    { tool: "exec_command", input: ({ command }) => ({ cmd: command }) },
    { tool: "exec", input: ({ command }) => script("exec_command", { cmd: command }) },
  ],
  ways: {
    startCommand: [
      // A command that is still running then continues in the background.
      { tool: "exec_command", input: ({ command }) => ({ cmd: command, yield_time_ms: 250 }) },
    ],
    writeFile: patchWays(writePatch),
    editFile: patchWays(editPatch),
    patch: patchWays(patchOf),
    delegate: [
      {
        tool: "spawn_agent",
        input: ({ prompt, description }, { namespace }) =>
          namespace === "collaboration"
            ? {
                task_name: description.toLowerCase().replace(/\W+/g, "_"),
                message: prompt,
                fork_turns: "none",
              }
            : { message: prompt },
      },
    ],
    todo: [
      {
        tool: "update_plan",
        input: ({ items }) => ({ plan: items.map(({ text, status }) => ({ step: text, status })) }),
      },
      {
        tool: "exec",
        input: ({ items }) =>
          script("update_plan", { plan: items.map(({ text, status }) => ({ step: text, status })) }),
      },
    ],
    useSkill: [
      { tool: "exec_command", input: ({ name }) => ({ cmd: `cat .agents/skills/${name}/SKILL.md` }) },
      {
        tool: "exec",
        input: ({ name }) => script("exec_command", { cmd: `cat .agents/skills/${name}/SKILL.md` }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool, namespace: `mcp__${server}` }),
  followUp: waitForAgents,
};

function patchWays<Action>(toPatch: (action: Action) => string) {
  return [
    { tool: "apply_patch", input: (action: Action) => toPatch(action) },
    { tool: "exec", input: (action: Action) => script("apply_patch", toPatch(action)) },
    {
      tool: "exec_command",
      input: (action: Action) => ({ cmd: hereDocument("apply_patch", toPatch(action)) }),
    },
  ];
}

/** In code mode, the tools are functions of a script. */
function script(tool: string, input: unknown): string {
  return `text(await tools.${tool}(${JSON.stringify(input)}));`;
}

/**
 * Subagents run in the background, so their parent has to wait for them: by the ids that it received or, in code mode,
 * once for each. One wait ends when the first of them has finished.
 */
function waitForAgents(results: readonly ToolResult[]): ToolUse | undefined {
  const started = textsOf("spawn_agent", results).map(parseJson);
  const waits = textsOf("wait_agent", results);
  const ids = started.map((text) => stringOf(field(text, "agent_id"))).filter((id) => id !== "");
  const missing = ids.filter((id) => !waits.some((text) => text.includes(id)));
  if (missing.length > 0) return { tool: "wait_agent", input: { targets: missing, timeout_ms: 30_000 } };
  const inCodeMode = started.filter((text) => field(text, "task_name") !== undefined);
  return inCodeMode.length > waits.length ? { tool: "wait_agent", input: { timeout_ms: 10_000 } } : undefined;
}

function textsOf(tool: string, results: readonly ToolResult[]): string[] {
  return results.filter((result) => result.tool === tool).map(({ text }) => text);
}
