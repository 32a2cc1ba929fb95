import type { ToolTable } from "./tool-table.js";

/** Goose has no tools to read or search files (1.52.0). It uses the shell. */
export const goose: ToolTable = {
  agent: "goose",
  tools: ["shell", "write", "edit", "tree", "read_image", "analyze", "delegate", "load", "load_skill"],
  shell: [{ tool: "shell", input: ({ command }) => ({ command }) }],
  ways: {
    writeFile: [{ tool: "write", input: ({ path, content }) => ({ path, content }) }],
    editFile: [
      { tool: "edit", input: ({ path, oldText, newText }) => ({ path, before: oldText, after: newText }) },
    ],
    listDirectory: [{ tool: "tree", input: ({ path }) => ({ path, depth: 1 }) }],
    delegate: [{ tool: "delegate", input: ({ prompt }) => ({ instructions: prompt }) }],
    startSubagent: [{ tool: "delegate", input: ({ prompt }) => ({ instructions: prompt, async: true }) }],
    useSkill: [{ tool: "load_skill", input: ({ name }) => ({ name }) }],
    todo: [
      {
        tool: "todo__todo_write",
        input: ({ items }) => ({
          content: items
            .map(({ text, status }) => `- [${status === "completed" ? "x" : " "}] ${text}`)
            .join("\n"),
        }),
      },
    ],
  },
  mcpTool: (server, tool) => ({ tool: `${server}__${tool}` }),
  sideRequests: /^Generate a short title/,
};
