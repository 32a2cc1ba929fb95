import type { EventOf, HarnessEvent } from "../../events/event.js";
import { describeWish } from "../../story/describe-operation.js";
import { askRequest } from "../../story/describe-request.js";
import { toOneLine } from "../../text/cut.js";
import { toJsonText } from "../../text/to-json.js";
import type { RunEvent, RunEventOf } from "./schema.js";

/** The item of an event that only a live session has. Undefined for all others. */
export function toSessionItem(event: HarnessEvent, cwd: string | undefined): RunEvent | undefined {
  switch (event.type) {
    case "turn":
      return toTurnStarted(event);
    case "turn_end":
      return toTurnEnded(event);
    case "request":
      return toAskQuestion(event, cwd);
    case "request_end":
      return toQuestionEnded(event);
    case "plan": {
      // One-shot runs have no turns, and their stream has no plans: readers would not expect them there.
      const { runId, turnId, parentCallId, entries } = event;
      return turnId === undefined || parentCallId !== undefined
        ? undefined
        : { kind: "plan", runId, entries };
    }
    default:
      return undefined;
  }
}

function toTurnStarted({ runId, turnId, origin, prompt }: EventOf<"turn">): RunEventOf<"turnStarted"> {
  return { kind: "turnStarted", runId, turnId, origin, ...(prompt !== undefined && { prompt }) };
}

function toTurnEnded(event: EventOf<"turn_end">): RunEventOf<"turnEnded"> {
  const { runId, turnId, isSuccess: ok, reason, failure, durationMs } = event;
  const item: RunEventOf<"turnEnded"> = { kind: "turnEnded", runId, turnId, ok, reason };
  if (failure !== undefined) item.message = failure.message;
  if (durationMs !== undefined) item.durationMs = durationMs;
  return item;
}

function toAskQuestion(event: EventOf<"request">, cwd: string | undefined): RunEventOf<"askQuestion"> {
  const { runId, requestId, kind: requestKind, callId, name, choices } = event;
  const { message, operations, input, questions, schema } = event;
  const title = toOneLine(askRequest(event, cwd));
  return {
    kind: "askQuestion",
    runId,
    requestId,
    requestKind,
    ...(callId !== undefined && { toolCallId: callId }),
    name,
    title,
    ...(message !== undefined && { message }),
    ...(operations !== undefined && { operations: operations.map((each) => toLine(each, cwd)) }),
    ...(input !== undefined && { input: toJsonText(input) }),
    ...(questions !== undefined && { questions }),
    ...(schema !== undefined && { schema: toJsonText(schema) }),
    choices,
  };
}

type Wish = NonNullable<EventOf<"request">["operations"]>[number];

function toLine(operation: Wish, cwd: string | undefined): string {
  const { verb, object } = describeWish(operation, cwd);
  return toOneLine(`${verb} ${object}`);
}

function toQuestionEnded(event: EventOf<"request_end">): RunEventOf<"questionEnded"> {
  const { runId, requestId, outcome, by, rule, message } = event;
  const item: RunEventOf<"questionEnded"> = { kind: "questionEnded", runId, requestId, outcome, by };
  if (rule !== undefined) item.rule = rule;
  if (message !== undefined) item.message = message;
  return item;
}
