import type { JsonValue } from "../../text/json.js";
import type { Operation } from "../contract.js";
import { offsetAndLimit, type ToolRule, type ToolTable, toOperations } from "../shared/tool-table.js";

/** Pi's tools, in lower case. A skill is loaded by reading its file, so it is a read. */
const piTools: ToolTable = {
  read: { as: "read", lines: offsetAndLimit },
  write: { as: "write" },
  edit: { as: "write" },
  grep: { as: "search" },
  find: { as: "search" },
  glob: { as: "search" },
  search: { as: "search" },
  ls: { as: "list" },
  list: { as: "list" },
  bash: { as: "shell" },
  shell: { as: "shell" },
  powershell: { as: "shell", literal: true },
};

function ruleOf(name: string): ToolRule | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(piTools, key) ? piTools[key] : undefined;
}

export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const rule = ruleOf(name);
  return rule === undefined ? [] : toOperations(rule, input, cwd);
}

/** A failed command's output ends with its exit code; there is no field for it. */
export function exitCodeIn(name: string, output: JsonValue | undefined): number | undefined {
  if (ruleOf(name)?.as !== "shell" || typeof output !== "string") return undefined;
  const code = /(?:^|\n)Command exited with code (\d{1,3})\s*$/.exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}
