import { asArray, asObject, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Finished, OpenCall, Sink } from "../contract.js";
import { subagentTool } from "./tools.js";

/**
 * Follows the subagents of `agent` calls. The echo of its task is the first sign of one. `task_started` follows at once for a
 * subagent in the background, and gives its id. It ends with the result of its call, or with `task_notification` if it
 * goes on in the background.
 */
export interface QwenSubagents {
  /** No `system/task_started` follows. A subagent that waits for its id starts without one. */
  settle(out: Sink): void;
  /** The echo of a subagent's task. */
  asked(callId: string, out: Sink): void;
  /** `system/task_started` */
  started(record: JsonObject, out: Sink): void;
  /** `system/task_notification` */
  notified(record: JsonObject, out: Sink): void;
  /** The result of its call. */
  returned(call: OpenCall, how: Finished, out: Sink): void;
}

interface Subagent {
  callId: string;
  parentCallId: string | undefined;
  subagentName: string | undefined;
  subagentId?: string;
}

export function createQwenSubagents(): QwenSubagents {
  const running = new Map<string, Subagent>();
  let waiting: (Subagent & { line: number }) | undefined;

  function start(subagent: Subagent, out: Sink, line?: number): void {
    running.set(subagent.callId, subagent);
    out.emit({ type: "orchestration", action: "subagent_started", ...subagent, line });
  }

  function end(subagent: Subagent, isSuccess: boolean, out: Sink): void {
    running.delete(subagent.callId);
    const action = isSuccess ? "subagent_completed" : "subagent_failed";
    out.emit({ type: "orchestration", action, ...subagent, isSuccess });
  }

  return {
    settle(out) {
      if (waiting === undefined) return;
      const { line, ...subagent } = waiting;
      waiting = undefined;
      start(subagent, out, line);
    },
    asked(callId, out) {
      const call = out.call(callId);
      if (call === undefined || running.has(callId)) return;
      waiting = { ...subagentOf(call), line: out.lineNumber };
    },
    started(record, out) {
      const data = asObject(record["data"]) ?? {};
      const callId = asText(data["tool_use_id"]);
      const subagentId = asText(data["task_id"]);
      if (callId === undefined || subagentId === undefined) return;
      const tool = out.call(callId)?.name ?? subagentTool;
      if (tool !== subagentTool) return out.consume(`system/task_started: a task of ${tool}, no subagent`);
      if (waiting !== undefined && waiting.callId !== callId) this.settle(out);
      waiting = undefined;
      const known = running.get(callId);
      if (known !== undefined) {
        known.subagentId = subagentId;
        return out.consume("system/task_started: it has started already");
      }
      const parentCallId = out.call(callId)?.parentCallId;
      start({ callId, parentCallId, subagentName: asText(data["subagent_type"]), subagentId }, out);
    },
    notified(record, out) {
      const data = asObject(record["data"]) ?? {};
      const subagent = running.get(asText(data["tool_use_id"]) ?? "");
      const status = asText(data["status"]);
      if (subagent === undefined || !ends.has(status)) return out.consume("system/task_notification");
      end(subagent, status === "completed", out);
    },
    returned(call, how, out) {
      if (how.isSuccess !== false && isLaunched(how)) return;
      end(running.get(call.callId) ?? subagentOf(call), how.isSuccess !== false, out);
    },
  };
}

const ends: ReadonlySet<string | undefined> = new Set(["completed", "failed", "cancelled", "stopped"]);

function subagentOf({ callId, parentCallId, input }: OpenCall): Subagent {
  return { callId, parentCallId, subagentName: asText(asObject(input)?.["subagent_type"]) };
}

/** The call has returned and its subagent goes on. */
function isLaunched({ output }: Finished): boolean {
  return typeof output === "string" && output.startsWith("Background agent launched");
}

/** The call whose subagent is given its task by a `user` record. */
export function callOfTask(record: JsonObject): string | undefined {
  const blocks = asArray(asObject(record["message"])?.["content"]);
  const isText = blocks?.length === 1 && asObject(blocks[0])?.["type"] === "text";
  return isText ? asText(record["parent_tool_use_id"]) : undefined;
}
