import { asObject, firstText } from "../../text/fields.js";
import type { OpenCall, Sink } from "../contract.js";

/** The call has started its subagent. The records of a subagent are not in the stream. */
export function startSubagent({ callId, input }: OpenCall, out: Sink): void {
  const subagentName = nameOf(input);
  out.emit({ type: "orchestration", action: "subagent_started", subagentName, callId });
}

/** The call has ended, and so has its subagent. */
export function endSubagent({ callId, input }: OpenCall, how: { isSuccess: boolean }, out: Sink): void {
  const { isSuccess } = how;
  const action = isSuccess ? "subagent_completed" : "subagent_failed";
  const subagentName = nameOf(input);
  out.emit({ type: "orchestration", action, subagentName, isSuccess, callId });
}

function nameOf(input: OpenCall["input"]): string | undefined {
  return firstText(asObject(input) ?? {}, ["subagent_type", "description"]);
}
