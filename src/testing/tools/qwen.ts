import type { ActionFields, ToolInput } from "../actions.js";
import type { ToolTable } from "./tool-table.js";

/**
 * Qwen Code (0.15.10 and 0.24.4). `read_file` counts lines from 0. It maintains a memory with extra requests. The newer one
 * has no `list_directory`; it uses the shell.
 */
export const qwen: ToolTable = {
  agent: "qwen",
  tools: [
    "run_shell_command",
    "read_file",
    "write_file",
    "edit",
    "list_directory",
    "grep_search",
    "glob",
    "todo_write",
    "agent",
    "skill",
    "tool_search",
  ],
  shell: [{ tool: "run_shell_command", input: ({ command }) => ({ command, is_background: false }) }],
  ways: {
    startCommand: [{ tool: "run_shell_command", input: ({ command }) => ({ command, is_background: true }) }],
    readFile: [
      {
        tool: "read_file",
        input: ({ path, lines }) => ({
          file_path: path,
          ...(lines === undefined ? {} : { offset: lines[0] - 1, limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [{ tool: "write_file", input: ({ path, content }) => ({ file_path: path, content }) }],
    editFile: [
      {
        tool: "edit",
        input: ({ path, oldText, newText }) => ({
          file_path: path,
          old_string: oldText,
          new_string: newText,
        }),
      },
    ],
    search: [{ tool: "grep_search", input: ({ pattern, path }) => ({ pattern, path }) }],
    findFiles: [{ tool: "glob", input: ({ glob }) => ({ pattern: glob }) }],
    listDirectory: [{ tool: "list_directory", input: ({ path }) => ({ path }) }],
    delegate: [
      {
        tool: "agent",
        // Without this, a subagent runs in the background (0.24.4).
        input: (action) => ({ ...subagent(action), run_in_background: false }),
      },
    ],
    startSubagent: [{ tool: "agent", input: (action) => ({ ...subagent(action), run_in_background: true }) }],
    useSkill: [{ tool: "skill", input: ({ name }) => ({ skill: name }) }],
    todo: [
      {
        tool: "todo_write",
        input: ({ items }) => ({
          todos: items.map(({ text, status }, index) => ({ id: String(index + 1), content: text, status })),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `mcp__${server}__${tool}` }),
  needsAbsolutePaths: /^I'm currently working in the directory: (.+)$/m,
  inventedAnswers: /^Got it\. Thanks for the context!$/,
  sideRequests: /^You are now acting as the managed memory/,
};

function subagent({ description, prompt }: ActionFields["delegate"]): ToolInput {
  return { description, prompt, subagent_type: "general-purpose" };
}
