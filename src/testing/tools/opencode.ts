import { editPatch, patchOf, writePatch } from "./patch-text.js";
import type { ToolTable } from "./tool-table.js";

/** OpenCode offers `apply_patch` in place of `edit` and `write` to models whose id contains `gpt-5` (1.18.33). */
export const opencode: ToolTable = {
  agent: "opencode",
  tools: [
    "bash",
    "edit",
    "glob",
    "grep",
    "read",
    "skill",
    "task",
    "todowrite",
    "webfetch",
    "write",
    "apply_patch",
  ],
  shell: [{ tool: "bash", input: ({ command }) => ({ command, description: "Run a command" }) }],
  ways: {
    readFile: [
      {
        tool: "read",
        input: ({ path, lines }) => ({
          filePath: path,
          ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [
      { tool: "write", input: ({ path, content }) => ({ filePath: path, content }) },
      { tool: "apply_patch", input: (action) => ({ patchText: writePatch(action) }) },
    ],
    editFile: [
      {
        tool: "edit",
        input: ({ path, oldText, newText }) => ({ filePath: path, oldString: oldText, newString: newText }),
      },
      { tool: "apply_patch", input: (action) => ({ patchText: editPatch(action) }) },
    ],
    search: [{ tool: "grep", input: ({ pattern, path }) => ({ pattern, path }) }],
    findFiles: [{ tool: "glob", input: ({ glob }) => ({ pattern: glob }) }],
    listDirectory: [{ tool: "read", input: ({ path }) => ({ filePath: path }) }],
    patch: [{ tool: "apply_patch", input: (action) => ({ patchText: patchOf(action) }) }],
    delegate: [
      {
        tool: "task",
        input: ({ description, prompt }) => ({ description, prompt, subagent_type: "general" }),
      },
    ],
    useSkill: [{ tool: "skill", input: ({ name }) => ({ name }) }],
    todo: [
      {
        tool: "todowrite",
        input: ({ items }) => ({
          todos: items.map(({ text, status }, index) => ({
            id: String(index + 1),
            content: text,
            status,
            priority: "medium",
          })),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `${server}_${tool}` }),
  sideRequests: /^You are a title generator/,
};
