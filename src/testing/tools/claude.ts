import type { ActionFields, ToolInput } from "../actions.js";
import type { ToolTable } from "./tool-table.js";

/**
 * Claude Code does not advertise `Grep`, `Glob` and `TodoWrite` by default (2.1.197), nor `TaskCreate` (2.1.325). It
 * searches through `Bash`, and a to-do list consists of tasks.
 */
export const claude: ToolTable = {
  agent: "claude",
  tools: [
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Agent",
    "Skill",
    "WebFetch",
    "Grep",
    "Glob",
    "TodoWrite",
    "TaskCreate",
  ],
  shell: [{ tool: "Bash", input: ({ command }) => ({ command, description: "Run a command" }) }],
  ways: {
    readFile: [
      {
        tool: "Read",
        input: ({ path, lines }) => ({
          file_path: path,
          ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [{ tool: "Write", input: ({ path, content }) => ({ file_path: path, content }) }],
    editFile: [
      {
        tool: "Edit",
        input: ({ path, oldText, newText }) => ({
          file_path: path,
          old_string: oldText,
          new_string: newText,
        }),
      },
    ],
    search: [{ tool: "Grep", input: ({ pattern, path }) => ({ pattern, path, output_mode: "content" }) }],
    findFiles: [{ tool: "Glob", input: ({ glob }) => ({ pattern: glob }) }],
    startCommand: [
      {
        tool: "Bash",
        input: ({ command }) => ({ command, description: "Run a command", run_in_background: true }),
      },
    ],
    delegate: [
      {
        tool: "Agent",
        // Without this, a subagent runs in the background (2.1.325).
        input: (action) => ({ ...subagent(action), run_in_background: false }),
      },
    ],
    startSubagent: [{ tool: "Agent", input: (action) => ({ ...subagent(action), run_in_background: true }) }],
    useSkill: [{ tool: "Skill", input: ({ name }) => ({ skill: name }) }],
    todo: [
      // It can be called even when it is not advertised. `TodoWrite` is refused then (2.1.325).
      {
        tool: "TaskCreate",
        input: ({ items }) =>
          items.map(({ text }) => ({ subject: text, description: text, activeForm: text })),
      },
      {
        tool: "TodoWrite",
        input: ({ items }) => ({
          todos: items.map(({ text, status }) => ({ content: text, status, activeForm: text })),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `mcp__${server}__${tool}` }),
};

function subagent({ description, prompt }: ActionFields["delegate"]): ToolInput {
  return { description, prompt, subagent_type: "general-purpose" };
}
