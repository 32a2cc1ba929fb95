import { asFlag, asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Sink } from "../contract.js";
import { isDelegation } from "./tools.js";

/**
 * Subagents. `delegate` starts one and returns when it has ended, unless it runs in the background. Then `load` with the
 * id of the task reports its status, and Goose exits without waiting for it if `load` is not called (1.52.0). The
 * stream shows only the tools of a subagent, by name, in notifications.
 */
export interface Subagents {
  started(call: OpenCall, out: Sink): void;
  /** The result of `delegate`. */
  returned(call: OpenCall, result: Result, out: Sink): void;
  /** The result of `load`. False if it is not about a subagent. */
  loaded(call: OpenCall, result: Result, out: Sink): boolean;
  /** The call that started the subagent which a running call waits for. */
  awaitedBy(call: OpenCall): string | undefined;
}

export interface Result {
  value: JsonObject | undefined;
  isSuccess: boolean;
}

interface Task {
  callId: string;
  subagentName?: string | undefined;
}

export function createSubagents(): Subagents {
  const inBackground = new Map<string, Task>();
  const ended = new Set<string>();

  function end(task: Task, subagentId: string | undefined, isSuccess: boolean, out: Sink): void {
    if (subagentId !== undefined && ended.has(subagentId)) return;
    if (subagentId !== undefined) ended.add(subagentId);
    const action = isSuccess ? "subagent_completed" : "subagent_failed";
    out.emit({ type: "orchestration", action, subagentId, ...task, isSuccess });
    noteAbandoned(out);
  }

  function noteAbandoned(out: Sink): void {
    const open = [...inBackground.keys()].filter((id) => !ended.has(id));
    out.run.abandoned = open.map((id) => `subagent ${id}`);
  }

  return {
    started(call, out) {
      out.emit({ type: "orchestration", action: "subagent_started", ...taskOf(call) });
    },
    returned(call, result, out) {
      const subagentId = asText(metaOf(result)["subagent_session_id"]);
      const isBackground = asFlag(asObject(call.input)?.["async"]) === true;
      if (isBackground && result.isSuccess && subagentId !== undefined) {
        inBackground.set(subagentId, taskOf(call));
        noteAbandoned(out);
      } else end(taskOf(call), subagentId, result.isSuccess, out);
    },
    loaded(call, result, out) {
      const meta = metaOf(result);
      const status = asText(meta["task_status"]);
      if (status === undefined) return false;
      const subagentId = asText(meta["subagent_session_id"]) ?? asText(asObject(call.input)?.["source"]);
      const task = inBackground.get(subagentId ?? "") ?? { callId: call.callId };
      if (status !== "running") end(task, subagentId, status === "completed" && result.isSuccess, out);
      return true;
    },
    awaitedBy(call) {
      if (isDelegation(call.name)) return call.callId;
      return inBackground.get(asText(asObject(call.input)?.["source"]) ?? "")?.callId;
    },
  };
}

function taskOf(call: OpenCall): Task {
  return {
    callId: call.callId,
    subagentName: firstText(asObject(call.input) ?? {}, ["source", "subrecipe"]),
  };
}

function metaOf(result: Result): JsonObject {
  return asObject(result.value?.["_meta"]) ?? {};
}
