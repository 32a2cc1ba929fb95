import type { PromptResponse, StopReason } from "@agentclientprotocol/sdk";
import type { Failure, FailureKind } from "../../events/failure.js";
import type { TurnResult } from "../../live/session.js";
import { RpcError, rpcCodes } from "./rpc.js";

/** Failures that ACP has a reason to stop for. Any other one is an error. */
const stopReasons: Readonly<Partial<Record<FailureKind, StopReason>>> = {
  output_limit: "max_tokens",
  context_overflow: "max_tokens",
  max_turns: "max_turn_requests",
  refusal: "refusal",
  cancelled: "cancelled",
};

/** The answer to a prompt: how its turn ended. Throws if it failed. */
export function answerOfTurn({ reason, failure, usage, costUsd }: TurnResult): PromptResponse {
  if (reason !== "failed") {
    const stopReason = reason === "interrupted" ? "cancelled" : "end_turn";
    const figures = { ...(usage !== undefined && { usage }), ...(costUsd !== undefined && { costUsd }) };
    return { stopReason, ...(Object.keys(figures).length > 0 && { _meta: { "harness-stream": figures } }) };
  }
  const stopReason = failure && stopReasons[failure.kind];
  if (stopReason !== undefined) return { stopReason, _meta: { "harness-stream": { failure } } };
  throw failureOfTurn(failure);
}

/** The error for a prompt that failed: the words of the failure, and what to do next. */
export function failureOfTurn(failure: Failure | undefined): RpcError {
  const code = failure?.kind === "auth" ? rpcCodes.authRequired : rpcCodes.internal;
  const words = [failure?.message ?? "the turn failed", failure?.hint].filter(Boolean).join("\n");
  return new RpcError(code, words, failure);
}
