import { asArray, asObject, asText, isObject } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Operation } from "../contract.js";
import { type ToolRule, toOperations } from "../shared/tool-table.js";

/** A tool of Cline. Most take a batch of files, queries or commands in one call. */
interface ClineTool {
  /** What one entry of the batch does. */
  does: ToolRule;
  /** Input fields that can hold the batch. Without one of them, the input itself is the only entry. */
  batch?: readonly string[];
  /** The field that an entry sets if it is a bare string. */
  bare?: string;
}

const runCommands: ClineTool = {
  does: { as: "shell", command: ["command", "cmd", "script"], literal: true },
  batch: ["commands"],
  bare: "command",
};
const readFiles: ClineTool = {
  does: {
    as: "read",
    path: ["path", "file_path", "filePath"],
    lines: { start: ["start_line"], end: ["end_line"] },
  },
  batch: ["files", "file_paths", "paths"],
  bare: "path",
};
const writeFile: ClineTool = { does: { as: "write" } };
const search: ClineTool = {
  does: { as: "search", query: ["query", "regex", "pattern"], path: ["path"] },
  batch: ["queries"],
  bare: "query",
};
const skill: ClineTool = { does: { as: "skill", name: ["skill", "skill_name", "name"] } };

/** Cline's tools that are operations, including older versions. Any other tool (MCP, web, team, …) is `unknown`. */
const clineTools: Readonly<Record<string, ClineTool>> = {
  run_commands: runCommands,
  execute_command: runCommands,
  bash: runCommands,
  read_files: readFiles,
  read_file: readFiles,
  editor: writeFile,
  write_to_file: writeFile,
  replace_in_file: writeFile,
  new_rule: writeFile,
  apply_patch: { does: { as: "patch", patch: ["input", "patch", "diff"] } },
  search_codebase: search,
  search_files: search,
  list_files: { does: { as: "list", path: ["path"] } },
  skills: skill,
  use_skill: skill,
};

/** What a call does: one operation per entry of its batch. Empty if the tool or its input is not recognised. */
export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const tool = Object.hasOwn(clineTools, name) ? clineTools[name] : undefined;
  if (tool === undefined) return [];
  return entriesOf(tool, input).flatMap((entry) => toOperations(tool.does, entry, cwd));
}

function entriesOf(tool: ClineTool, input: JsonValue | undefined): JsonValue[] {
  const fields = asObject(input) ?? {};
  const batch = tool.batch?.map((key) => fields[key]).find((value) => value !== undefined) ?? input;
  const entries = asArray(batch) ?? (batch === undefined ? [] : [batch]);
  return entries.map((entry) => {
    if (typeof entry === "string") return tool.bare === undefined ? entry : { [tool.bare]: entry };
    return isObject(entry) ? normalEntry(entry) : entry;
  });
}

/** Models send line numbers as text, and commands as a program with its arguments; Cline accepts both. */
function normalEntry(entry: JsonObject): JsonObject {
  const normal = { ...entry };
  for (const key of ["start_line", "end_line"]) {
    const text = asText(entry[key]);
    if (text !== undefined && /^\d+$/.test(text)) normal[key] = Number(text);
  }
  const program = asText(entry["command"]);
  const args = asArray(entry["args"]);
  if (program !== undefined && args !== undefined)
    normal["command"] = [program, ...args].map(toWord).join(" ");
  return normal;
}

/** Quotes words with spaces, as Cline itself writes such a command. */
function toWord(value: JsonValue): string {
  const word = typeof value === "string" ? value : JSON.stringify(value);
  return word === "" || /[\s"]/.test(word) ? JSON.stringify(word) : word;
}
