import { field, parseJson, stringOf } from "../json.js";
import type { ToolResult } from "../model-request.js";
import { editPatch, patchOf, writePatch } from "./patch-text.js";
import { hereDocument } from "./shell.js";
import type { ToolTable, ToolUse } from "./tool-table.js";

/**
 * Codex. Which tools there are depends on the model (0.166.0): the known ones have `exec_command` and a freeform
 * `apply_patch`; models in code mode have one tool, `exec`, that runs JavaScript; unknown models have no patch
 * tool, but `apply_patch` is a command in their shell.
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
  followUp: waitForAgent,
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

/** Code mode: the tools are functions of a script. */
function script(tool: string, input: unknown): string {
  return `text(await tools.${tool}(${JSON.stringify(input)}));`;
}

/** Subagents run in the background: their parent has to wait for them, by the id it was told. */
function waitForAgent(results: readonly ToolResult[]): ToolUse | undefined {
  const ids = results
    .filter(({ tool }) => tool === "spawn_agent")
    .map(({ text }) => stringOf(field(parseJson(text), "agent_id")))
    .filter((id) => id !== "");
  if (ids.length === 0) return undefined;
  return { tool: "wait_agent", input: { targets: ids, timeout_ms: 30_000 } };
}
