import type { ToolTable } from "./tool-table.js";

/** Pi has `grep`, `find` and `ls` switched off by default (0.74.2). A skill is read like any other file. */
export const pi: ToolTable = {
  agent: "pi",
  tools: ["read", "bash", "edit", "write", "grep", "find", "ls"],
  shell: [{ tool: "bash", input: ({ command }) => ({ command }) }],
  ways: {
    readFile: [
      {
        tool: "read",
        input: ({ path, lines }) => ({
          path,
          ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [{ tool: "write", input: ({ path, content }) => ({ path, content }) }],
    editFile: [
      { tool: "edit", input: ({ path, oldText, newText }) => ({ path, edits: [{ oldText, newText }] }) },
    ],
    search: [{ tool: "grep", input: ({ pattern, path }) => ({ pattern, path }) }],
    findFiles: [{ tool: "find", input: ({ glob }) => ({ pattern: glob }) }],
    listDirectory: [{ tool: "ls", input: ({ path }) => ({ path }) }],
    useSkill: [{ tool: "read", input: ({ name }) => ({ path: `.pi/skills/${name}/SKILL.md` }) }],
  },
  // For a server whose tools are exposed directly (1.4.0).
  mcpTool: (server, tool) => ({ tool: `mcp__${server}__${tool}` }),
};
