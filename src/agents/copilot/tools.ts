import { asArray, asFlag, asInteger, asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, OpenCall, Operation } from "../contract.js";
import { type ToolTable, toOperations, toolRuleOf } from "../shared/tool-table.js";

/**
 * Copilot's tools that are operations (1.0.102). Each command runs in a shell of its own, which begins in the run's
 * directory. `read_bash`, `stop_bash` and `list_bash` concern commands that are already running.
 */
const copilotTools: ToolTable = {
  bash: { as: "shell" },
  powershell: { as: "shell", literal: true },
  view: { as: "read", path: ["path"] },
  create: { as: "write", path: ["path"] },
  edit: { as: "write", path: ["path"] },
  apply_patch: { as: "patch" },
  grep: { as: "search", query: ["pattern"], path: ["paths", "path"] },
  rg: { as: "search", query: ["pattern"], path: ["paths", "path"] },
  glob: { as: "search", query: ["pattern"], path: ["paths", "path"] },
  skill: { as: "skill", name: ["skill"] },
};

/** What a call is going to do. `skills` has the files of the skills that Copilot has found. */
export function operationsOf(
  name: string,
  input: JsonValue | undefined,
  cwd: string | undefined,
  skills: ReadonlyMap<string, string>,
): Operation[] {
  const rule = toolRuleOf(copilotTools, name);
  if (rule === undefined) return [];
  return toOperations(rule, withOnePath(input), cwd).map((operation) => {
    if (operation.type === "read") return { ...operation, ...viewRange(input) };
    if (operation.type !== "skill" || operation.skillName === undefined) return operation;
    return { ...operation, path: skills.get(operation.skillName) ?? operation.path };
  });
}

/** `paths` is one path or a list. A list of several paths gives no path. */
function withOnePath(input: JsonValue | undefined): JsonValue | undefined {
  const fields = asObject(input);
  const [path, ...others] = asArray(fields?.["paths"]) ?? [];
  return fields === undefined || typeof path !== "string" || others.length > 0
    ? input
    : { ...fields, paths: path };
}

/** `view_range: [first, last]`. A last line of -1 is the end of the file. */
function viewRange(input: JsonValue | undefined): { startLine?: number; endLine?: number } {
  const [first, last] = (asArray(asObject(input)?.["view_range"]) ?? []).map(asInteger);
  if (first === undefined || first < 1) return {};
  return last === undefined || last < first ? { startLine: first } : { startLine: first, endLine: last };
}

/**
 * What a finished call did, if its record says more than its input: `fileEdits` names the changed files, and a `view` may turn
 * out to have shown a directory.
 */
export function operationsAfter(call: OpenCall, data: JsonObject, cwd: string | undefined): Operation[] {
  const edited = (asArray(data["fileEdits"]) ?? []).flatMap((edit): Operation[] => {
    const path = asText(asObject(edit)?.["path"]);
    return path === undefined ? [] : [{ type: "write", path: resolvePath(path, cwd) }];
  });
  if (edited.length > 0) return edited;
  const properties = asObject(asObject(data["toolTelemetry"])?.["properties"]);
  const operations = call.operations ?? [];
  if (properties?.["viewType"] !== "directory") return operations;
  return operations.map((operation) =>
    operation.type === "read" ? { type: "list", path: operation.path } : operation,
  );
}

/**
 * How a call ended. `success` of a command only means that it could be run. Its exit code decides. A command that goes on in
 * the background has no exit code yet.
 */
export function finishedOf(call: OpenCall, data: JsonObject): Omit<Finished, "native"> {
  const flag = asFlag(data["success"]);
  const result = asObject(data["result"]);
  const output =
    asText(asObject(data["error"])?.["message"]) ?? result?.["content"] ?? data["result"] ?? data["error"];
  const exitCode = asInteger(asObject(data["shellExecution"])?.["exitCode"]);
  const isCommand = shells.has(call.name);
  const isSuccess =
    exitCode !== undefined ? flag !== false && exitCode === 0 : isCommand && flag ? undefined : flag;
  return { isSuccess, output, exitCode };
}

const shells: ReadonlySet<string> = new Set(["bash", "powershell"]);
