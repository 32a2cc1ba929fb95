import { asObject, asText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import { isAbsolutePath } from "../../text/paths.js";
import type { Operation } from "../contract.js";
import type { NativeCall } from "./native-call.js";

/** The fields of a result, whichever variant it is. */
function fieldsOf(result: JsonValue | undefined): JsonObject {
  const variants = asObject(result) ?? {};
  return asObject(Object.values(variants).find((value) => asObject(value) !== undefined)) ?? variants;
}

/**
 * The operation with the absolute path that its result reports, if it has the same name. The reported path is more reliable
 * than one that was resolved here.
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

const fileTools: ReadonlySet<string> = new Set(["read", "write", "edit", "delete"]);

/**
 * The arguments of a call, completed from its result. The working directory of a command is often empty in the arguments, and
 * sometimes all arguments are missing.
 */
export function withReportedPlace(
  { tool, result }: NativeCall,
  args: JsonValue | undefined,
  cwd: string | undefined,
): JsonValue | undefined {
  const given = asObject(args) ?? {};
  const reported = fieldsOf(result);
  const path = asText(reported["path"]);
  if (fileTools.has(tool) && Object.keys(given).length === 0 && path !== undefined) return { path };
  const directory = asText(reported["workingDirectory"]);
  if (tool !== "shell" || asText(given["workingDirectory"]) !== undefined) return args;
  if (directory === undefined || directory === cwd || !isAbsolutePath(directory)) return args;
  return { ...given, workingDirectory: directory };
}
