import { asArray, asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { isAbsolutePath, resolvePath } from "../../../text/paths.js";
import type { Operation } from "../../contract.js";
import { type ToolTable, toOperations, toolRuleOf } from "../tool-table.js";
import type { FinishedCall } from "./dialect.js";

/**
 * What a call did. Empty: the table does not have its tool, or the input lacks what the tool needs. A command in the
 * background stays a command, because what it will do to files is not known.
 */
export function operationsOf(call: FinishedCall, tools: ToolTable, cwd: string | undefined): Operation[] {
  const name = call.name.toLowerCase();
  const rule = toolRuleOf(tools, name);
  if (rule === undefined) return [];
  const asWritten = rule.as === "shell" && call.isInBackground;
  const operations = toOperations(asWritten ? { ...rule, literal: true } : rule, call.input, cwd);
  switch (rule.as) {
    case "read":
    case "write":
      return operations.map((operation) => withReportedPath(operation, call.metadata));
    case "patch":
      return patchedFiles(operations, call.metadata, cwd);
    case "skill":
      return operations.map((operation) => withReportedSkill(operation, call.metadata, cwd));
    default:
      return operations;
  }
}

/**
 * The file as the tool itself names it: `write` in `filepath`, `edit` in `filediff`, `read` in `display` (1.18.33, 7.7.9). The
 * session may be in another directory than the run, and on Windows the tool completes the drive.
 */
function withReportedPath(operation: Operation, metadata: JsonObject): Operation {
  if (operation.type !== "read" && operation.type !== "write") return operation;
  const path =
    asText(metadata["filepath"]) ??
    asText(asObject(metadata["filediff"])?.["file"]) ??
    asText(asObject(metadata["display"])?.["path"]);
  if (path === undefined || !isAbsolutePath(path)) return operation;
  return { ...operation, path: resolvePath(path, undefined) };
}

/**
 * The files of a patch. OpenCode 1 and Kilo report them with their absolute paths, a moved one in both places. OpenCode 2 reports
 * paths relative to the session, and a moved file only in its new place. So the markers in the patch say more.
 */
function patchedFiles(marked: Operation[], metadata: JsonObject, cwd: string | undefined): Operation[] {
  const files = (asArray(metadata["files"]) ?? []).map((file) => asObject(file) ?? {});
  const reported = textsOf(files, ["filePath", "movePath"]);
  if (reported.length > 0 && reported.every(isAbsolutePath)) return writesOf(reported, cwd);
  return marked.length > 0 ? marked : writesOf([...reported, ...textsOf(files, ["file"])], cwd);
}

function textsOf(objects: readonly JsonObject[], keys: readonly string[]): string[] {
  return objects.flatMap((object) => keys.flatMap((key) => asText(object[key]) ?? []));
}

function writesOf(paths: readonly string[], cwd: string | undefined): Operation[] {
  return [...new Set(paths)].map((path) => ({ type: "write", path: resolvePath(path, cwd) }));
}

/**
 * A loaded skill. Its directory is in `dir`, in OpenCode 2 in `directory`. OpenCode 2 calls a skill by its id, and the result has
 * its name.
 */
function withReportedSkill(operation: Operation, metadata: JsonObject, cwd: string | undefined): Operation {
  if (operation.type !== "skill") return operation;
  const directory = firstText(metadata, ["dir", "directory"]);
  return {
    ...operation,
    skillName: asText(metadata["name"]) ?? operation.skillName,
    path: directory === undefined ? operation.path : resolvePath(`${directory}/SKILL.md`, cwd),
  };
}
