import { asArray, asFlag, asObject, asText, numberIn } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Finished, OpenCall, Operation } from "../contract.js";
import { offsetAndLimit, type ToolTable, toOperations, toolRuleOf } from "../shared/tool-table.js";

/** Droid's tools that are operations (0.225.2). Each command runs in a shell of its own. Lines are counted from 1. */
const droidTools: ToolTable = {
  Read: { as: "read", path: ["file_path"], lines: offsetAndLimit },
  LS: { as: "list", path: ["directory_path"] },
  Execute: { as: "shell", command: ["command"] },
  Edit: { as: "write", path: ["file_path"] },
  Create: { as: "write", path: ["file_path"] },
  ApplyPatch: { as: "patch", patch: ["input"] },
  Grep: { as: "search", query: ["pattern"], path: ["path"] },
  Glob: { as: "search", query: ["pattern"], path: ["folder"] },
  Skill: { as: "skill", name: ["skill"] },
};

/** The tool that runs a subagent. What a subagent does is not in the stream. */
export const subagentTool = "Task";

export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
): Operation[] {
  const rule = toolRuleOf(droidTools, name);
  if (rule === undefined) return [];
  return inputsOf(name, input).flatMap((fields) => toOperations(rule, fields, cwd));
}

/** `Glob` takes a list of patterns. Each of them is a search. */
function inputsOf(name: string, input: JsonValue | undefined): (JsonValue | undefined)[] {
  const fields = asObject(input);
  const patterns = name === "Glob" ? asArray(fields?.["patterns"]) : undefined;
  if (fields === undefined || patterns === undefined) return [input];
  return patterns.map((pattern) => ({ ...fields, pattern }));
}

/** How a call ended. A failed one has `error` instead of `value`. */
export function finishedOf(call: OpenCall, record: JsonObject): Omit<Finished, "native"> {
  const isError = asFlag(record["isError"]);
  const error = asObject(record["error"]);
  const output = record["value"] ?? asText(error?.["message"]) ?? record["error"];
  const isSuccess = isError === undefined ? undefined : !isError;
  if (call.name !== "Execute") return { isSuccess, output };
  const exitCode = typeof output === "string" ? exitCodeIn(output) : undefined;
  if (exitCode !== undefined) return { isSuccess: exitCode === 0, output, exitCode };
  if (isError === true || (typeof output === "string" && timedOut.test(output)))
    return { isSuccess: false, output };
  // A command that goes on in the background.
  return { output };
}

/** Droid does not report a timeout as an error (0.225.2). The output of the command follows. */
const timedOut = /^Command timed out after \d+ seconds\. /;

/** The exit code of a command is the last line of its output. No field has it. */
function exitCodeIn(output: string): number | undefined {
  return numberIn(output, /\n\[Process exited with code (\d{1,3})\]\s*$/);
}

/** A skill with the file that the result names. */
export function withSkillFile(operations: readonly Operation[], output: JsonValue | undefined): Operation[] {
  const path =
    typeof output === "string"
      ? /^Skill "[^\n]*" is now active\.\s+<skill name="[^"\n]*" filePath="([^"\n]+)">/.exec(output)?.[1]
      : undefined;
  return operations.map((operation) =>
    operation.type === "skill" && path !== undefined ? { ...operation, path } : operation,
  );
}
