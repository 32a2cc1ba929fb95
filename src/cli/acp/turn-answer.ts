import type { PromptResponse } from "@agentclientprotocol/sdk";
import type { Failure } from "../../events/failure.js";
import type { TurnResult } from "../../live/session.js";
import { answerPrompt, promptError, toAcpMeta } from "../../outputs/acp/prompt-answer.js";
import { RpcError } from "./rpc.js";

/** The answer to a prompt: how its turn ended. Throws if it failed. */
export function answerOfTurn({ reason, failure, usage, costUsd }: TurnResult): PromptResponse {
  const { stopReason } = answerPrompt({ reason, failure });
  if (stopReason === undefined) throw failureOfTurn(failure);
  const facts =
    failure === undefined
      ? { ...(usage !== undefined && { usage }), ...(costUsd !== undefined && { costUsd }) }
      : { failure };
  const _meta = toAcpMeta(facts);
  return { stopReason, ...(_meta !== undefined && { _meta }) };
}

/** The error for a prompt that failed: the words of the failure, and what to do next. */
export function failureOfTurn(failure: Failure | undefined): RpcError {
  const { code, message } = promptError(failure);
  return new RpcError(code, message, failure);
}
