import { asNumber, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import type { Sink } from "../../contract.js";
import type { ClaudeStream } from "../../shared/claude-stream/mapping.js";
import type { ControlRequest } from "./control.js";
import { createPrompts, readPrompt } from "./prompts.js";
import { createTurnNumbers } from "./usage.js";

/** The turns of a session: a prompt begins one, or `init` if nobody has sent one; `result` ends it. */
export interface ClaudeTurns {
  /** A user message was sent. */
  prompted(record: JsonObject, out: Sink): void;
  /** A request of the client was sent. */
  requested(request: ControlRequest, out: Sink): void;
  /** Any record of the agent but a result. */
  received(record: JsonObject, out: Sink): void;
  ended(result: JsonObject, out: Sink): void;
}

const abortedReasons: ReadonlySet<string | undefined> = new Set(["aborted_tools", "aborted_streaming"]);

const withoutFailure = { subtype: "success", is_error: false, result: null };

export function createClaudeTurns(stream: ClaudeStream): ClaudeTurns {
  const prompts = createPrompts();
  const numbers = createTurnNumbers();
  let isInterruptAsked = false;

  /** Nobody has sent a prompt just now: the turn answers prompts that waited, or Claude Code goes on by itself. */
  function beginOwn(out: Sink): void {
    isInterruptAsked = false;
    const texts = prompts.began().flatMap(({ text }) => text ?? []);
    if (texts.length === 0) out.live.beginTurn({ origin: "agent" });
    else out.live.beginTurn({ prompt: texts.join("\n\n") });
  }

  function isInterrupted(result: JsonObject): boolean {
    if (abortedReasons.has(asText(result["terminal_reason"]))) return true;
    return isInterruptAsked && result["subtype"] === "error_during_execution";
  }

  /** An interrupted turn is not a failure, and what Claude Code says about it (`ede_diagnostic`) is not for people. */
  function end(result: JsonObject, out: Sink): void {
    const wasInterrupted = isInterrupted(result);
    if (wasInterrupted) stream.flush(out);
    const { text } = out.run;
    stream.record(wasInterrupted ? { ...result, ...withoutFailure } : result, out);
    const { usage, costUsd } = numbers.take();
    // The tokens of an interrupted answer are not counted: then 0 does not mean that there were none.
    const isKnown = !wasInterrupted || usage?.totalTokens !== 0;
    out.run.usage = usage && isKnown ? { ...usage, line: out.lineNumber } : undefined;
    out.run.costUsd = isKnown ? costUsd : undefined;
    const hasAnswer = out.run.terminal === "success" && !wasInterrupted;
    out.run.text = (hasAnswer ? asText(result["result"]) : undefined) ?? text;
    const durationMs = asNumber(result["duration_ms"]);
    out.live.endTurn({ durationMs, ...(wasInterrupted && { isInterrupted: true }) });
  }

  return {
    prompted(record, out) {
      const prompt = readPrompt(record);
      if (out.live.turnId === undefined) {
        isInterruptAsked = false;
        prompts.opened(prompt);
        return out.live.beginTurn({ prompt: prompt.text, origin: "user" });
      }
      prompts.queued(prompt);
      if (prompt.text !== undefined) out.emit({ type: "agent", role: "user", message: prompt.text });
    },
    requested(request, out) {
      prompts.requested(request);
      if (request.subtype !== "interrupt") return;
      isInterruptAsked = true;
      out.live.interruptTurn();
    },
    received(record, out) {
      prompts.received(record);
      if (record["subtype"] === "init" && out.live.turnId === undefined) beginOwn(out);
    },
    ended(result, out) {
      const isAnswer = prompts.isAnsweredBy(result);
      prompts.received(result);
      numbers.add(result);
      const isOpen = out.live.turnId !== undefined;
      if (isOpen && isAnswer) return end(result, out);
      if (!isOpen && result["is_error"] === true) return stream.record(result, out);
      out.run.text = undefined;
      out.consume("result: it does not answer the prompt of the open turn");
    },
  };
}
