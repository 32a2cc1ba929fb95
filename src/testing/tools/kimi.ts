import type { ToolTable } from "./tool-table.js";

/** Kimi Code has no tool to list a folder (2.1.0). It uses the shell. */
export const kimi: ToolTable = {
  agent: "kimi",
  tools: [
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Grep",
    "Glob",
    "Agent",
    "AgentSwarm",
    "Skill",
    "TodoList",
    "ReadMediaFile",
    "FetchURL",
    "WaitFor",
  ],
  shell: [{ tool: "Bash", input: ({ command }) => ({ command, description: "Run a command" }) }],
  ways: {
    startCommand: [
      {
        tool: "Bash",
        input: ({ command }) => ({ command, description: "Run a command", run_in_background: true }),
      },
    ],
    readFile: [
      {
        tool: "Read",
        input: ({ path, lines }) => ({
          path,
          ...(lines === undefined ? {} : { line_offset: lines[0], n_lines: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [{ tool: "Write", input: ({ path, content }) => ({ path, content }) }],
    editFile: [
      {
        tool: "Edit",
        input: ({ path, oldText, newText }) => ({ path, old_string: oldText, new_string: newText }),
      },
    ],
    search: [
      { tool: "Grep", input: ({ pattern, path }) => ({ pattern, path, output_mode: "content", "-n": true }) },
    ],
    findFiles: [{ tool: "Glob", input: ({ glob }) => ({ pattern: glob }) }],
    delegate: [
      {
        tool: "Agent",
        input: ({ description, prompt }) => ({ prompt, description, run_in_background: false }),
      },
    ],
    startSubagent: [
      {
        tool: "Agent",
        input: ({ description, prompt }) => ({ prompt, description, run_in_background: true }),
      },
    ],
    useSkill: [{ tool: "Skill", input: ({ name }) => ({ skill: name }) }],
    todo: [
      {
        tool: "TodoList",
        input: ({ items }) => ({
          todos: items.map(({ text, status }) => ({
            title: text,
            status: status === "completed" ? "done" : status,
          })),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `mcp__${server}__${tool}` }),
};
