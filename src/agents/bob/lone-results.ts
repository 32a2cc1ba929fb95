import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, Operation, Sink } from "../contract.js";
import { newCall } from "../shared/call-shapes.js";

/**
 * Bob 2.x prints a `tool_use` only for calls that follow a message, but a result for every call. The first
 * words of a result name the tool and the file, so a result without its call can be recognised by them.
 */
const signatures: readonly { pattern: RegExp; name: string; operation(path: string): Operation }[] = [
  { pattern: /^Contents of file (.+):\n/, name: "read_file", operation: (path) => ({ type: "read", path }) },
  {
    pattern: /^Directory listing for (.+):\n/,
    name: "list_files",
    operation: (path) => ({ type: "list", path }),
  },
  { pattern: /^Created file: (.+)/, name: "write_file", operation: (path) => ({ type: "write", path }) },
  { pattern: /^Edited file: (.+)/, name: "apply_diff", operation: (path) => ({ type: "write", path }) },
];

/** Emits a recognised result as a call that starts and ends here. Returns false if it is not recognised. */
export function emitLoneResult(record: JsonObject, how: Finished, out: Sink): boolean {
  const callId = asText(record["tool_id"]);
  const output = typeof how.output === "string" ? how.output : "";
  if (callId === undefined) return false;
  for (const { pattern, name, operation } of signatures) {
    const path = pattern.exec(output)?.[1];
    if (path === undefined || how.isSuccess !== true) continue;
    const operations = [operation(resolvePath(path, out.cwd))];
    const call = newCall({ callId, name, operations, native: record });
    out.open(call);
    out.finish(call, how);
    return true;
  }
  const name = /^Error from tool (\w+): /.exec(output)?.[1];
  if (name === undefined) return false;
  const call = newCall({ callId, name, native: record });
  out.open(call);
  out.finish(call, how);
  return true;
}
