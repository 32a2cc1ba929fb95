import { asArray, asCount, asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Operation, TodoTool } from "../contract.js";
import { todosInText } from "../shared/todos.js";
import { type ToolTable, toOperations, toolRuleOf } from "../shared/tool-table.js";

/** Goose's tools that are operations. 1.52 does not have `grep`, `glob`, `list` and `read`. */
const gooseTools: ToolTable = {
  shell: { as: "shell", command: ["command"] },
  read: {
    as: "read",
    lines: { start: ["line", "offset", "start_line"], count: ["limit"], end: ["end_line"] },
  },
  write: { as: "write" },
  edit: { as: "write" },
  grep: { as: "search" },
  glob: { as: "search" },
  list: { as: "list" },
  tree: { as: "list" },
};

/** Tools whose input needs more than field names. */
const specialTools: Readonly<Record<string, (input: JsonObject, cwd: string | undefined) => Operation[]>> = {
  text_editor: textEditor,
  read_image: readImage,
  load_skill: loadSkill,
  skill: loadSkill,
};

/** The built-in extensions that have these tools. A tool of the same name in another extension is another tool. */
const ownPrefix = /^(?:developer|skills|summon|analyze|platform)__/;

/** The name of a tool without the prefix of older versions (`developer__shell`). */
export function bareName(name: string): string {
  return name.replace(ownPrefix, "");
}

/** The tool that starts a subagent. It was called `subagent` before 1.25. */
export function isDelegation(name: string): boolean {
  const tool = bareName(name);
  return tool === "delegate" || tool === "subagent";
}

/** The list that the agent keeps for itself, and the answer of a recipe: only their calls are reported. */
export function isSilentTool(name: string): boolean {
  return name.startsWith("todo__") || name === finalOutput;
}

/** Delivers the answer of a recipe with a response schema. The answer follows as a text that no model wrote. */
export const finalOutput = "recipe__final_output";

/** What a call does. Empty if the tool is not known, or if its input lacks a required field. */
export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const tool = bareName(name);
  if (Object.hasOwn(specialTools, tool)) return specialTools[tool]?.(asObject(input) ?? {}, cwd) ?? [];
  const rule = toolRuleOf(gooseTools, tool);
  return rule === undefined ? [] : toOperations(rule, input, cwd);
}

const editorCommands: Readonly<Record<string, "read" | "write">> = {
  view: "read",
  read: "read",
  write: "write",
  create: "write",
  overwrite: "write",
  edit: "write",
  str_replace: "write",
  insert: "write",
  undo_edit: "write",
  move: "write",
  rename: "write",
  delete: "write",
};

function textEditor(input: JsonObject, cwd: string | undefined): Operation[] {
  const command = asText(input["command"]) ?? "";
  const type = Object.hasOwn(editorCommands, command) ? editorCommands[command] : undefined;
  const path = firstText(input, ["path", "file_path"]);
  if (type === undefined || path === undefined) return [];
  return [{ type, path: resolvePath(path, cwd), ...(type === "read" && rangeOf(input["view_range"])) }];
}

/** `[first, last]`; a last line of -1 is the end of the file. */
function rangeOf(value: JsonValue | undefined): { startLine?: number; endLine?: number } {
  const [first, last] = (asArray(value) ?? []).map(asCount);
  if (!first) return {};
  return last === undefined || last < first ? { startLine: first } : { startLine: first, endLine: last };
}

/** The source may be a URL, which is not a file. */
function readImage(input: JsonObject, cwd: string | undefined): Operation[] {
  const source = firstText(input, ["source", "path"]);
  if (source === undefined || /^[a-z][a-z0-9+.-]+:/i.test(source)) return [];
  return [{ type: "read", path: resolvePath(source, cwd) }];
}

/** `name`, or `name/file` for a supporting file of the skill. */
function loadSkill(input: JsonObject, cwd: string | undefined): Operation[] {
  const name = firstText(input, ["name", "skill", "skill_name"]);
  if (name === undefined) return [];
  const [skillName] = name.split("/", 1);
  return [
    {
      type: "skill",
      path: resolvePath(`skills/${name === skillName ? `${name}/SKILL.md` : name}`, cwd),
      skillName,
    },
  ];
}

/** Sets the path of a skill if its text names the directory, as only skills with supporting files do. */
export function withSkillDirectory(
  operations: readonly Operation[],
  output: JsonValue | undefined,
): Operation[] {
  const directory = typeof output === "string" ? /^Skill directory: (.+)$/m.exec(output)?.[1] : undefined;
  return operations.map((operation) =>
    operation.type === "skill" && directory !== undefined
      ? { ...operation, path: `${directory}/SKILL.md` }
      : operation,
  );
}

/** Its list is Markdown, which the agent writes as it likes. */
export const todoTool: TodoTool = {
  read({ input, isSuccess }, before) {
    const content = asObject(input)?.["content"];
    return isSuccess && typeof content === "string" ? todosInText(content) : before;
  },
};
