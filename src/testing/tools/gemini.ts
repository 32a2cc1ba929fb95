import type { ToolTable } from "./tool-table.js";

/** Gemini CLI (0.61.0). A subagent has to submit its answer through `complete_task`. */
export const gemini: ToolTable = {
  agent: "gemini",
  tools: [
    "run_shell_command",
    "read_file",
    "write_file",
    "replace",
    "list_directory",
    "grep_search",
    "glob",
    "write_todos",
    "update_topic",
    "invoke_agent",
    "activate_skill",
    "complete_task",
  ],
  shell: [{ tool: "run_shell_command", input: ({ command }) => ({ command }) }],
  ways: {
    startCommand: [{ tool: "run_shell_command", input: ({ command }) => ({ command, is_background: true }) }],
    readFile: [
      {
        tool: "read_file",
        input: ({ path, lines }) => ({
          file_path: path,
          ...(lines === undefined ? {} : { start_line: lines[0], end_line: lines[1] }),
        }),
      },
    ],
    writeFile: [{ tool: "write_file", input: ({ path, content }) => ({ file_path: path, content }) }],
    editFile: [
      {
        tool: "replace",
        input: ({ path, oldText, newText }) => ({
          file_path: path,
          instruction: "Replace the text",
          old_string: oldText,
          new_string: newText,
        }),
      },
    ],
    search: [{ tool: "grep_search", input: ({ pattern, path }) => ({ pattern, dir_path: path }) }],
    findFiles: [{ tool: "glob", input: ({ glob }) => ({ pattern: glob }) }],
    listDirectory: [{ tool: "list_directory", input: ({ path }) => ({ dir_path: path }) }],
    delegate: [{ tool: "invoke_agent", input: ({ prompt }) => ({ agent_name: "generalist", prompt }) }],
    useSkill: [{ tool: "activate_skill", input: ({ name }) => ({ name }) }],
    todo: [
      {
        tool: "write_todos",
        input: ({ items }) => ({ todos: items.map(({ text, status }) => ({ description: text, status })) }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `mcp_${server}_${tool}` }),
  answer: { tool: "complete_task", input: (text) => ({ result: { response: text } }) },
};
