import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { Directories } from "./directories.js";
import type { OpenWork } from "./open-work.js";
import type { Subagents } from "./subagents.js";

/** `system` records, by subtype. A subtype that is not listed becomes `unknown`. */
export function createSystemRecords({
  directories,
  subagents,
  openWork,
}: {
  directories: Directories;
  subagents: Subagents;
  openWork: OpenWork;
}): (record: JsonObject, out: Sink) => void {
  function taskChanged(record: JsonObject, status: string | undefined, out: Sink): void {
    openWork.changed(record, status, out);
    subagents.changed(record, status, out);
  }

  const subtypes: Readonly<Record<string, (record: JsonObject, out: Sink) => void>> = {
    init(record, out) {
      // A second `init`: something in the background has ended, so Claude Code asks the model once more.
      out.run.terminal = out.run.terminalLine = out.run.failure = undefined;
      out.run.agentVersion = asText(record["claude_code_version"]);
      directories.announced(asText(record["cwd"]));
      out.session({ model: asText(record["model"]), cwd: asText(record["cwd"]) });
    },
    status: consumed("system/status"),
    thinking_tokens: consumed("system/thinking_tokens"),
    compact_boundary: consumed("system/compact_boundary"),
    task_progress: consumed("system/task_progress"),
    background_tasks_changed: openWork.listed,
    permission_denied: permissionDenied,
    hook_started: consumed("system/hook_started"),
    hook_response: hookResponse,
    api_retry: retryNotice,
    task_started(record, out) {
      openWork.started(record, out);
      subagents.started(record, out);
    },
    task_updated: (record, out) => taskChanged(record, asText(asObject(record["patch"])?.["status"]), out),
    task_notification: (record, out) => taskChanged(record, asText(record["status"]), out),
  };
  return (record, out) => {
    const subtype = asText(record["subtype"]) ?? "";
    if (Object.hasOwn(subtypes, subtype)) subtypes[subtype]?.(record, out);
  };
}

function consumed(rule: string): (record: JsonObject, out: Sink) => void {
  return (_record, out) => out.consume(rule);
}

function hookResponse(record: JsonObject, out: Sink): void {
  if (record["outcome"] !== "error") return out.consume("system/hook_response: succeeded");
  const name = asText(record["hook_name"]) ?? "a hook";
  const message = asText(record["stderr"]) ?? asText(record["output"]) ?? "";
  out.emit({ type: "warning", message: `hook ${name} failed: ${message.trim()}`, code: "hook_error" });
}

/** The call's result repeats the denial. The warning makes it visible (2.1.325). */
function permissionDenied(record: JsonObject, out: Sink): void {
  const tool = asText(record["tool_name"]) ?? "a tool";
  const message = asText(record["message"]) ?? "no reason given";
  out.emit({ type: "warning", message: `${tool} was denied: ${message}`, code: "permission_denied" });
}

/** A failed request that will be retried. It is never a failure of the run. */
function retryNotice(record: JsonObject, out: Sink): void {
  const code = asText(record["error"]);
  const status = asNumber(record["error_status"]);
  const attempt = asNumber(record["attempt"]);
  const most = asNumber(record["max_retries"]);
  const delay = asNumber(record["retry_delay_ms"]);
  const why = [code, status].filter((part) => part !== undefined).join(" ");
  const which = attempt === undefined ? "" : ` ${attempt}${most === undefined ? "" : ` of ${most}`}`;
  const when = delay === undefined ? "" : ` in ${Math.round(delay)} ms`;
  out.emit({
    type: "warning",
    message: `request failed (${why || "no reason given"}): retry${which}${when}`,
    code,
  });
}
