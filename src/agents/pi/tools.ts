import { asInteger, asObject, numberIn } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Operation } from "../contract.js";
import {
  offsetAndLimit,
  type ToolRule,
  type ToolTable,
  toOperations,
  toolRuleOf,
} from "../shared/tool-table.js";

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
  return toolRuleOf(piTools, key);
}

export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const rule = ruleOf(name);
  if (rule === undefined) return [];
  if (rule.as === "shell") return toOperations(rule, input, cwd);
  return toOperations(rule, input, undefined).map((operation) =>
    operation.type === "command" || operation.path === undefined
      ? operation
      : { ...operation, path: resolvePath(asPiReadsIt(operation.path), cwd) },
  );
}

/**
 * A path as Pi's tools read it. They treat every Unicode space as a plain one, and drop a leading `@` (0.74.2, 1.4.0). They
 * also accept a `file://` address (1.4.0).
 */
function asPiReadsIt(path: string): string {
  const plain = path.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ").replace(/^@/, "");
  return /^file:\/\/(?:localhost)?(\/[^%?#]*)$/.exec(plain)?.[1] ?? plain;
}

/** The exit code of a command. 1.4.0 has a field for it. Before that, only the output of a failed command ends with it. */
export function exitCodeIn(
  name: string,
  structured: JsonValue | undefined,
  outputOfFailure: JsonValue | undefined,
): number | undefined {
  if (ruleOf(name)?.as !== "shell") return undefined;
  const reported = asInteger(asObject(structured)?.["exit_code"]);
  if (reported !== undefined || typeof outputOfFailure !== "string") return reported;
  return numberIn(outputOfFailure, /(?:^|\n)Command exited with code (\d{1,3})\s*$/);
}
