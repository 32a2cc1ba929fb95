import { editPatch, patchOf, writePatch } from "./patch-text.js";
import type { ToolTable } from "./tool-table.js";

/**
 * Factory Droid (0.225.2). It offers `ApplyPatch` in place of `Edit` and `Create` to models named `gpt-5…`, and its to-do
 * list to no custom model.
 */
export const droid: ToolTable = {
  agent: "droid",
  tools: [
    "Execute",
    "Read",
    "Create",
    "Edit",
    "ApplyPatch",
    "LS",
    "Grep",
    "Glob",
    "Skill",
    "Task",
    "ToolSearch",
  ],
  shell: [{ tool: "Execute", input: ({ command }) => execute(command) }],
  ways: {
    startCommand: [
      { tool: "Execute", input: ({ command }) => ({ ...execute(command), fireAndForget: true }) },
    ],
    readFile: [
      {
        tool: "Read",
        input: ({ path, lines }) => ({
          file_path: path,
          ...(lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 }),
        }),
      },
    ],
    writeFile: [
      { tool: "Create", input: ({ path, content }) => ({ file_path: path, content }) },
      { tool: "ApplyPatch", input: writePatch },
    ],
    editFile: [
      {
        tool: "Edit",
        input: ({ path, oldText, newText }) => ({ file_path: path, old_str: oldText, new_str: newText }),
      },
      { tool: "ApplyPatch", input: editPatch },
    ],
    search: [
      {
        tool: "Grep",
        input: ({ pattern, path }) => ({ pattern, path, output_mode: "content", line_numbers: true }),
      },
    ],
    findFiles: [{ tool: "Glob", input: ({ glob }) => ({ patterns: [glob] }) }],
    listDirectory: [{ tool: "LS", input: ({ path }) => ({ directory_path: path }) }],
    patch: [{ tool: "ApplyPatch", input: patchOf }],
    delegate: [
      {
        tool: "Task",
        input: ({ description, prompt }) => ({ subagent_type: "worker", description, prompt, await: true }),
      },
    ],
    startSubagent: [
      {
        tool: "Task",
        input: ({ description, prompt }) => ({ subagent_type: "worker", description, prompt, await: false }),
      },
    ],
    useSkill: [{ tool: "Skill", input: ({ name }) => ({ skill: name }) }],
  },
  mcpTool: (server, tool) => ({ tool: `${server}___${tool}` }),
  needsAbsolutePaths: /^% pwd\n(.+)$/m,
};

/** Every command needs a summary and a judgement of its risk. */
function execute(command: string) {
  return {
    summary: "Run a command",
    command,
    riskLevelReason: "Harmless command in the workspace.",
    riskLevel: "low",
  };
}
