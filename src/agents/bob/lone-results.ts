import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { resolvePath } from "../../text/paths.js";
import type { Finished, Operation, Sink } from "../contract.js";

/**
 * Bob 2.x prints the `tool_use` of only some calls (those that follow a message), but the result of each.
 * A result without its call is recognised by its first words, which name the tool and the file.
 */
const signatures: readonly { words: RegExp; name: string; operation(path: string): Operation }[] = [
  { words: /^Contents of file (.+):\n/, name: "read_file", operation: (path) => ({ type: "read", path }) },
  {
    words: /^Directory listing for (.+):\n/,
    name: "list_files",
    operation: (path) => ({ type: "list", path }),
  },
  { words: /^Created file: (.+)/, name: "write_file", operation: (path) => ({ type: "write", path }) },
  { words: /^Edited file: (.+)/, name: "apply_diff", operation: (path) => ({ type: "write", path }) },
];

/** True if the result was recognised: it is emitted as a call that starts and ends here. */
export function emitLoneResult(record: JsonObject, how: Finished, out: Sink): boolean {
  const callId = asText(record["tool_id"]);
  const words = typeof how.output === "string" ? how.output : "";
  if (callId === undefined) return false;
  for (const { words: pattern, name, operation } of signatures) {
    const path = pattern.exec(words)?.[1];
    if (path === undefined || how.isSuccess !== true) continue;
    const call = { callId, name, operations: [operation(resolvePath(path, out.cwd))], native: record };
    out.open(call);
    out.finish(call, how);
    return true;
  }
  const name = /^Error from tool (\w+): /.exec(words)?.[1];
  if (name === undefined) return false;
  const call = { callId, name, native: record };
  out.open(call);
  out.finish(call, how);
  return true;
}
