import { editPatch, patchOf, writePatch } from "./patch-text.js";
import type { ToolTable } from "./tool-table.js";

/** Cline offers `apply_patch` in place of `editor` to models whose id contains `gpt` or `codex` (3.0.65). */
export const cline: ToolTable = {
  agent: "cline",
  tools: [
    "read_files",
    "search_codebase",
    "run_commands",
    "fetch_web_content",
    "editor",
    "ask_question",
    "spawn_agent",
    "skills",
  ],
  shell: [{ tool: "run_commands", input: ({ command }) => ({ commands: [command] }) }],
  ways: {
    readFile: [
      {
        tool: "read_files",
        input: ({ path, lines }) => ({
          files: [{ path, ...(lines === undefined ? {} : { start_line: lines[0], end_line: lines[1] }) }],
        }),
      },
    ],
    writeFile: [
      { tool: "editor", input: ({ path, content }) => ({ path, new_text: content }) },
      { tool: "apply_patch", input: (action) => ({ input: writePatch(action) }) },
    ],
    editFile: [
      {
        tool: "editor",
        input: ({ path, oldText, newText }) => ({ path, old_text: oldText, new_text: newText }),
      },
      { tool: "apply_patch", input: (action) => ({ input: editPatch(action) }) },
    ],
    search: [{ tool: "search_codebase", input: ({ pattern }) => ({ queries: [pattern] }) }],
    patch: [{ tool: "apply_patch", input: (action) => ({ input: patchOf(action) }) }],
    delegate: [
      {
        tool: "spawn_agent",
        input: ({ description, prompt }) => ({ systemPrompt: description, task: prompt }),
      },
    ],
    useSkill: [{ tool: "skills", input: ({ name }) => ({ skill: name, args: "" }) }],
  },
  mcpTool: (server, tool) => ({ tool: `${server}__${tool}` }),
};
