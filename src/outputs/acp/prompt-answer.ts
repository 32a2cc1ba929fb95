import type { Failure, FailureKind } from "../../events/failure.js";
import type { TurnReason } from "../../events/live-event.js";
import type { JsonObject } from "../../text/json.js";
import type { AcpStopReason } from "./schema.js";

/** How a turn ended, as far as its answer depends on it. */
export interface EndedTurn {
  reason: TurnReason;
  failure?: Failure | undefined;
}

/** The answer to a prompt: a reason to stop, or an error of JSON-RPC. */
export type PromptAnswer =
  | { stopReason: AcpStopReason; error?: never }
  | { stopReason?: never; error: { code: number; message: string } };

/** Failures that ACP has a reason to stop for. Any other one is an error. */
const stopReasons: Readonly<Partial<Record<FailureKind, AcpStopReason>>> = {
  output_limit: "max_tokens",
  context_overflow: "max_tokens",
  max_turns: "max_turn_requests",
  refusal: "refusal",
  cancelled: "cancelled",
};

export function answerPrompt({ reason, failure }: EndedTurn): PromptAnswer {
  if (reason === "completed") return { stopReason: "end_turn" };
  if (reason === "interrupted") return { stopReason: "cancelled" };
  const stopReason = failure && stopReasons[failure.kind];
  return stopReason === undefined ? { error: promptError(failure) } : { stopReason };
}

const internalError = -32603;
const authRequired = -32000;

/** The error for a prompt that failed: the words of the failure, and what to do next. */
export function promptError(failure: Failure | undefined): { code: number; message: string } {
  const code = failure?.kind === "auth" ? authRequired : internalError;
  return { code, message: [failure?.message ?? "the turn failed", failure?.hint].filter(Boolean).join("\n") };
}

/** Facts that the protocol has no field for. Undefined if there are none. */
export function toAcpMeta(facts: JsonObject): { "harness-stream": JsonObject } | undefined {
  return Object.keys(facts).length === 0 ? undefined : { "harness-stream": facts };
}
