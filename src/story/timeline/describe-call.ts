import { joinNameAndTask, previewTask } from "../call-preview.js";
import { type Deed, describeDeed, describeDoing } from "../describe-operation.js";
import { hasFailed } from "../outcomes.js";
import type { CallItem } from "./items.js";

/** A call in one line: what it did if that is known, else the tool and what it was asked for. */
export function describeCall(call: CallItem, cwd: string | undefined): Deed & { more: number } {
  const [first, ...rest] = call.operations;
  if (call.isRefused) {
    const object = first && describeDeed(first, cwd).object;
    return {
      verb: "Refused",
      object: object ?? `${call.name} ${previewTask(call.input)}`,
      more: rest.length,
    };
  }
  if (first === undefined) return describeUnfinished(call, cwd);
  const deed = describeDeed(first, cwd);
  if (first.type !== "orchestration") return { ...deed, more: rest.length };
  return { verb: "Subagent", object: joinNameAndTask(deed.object, previewTask(call.input)), more: 0 };
}

/** A running command is shown as the command. One that waits for permission does not run. */
function describeUnfinished(call: CallItem, cwd: string | undefined): Deed & { more: number } {
  const [first, ...rest] = isOpenCall(call) ? (call.planned ?? []) : [];
  if (first === undefined) return { verb: call.name, object: previewTask(call.input), more: 0 };
  const doing = describeDoing(first, cwd);
  return { ...doing, ...(call.isAsking && { verb: call.name }), more: rest.length };
}

/** True while a call is running. In a run that has ended: it never came back. */
export function isOpenCall({ end, isSuccess }: CallItem): boolean {
  return end === undefined && isSuccess === undefined;
}

/** True if a call, or anything it did, did not succeed. */
export function isFailedCall(call: CallItem): boolean {
  return call.isRefused === true || hasFailed(call) || call.operations.some(hasFailed);
}

/** The exit code of the command that a call ran, if it ran one. */
export function exitCodeOfCall(call: CallItem): number | undefined {
  return call.operations.find((event) => event.type === "command")?.exitCode;
}

/** How long a call took. Undefined if it is not over, or if its start and its end came together: then it is not known. */
export function durationOfCall({ time, end }: Pick<CallItem, "time" | "end">): number | undefined {
  return end !== undefined && end > time ? end - time : undefined;
}
