import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import type { TurnReason } from "../../events/live-event.js";
import { tokenCountsOf } from "../../story/spending.js";
import type { JsonObject } from "../../text/json.js";
import type { Format, FormatOptions, View } from "../contract.js";
import { isPreparation } from "../preparation.js";
import { answerPrompt } from "./prompt-answer.js";
import type { AcpMessage, AcpUpdate } from "./schema.js";
import { type AcpTurns, createAcpTurns } from "./turns.js";
import { chunk } from "./updates.js";
import { asEvent, asFacts, createWholeUpdates, type WholeUpdates } from "./whole-updates.js";

/**
 * `--format acp`: the messages that an agent which speaks the Agent Client Protocol (version 1) sends. The answer to `session/new` comes
 * first. Then `session/update` follows. The answer to `session/prompt` ends the run, or each turn of a live session. The
 * client's own messages are not part of it, so prompts are shown as `user_message_chunk`.
 */
export const acpFormat: Format<AcpMessage> = { name: "acp", create: createAcpView };

function createAcpView({ prompt }: FormatOptions = {}): View<AcpMessage> {
  const run: Run = { prompt, turns: createAcpTurns(), sessionId: "", hasPrompted: false, isOver: false };
  return {
    push(events) {
      const messages: AcpMessage[] = [];
      for (const event of events) {
        if (run.isOver) break;
        for (const message of messagesOf(run, event)) messages.push(message);
      }
      return messages;
    },
    end() {
      if (run.isOver || (run.started === undefined && run.updates === undefined)) return [];
      const before = run.started === undefined ? [] : opened(run, run.started);
      return [...before, ...exited(run, undefined)];
    },
  };
}

/** What is known of the run so far. */
interface Run {
  prompt: string | undefined;
  turns: AcpTurns;
  /** There is one as soon as the session is open. */
  updates?: WholeUpdates;
  started?: EventOf<"started">;
  sessionId: string;
  hasPrompted: boolean;
  result?: EventOf<"result">;
  usage?: EventOf<"usage">;
  isOver: boolean;
}

function messagesOf(run: Run, event: HarnessEvent): AcpMessage[] {
  if (event.type === "started" && run.started === undefined) {
    run.started = event;
    return [];
  }
  const isFirst = run.updates === undefined;
  const before = [...opened(run, event), ...prompted(run, event).map((update) => toMessage(run, update))];
  // The answer to `session/new` has it.
  if (isFirst && event.type === "session") return before;
  return [...before, ...answersOf(run, event)];
}

function toMessage({ sessionId }: Run, update: AcpUpdate): AcpMessage {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
}

function opened(run: Run, event: HarnessEvent): AcpMessage[] {
  if (run.updates !== undefined) return [];
  const { started } = run;
  const session = event.type === "session" ? event : undefined;
  const cwd = session?.cwd || started?.cwd || "";
  run.updates = createWholeUpdates(cwd);
  run.sessionId = event.sessionId ?? event.runId;
  const about = {
    runId: event.runId,
    agent: started?.agent ?? "unknown",
    ...(started?.agentVersion !== undefined && { agentVersion: started.agentVersion }),
    ...(cwd !== "" && { cwd }),
    ...(session?.model !== undefined && { model: session.model }),
  };
  return [
    { jsonrpc: "2.0", id: 1, result: { sessionId: run.sessionId, _meta: { "harness-stream": about } } },
  ];
}

/** The prompt of a run that has no turns, before anything else. */
function prompted(run: Run, event: HarnessEvent): AcpUpdate[] {
  if (run.hasPrompted || isPreparation(event)) return [];
  run.hasPrompted = true;
  return event.type === "turn" ? [] : chunk("user_message_chunk", run.prompt ?? "");
}

function answersOf(run: Run, event: HarnessEvent): AcpMessage[] {
  switch (event.type) {
    case "turn":
      return turnBegun(run, event);
    case "turn_end":
      return turnEnded(run, event);
    case "usage":
      if (event.scope === "turn" && run.turns.note(event)) return [];
      if (event.scope === "step" || event.scope === "turn") break;
      run.usage = event;
      return [];
    case "result":
      run.result = event;
      return [];
    case "exited":
      return exited(run, event);
    default:
  }
  return (run.updates?.of(event) ?? []).map((update) => toMessage(run, update));
}

interface Ended {
  reason: TurnReason;
  failure: Failure | undefined;
  facts: JsonObject;
}

/** The answer to the prompt that is open, or what ends a session of which none is. */
function answered(run: Run, how: Ended): AcpMessage[] {
  const { failure } = how;
  const facts = { ...how.facts, ...(failure && { failure: { ...failure } }) };
  const id = run.turns.answer();
  if (id === undefined) return [toMessage(run, asFacts(facts))];
  const { stopReason, error } = answerPrompt(how);
  const meta = { "harness-stream": facts };
  if (error === undefined) return [{ jsonrpc: "2.0", id, result: { stopReason, _meta: meta } }];
  return [{ jsonrpc: "2.0", id, error: { ...error, data: { ...failure, _meta: meta } } }];
}

function turnBegun(run: Run, event: EventOf<"turn">): AcpMessage[] {
  const failure: Failure = { kind: "unknown", message: "another turn began" };
  const before = run.turns.isAsked ? answered(run, { reason: "failed", failure, facts: {} }) : [];
  const about = [...run.turns.begin(event), ...chunk("user_message_chunk", event.prompt ?? "")];
  return [...before, ...about.map((update) => toMessage(run, update))];
}

function turnEnded(run: Run, event: EventOf<"turn_end">): AcpMessage[] {
  const { isSuccess, reason, turnId, failure } = event;
  const facts = { turnId, isSuccess, reason, ...numbersOf(event), ...run.turns.usageOf() };
  if (!run.turns.isAsked) return [toMessage(run, asEvent(event))];
  return answered(run, { reason, failure, facts });
}

/** `event` is undefined if the stream was cut. */
function exited(run: Run, event: EventOf<"exited"> | undefined): AcpMessage[] {
  run.isOver = true;
  const { result, usage, turns } = run;
  const isSuccess = result?.isSuccess ?? event?.reason === "completed";
  const failure = result?.failure ?? (isSuccess ? undefined : unknownFailure(event));
  const outcome = {
    isSuccess,
    reason: event?.reason ?? "interrupted",
    ...(event !== undefined && { exitCode: event.exitCode }),
    ...(event?.signal !== undefined && { signal: event.signal }),
  };
  const { text, output } = result ?? {};
  const facts = {
    outcome,
    ...(text !== undefined && { text }),
    ...(output !== undefined && { output }),
    ...(result && numbersOf(result)),
    ...(usage && { usage: { scope: usage.scope, ...tokenCountsOf(usage) } }),
  };
  turns.endRun();
  const closed = (run.updates?.close() ?? []).map((update) => toMessage(run, update));
  return [...closed, ...answered(run, { reason: isSuccess ? "completed" : "failed", failure, facts })];
}

function unknownFailure(exited: EventOf<"exited"> | undefined): Failure {
  if (exited === undefined) return { kind: "interrupted", message: "the stream ended before the run did" };
  return { kind: "unknown", message: `the run ended: ${exited.reason}` };
}

function numbersOf({ costUsd, costSource, durationMs }: EventOf<"result"> | EventOf<"turn_end">): JsonObject {
  return {
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    ...(durationMs !== undefined && { durationMs }),
  };
}
