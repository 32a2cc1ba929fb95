import type { ActionFields, ToolInput } from "../actions.js";
import type { AdvertisedTool } from "../model-request.js";
import { editPatch, patchOf, writePatch } from "./patch-text.js";
import type { Input, ToolTable } from "./tool-table.js";

/** Copilot CLI offers `apply_patch` and `rg` in place of `create`, `edit` and `grep` to gpt-5 models (1.0.102). */
export const copilot: ToolTable = {
  agent: "copilot",
  tools: [
    "bash",
    "view",
    "create",
    "edit",
    "grep",
    "rg",
    "glob",
    "apply_patch",
    "skill",
    "task",
    "sql",
    "read_bash",
  ],
  shell: [{ tool: "bash", input: ({ command }) => ({ command, description: "Run a command" }) }],
  ways: {
    readFile: [
      {
        tool: "view",
        input: ({ path, lines }) => ({ path, ...(lines === undefined ? {} : { view_range: lines }) }),
      },
    ],
    writeFile: [
      { tool: "create", input: ({ path, content }) => ({ path, file_text: content }) },
      { tool: "apply_patch", input: (action, tool) => patchInput(writePatch(action), tool) },
    ],
    editFile: [
      { tool: "edit", input: ({ path, oldText, newText }) => ({ path, old_str: oldText, new_str: newText }) },
      { tool: "apply_patch", input: (action, tool) => patchInput(editPatch(action), tool) },
    ],
    search: (["grep", "rg"] as const).map((tool) => ({
      tool,
      input: ({ pattern, path }) => ({ pattern, paths: path, output_mode: "content", "-n": true }),
    })),
    findFiles: [{ tool: "glob", input: ({ glob }) => ({ pattern: glob }) }],
    listDirectory: [{ tool: "view", input: ({ path }) => ({ path }) }],
    patch: [{ tool: "apply_patch", input: (action, tool) => patchInput(patchOf(action), tool) }],
    startCommand: [
      {
        tool: "bash",
        input: ({ command }) => ({ command, description: "Run a command", mode: "async" }),
      },
    ],
    delegate: [{ tool: "task", input: (action) => ({ ...subagent(action), mode: "sync" }) }],
    startSubagent: [{ tool: "task", input: (action) => ({ ...subagent(action), mode: "background" }) }],
    useSkill: [{ tool: "skill", input: ({ name }) => ({ skill: name }) }],
    todo: [
      {
        tool: "sql",
        input: ({ items }) => ({
          description: "Insert todos",
          query: `INSERT INTO todos (id, title, status) VALUES ${items
            .map(
              ({ text, status }, index) =>
                `('${index + 1}', '${text.replaceAll("'", "''")}', '${status === "completed" ? "done" : status}')`,
            )
            .join(", ")}`,
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `${server}-${tool}` }),
  // When work in the background is over, it reads the output by itself (1.0.102).
  inventedCalls: /^read_(?:bash|agent)$/,
};

function subagent({ description, prompt }: ActionFields["delegate"]): ToolInput {
  return { name: "helper", description, prompt, agent_type: "general-purpose" };
}

function patchInput(text: string, tool: AdvertisedTool): Input {
  return tool.form === "freeform" ? text : { input: text };
}
