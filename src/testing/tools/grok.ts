import type { ToolTable } from "./tool-table.js";

/**
 * Grok Build (1.0.41). It has no tools to find files by name or to load a skill. Besides the conversation it requests a
 * title, and at the end a line for its dashboard and, in a resumed session, another title: for these it repeats the
 * conversation and adds a question.
 */
export const grok: ToolTable = {
  agent: "grok",
  tools: [
    "run_terminal_command",
    "read_file",
    "write",
    "search_replace",
    "grep",
    "list_dir",
    "todo_write",
    "spawn_subagent",
    "get_command_or_subagent_output",
    "kill_command_or_subagent",
    "monitor",
    "search_tool",
    "use_tool",
  ],
  shell: [
    {
      tool: "run_terminal_command",
      input: ({ command }) => ({ command, description: "Run a command" }),
    },
  ],
  ways: {
    startCommand: [
      {
        tool: "run_terminal_command",
        input: ({ command }) => ({ command, description: "Run a command", background: true }),
      },
    ],
    readFile: [
      {
        tool: "read_file",
        input: ({ path, lines }) => ({
          target_file: path,
          ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [{ tool: "write", input: ({ path, content }) => ({ file_path: path, content }) }],
    editFile: [
      {
        tool: "search_replace",
        input: ({ path, oldText, newText }) => ({
          file_path: path,
          old_string: oldText,
          new_string: newText,
        }),
      },
    ],
    search: [{ tool: "grep", input: ({ pattern, path }) => ({ pattern, path }) }],
    listDirectory: [{ tool: "list_dir", input: ({ path }) => ({ target_directory: path }) }],
    delegate: [
      {
        tool: "spawn_subagent",
        input: ({ description, prompt }) => ({ prompt, description, background: false }),
      },
    ],
    startSubagent: [
      {
        tool: "spawn_subagent",
        input: ({ description, prompt }) => ({ prompt, description, background: true }),
      },
    ],
    todo: [
      {
        tool: "todo_write",
        input: ({ items }) => ({
          merge: false,
          todos: items.map(({ text, status }, index) => ({ id: String(index + 1), content: text, status })),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `${server}__${tool}` }),
  sideRequests: /^You are tasked with generating the session title/,
  sideQuestions: /^\s*<system-reminder>\s*(?:Write an ultra-short dashboard line|Generate a session title)/,
};
