import { asObject, asText, firstText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { Finished, OpenCall, Sink } from "../contract.js";

/**
 * Follows subagents. No record says who speaks. While the main agent waits for one subagent, only that one can speak. If several
 * run at once, or one runs in the background, Grok even mixes their words in one message, so nothing is attributed.
 */
export interface GrokSubagents {
  /** The call whose subagent begins the next answer. Undefined: it is the main agent, or it is not known. */
  readonly speaker: string | undefined;
  /** A call of `spawn_subagent`. */
  started(call: Pick<OpenCall, "callId" | "input" | "parentCallId">, out: Sink): void;
  /** Its result. */
  returned(call: OpenCall, how: Finished, result: JsonObject | undefined, out: Sink): void;
  /** The result of another call, which may report a subagent in the background. */
  reported(result: JsonObject | undefined, out: Sink): void;
}

interface Subagent {
  callId: string;
  parentCallId: string | undefined;
  subagentId?: string | undefined;
  subagentName?: string | undefined;
}

export function createGrokSubagents(): GrokSubagents {
  /** Those that the main agent waits for. */
  const waitedFor: string[] = [];
  let isAmbiguous = false;
  let hasWarned = false;
  /** Those that run in the background, by id. */
  const inBackground = new Map<string, Subagent>();

  function end(subagent: Subagent, isSuccess: boolean, out: Sink): void {
    const action = isSuccess ? "subagent_completed" : "subagent_failed";
    out.emit({ type: "orchestration", action, ...subagent, isSuccess });
  }

  return {
    get speaker() {
      return isAmbiguous || inBackground.size > 0 ? undefined : waitedFor.at(-1);
    },
    started({ callId, input, parentCallId }, out) {
      const fields = asObject(input) ?? {};
      // Nested subagents wait for each other; those that one answer starts run at once.
      isAmbiguous ||= fields["background"] !== false || waitedFor.at(-1) !== parentCallId;
      waitedFor.push(callId);
      out.emit({
        type: "orchestration",
        action: "subagent_started",
        parentCallId,
        callId,
        subagentId: asText(fields["resume_from"]),
        subagentName: asText(fields["subagent_type"]),
      });
      if (isAmbiguous && !hasWarned)
        out.emit({ type: "warning", code: "unattributed", message: unattributed });
      hasWarned ||= isAmbiguous;
    },
    returned({ callId, parentCallId, input }, how, result, out) {
      waitedFor.splice(waitedFor.indexOf(callId) >>> 0, 1);
      if (waitedFor.length === 0) isAmbiguous = false;
      const id =
        firstText(result ?? {}, ["subagent_id"]) ?? startedId.exec(asText(result?.["text"]) ?? "")?.[1];
      const subagent = {
        callId,
        parentCallId,
        subagentId: id,
        subagentName: asText(result?.["subagent_type"]) ?? asText(asObject(input)?.["subagent_type"]),
      };
      const goesOn = how.isSuccess !== false && result?.["type"] !== "SubagentCompleted";
      if (!goesOn) end(subagent, how.isSuccess !== false, out);
      else inBackground.set(id ?? callId, subagent);
    },
    reported(result, out) {
      const task = asObject(result?.["Result"]);
      const taskId = asText(task?.["task_id"]) ?? "";
      const subagent = inBackground.get(taskId);
      const status = asText(task?.["status"]);
      if (subagent === undefined || status === undefined || status === "running") return;
      inBackground.delete(taskId);
      const subagentName = /^\[subagent:([^\]]+)\]/.exec(asText(task?.["command"]) ?? "")?.[1];
      end({ ...subagent, subagentName: subagentName ?? subagent.subagentName }, status === "completed", out);
    },
  };
}

/** `Subagent started in background.` */
const startedId = /^subagent_id: (\S+)$/m;

const unattributed =
  "Grok does not print who speaks: what subagents do at the same time as others cannot be distinguished from what the main agent does";
