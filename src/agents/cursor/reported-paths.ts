import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { isAbsolutePath } from "../../text/paths.js";
import type { Operation } from "../contract.js";

/** The fields of a result, whichever variant it is. */
function fieldsOf(result: JsonValue | undefined): JsonObject {
  const variants = asObject(result) ?? {};
  return asObject(Object.values(variants).find((value) => asObject(value) !== undefined)) ?? variants;
}

/**
 * The operation with the absolute path that its result reports, if that is the same file or directory in another place. It counts
 * more than a path that was resolved here.
 */
export function atReportedPath(operations: Operation[], result: JsonValue | undefined): Operation[] {
  const [only, ...others] = operations;
  if (only === undefined || others.length > 0 || only.type === "command" || only.path === undefined)
    return operations;
  const fields = fieldsOf(result);
  const path = asText(fields["path"]) ?? asText(asObject(fields["directoryTreeRoot"])?.["absPath"]);
  if (path === undefined || !isAbsolutePath(path) || nameOf(path) !== nameOf(only.path)) return operations;
  return [{ ...only, path }];
}

function nameOf(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((part) => part !== "");
}

/**
 * The arguments of a shell call with the directory in which it ran. They often leave it empty, and only the result
 * names it.
 */
export function inReportedDirectory(
  args: JsonValue | undefined,
  result: JsonValue | undefined,
  cwd: string | undefined,
): JsonValue | undefined {
  const fields = asObject(args);
  const directory = asText(fieldsOf(result)["workingDirectory"]);
  if (fields === undefined || asText(fields["workingDirectory"]) !== undefined) return args;
  if (directory === undefined || directory === cwd || !isAbsolutePath(directory)) return args;
  return { ...fields, workingDirectory: directory };
}
