import { asArray, asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { OpenCall, Sink } from "../../contract.js";

/**
 * What Claude Code has started and still waits for. While there is any, a `result` is not the end: Claude Code asks the
 * model again when a task ends or a wake-up is due. harness does not end such a run, since every wait is limited (2.1.325):
 * - a command in the background is stopped after its `timeout` (10 minutes, or what the model asks for, up to 2 hours);
 * - a subagent is stopped 10 minutes after the last turn (CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS);
 * - a wake-up comes within the hour.
 * Up to 2.1.197 it stops commands 5 s after the result, waits for subagents, and has no wake-ups.
 */
export interface OpenWork {
  /** `task_started`. Versions without `background_tasks_changed` (2.1.197) do not say if the task is in the background. */
  started(record: JsonObject, out: Sink): void;
  /** `task_updated` and `task_notification`. */
  changed(record: JsonObject, status: string | undefined, out: Sink): void;
  /** `background_tasks_changed` lists all open tasks. It is the better source: a missed end cannot keep a run open. */
  listed(record: JsonObject, out: Sink): void;
  /** The result of a call that may have set or cancelled a wake-up. */
  returned(call: OpenCall, record: JsonObject, out: Sink): void;
  /** `command_lifecycle`: a wake-up is due. */
  woken(record: JsonObject, out: Sink): void;
}

const ends: ReadonlySet<string | undefined> = new Set([
  "completed",
  "failed",
  "stopped",
  "killed",
  "cancelled",
]);
const cutShort: ReadonlySet<string | undefined> = new Set(["stopped", "killed"]);

/** `isLive`: a session, where turns end and `run.terminal` is empty between them. */
export function createOpenWork(isLive: boolean): OpenWork {
  let open = new Map<string, string>();
  let isListed = false;
  let wakeup: string | undefined;

  function update(out: Sink): void {
    out.run.openWork = wakeup === undefined ? [...open.values()] : [...open.values(), wakeup];
  }

  return {
    started(record, out) {
      const id = asText(record["task_id"]);
      const flag = record["is_backgrounded"];
      const isInBackground = isListed ? flag === true : flag !== false;
      if (id === undefined || !isInBackground || isAmbient(record)) return;
      open.set(id, describe(record));
      update(out);
    },
    changed(record, status, out) {
      const id = asText(record["task_id"]) ?? "";
      const name = open.get(id);
      if (name === undefined || !ends.has(status)) return;
      open.delete(id);
      update(out);
      // Before the result, the model itself stopped the task.
      const isOver = out.run.terminal !== undefined || (isLive && out.live.turnId === undefined);
      if (isOver && cutShort.has(status))
        out.emit({
          type: "warning",
          code: "background_stopped",
          message: `what ran in the background was stopped: ${name}`,
        });
    },
    listed(record, out) {
      isListed = true;
      open = new Map();
      for (const value of asArray(record["tasks"]) ?? []) {
        const task = asObject(value) ?? {};
        if (!isAmbient(task)) open.set(asText(task["task_id"]) ?? "", describe(task));
      }
      update(out);
      out.consume("system/background_tasks_changed");
    },
    returned(call, record, out) {
      if (call.name !== "ScheduleWakeup" || call.parentCallId !== undefined) return;
      const time = asNumber(asObject(record["tool_use_result"])?.["scheduledFor"]);
      if (time === undefined) return;
      const reason = asText(asObject(call.input)?.["reason"]);
      wakeup = time > 0 ? `a wake-up${reason === undefined ? "" : ` (${reason})`}` : undefined;
      update(out);
    },
    woken(record, out) {
      if (record["wakeup_source"] === "loop_wakeup") wakeup = undefined;
      update(out);
      out.consume("command_lifecycle");
    },
  };
}

/** Housekeeping tasks: Claude Code does not ask the model again when they end. */
function isAmbient(task: JsonObject): boolean {
  return task["ambient"] === true || task["skip_transcript"] === true;
}

function describe(task: JsonObject): string {
  return asText(task["description"]) ?? asText(task["task_type"]) ?? "a task";
}
