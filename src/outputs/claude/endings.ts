import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import { tokenClassNames } from "../../events/sound-numbers.js";
import type { TokenCounts } from "../../events/usage.js";
import { tokenCountsOf } from "../../story/spending.js";
import type { JsonObject } from "../../text/json.js";
import type { Messages } from "./messages.js";
import type { Records } from "./records.js";
import { type EndFacts, resultRecord } from "./result.js";

/**
 * How the run and its turns end: one `result` for a run, or one for each turn of a live session. A session that ends otherwise
 * than its last turn, or that used more than its turns say, has one more.
 */
export interface Endings {
  /** The time of what follows. */
  tick(event: HarnessEvent): void;
  begin(turn: EventOf<"turn">): void;
  /** True if the event is about tokens, permissions or an end: nothing else needs to be said about it. */
  add(event: HarnessEvent): boolean;
  /** The stream ended before the run did. */
  close(): void;
}

type End = Pick<EndFacts, "isSuccess" | "failure" | "usage" | "total" | "facts"> &
  Partial<Pick<EndFacts, "text" | "output" | "durationMs" | "costUsd">>;

interface State {
  readonly records: Records;
  readonly messages: Messages;
  readonly requests: Map<string, EventOf<"request">>;
  denials: EndFacts["denials"];
  turnUsage: TokenCounts | undefined;
  ofTurns: TokenCounts;
  /** As in Claude Code, the cost of a turn includes those before it. */
  costOfTurns: number | undefined;
  runUsage: EventOf<"usage"> | undefined;
  result: EventOf<"result"> | undefined;
  last: End | undefined;
  isInTurn: boolean;
  beganAt: string;
  now: string;
}

export function createEndings(records: Records, messages: Messages): Endings {
  const state: State = {
    records,
    messages,
    requests: new Map(),
    denials: [],
    turnUsage: undefined,
    ofTurns: {},
    costOfTurns: undefined,
    runUsage: undefined,
    result: undefined,
    last: undefined,
    isInTurn: false,
    beganAt: "",
    now: "",
  };
  return {
    tick({ timestamp }) {
      state.now = timestamp;
      if (state.beganAt === "") state.beganAt = timestamp;
    },
    begin({ timestamp }) {
      state.isInTurn = true;
      state.beganAt = timestamp;
      state.turnUsage = undefined;
    },
    add: (event) => addTo(state, event),
    close: () => runEnded(state, undefined),
  };
}

function addTo(state: State, event: HarnessEvent): boolean {
  switch (event.type) {
    case "usage":
      if (event.scope === "step") state.messages.usage(event);
      else if (event.scope === "turn") state.turnUsage = tokenCountsOf(event);
      else state.runUsage = event;
      return true;
    case "turn_end":
      turnEnded(state, event);
      return true;
    case "result":
      state.result = event;
      return true;
    case "exited":
      runEnded(state, event);
      return true;
    case "request":
      state.requests.set(event.requestId, event);
      return false;
    case "request_end":
      answered(state, event);
      return false;
    default:
      return false;
  }
}

function write(state: State, end: End): void {
  const { messages, records, denials } = state;
  messages.close();
  const { text, output, durationMs = sinceBegin(state), costUsd } = end;
  const { model, count } = messages;
  const rest = { text, output, costUsd, durationMs, model, messages: count, denials };
  records.add(resultRecord({ ...end, ...rest }));
  state.denials = [];
  state.last = end;
}

function sinceBegin({ now, beganAt }: State): number {
  return Math.max(0, Date.parse(now) - Date.parse(beganAt)) || 0;
}

function turnEnded(state: State, event: EventOf<"turn_end">): void {
  state.isInTurn = false;
  const { turnUsage } = state;
  const ofTurns = sum(state.ofTurns, turnUsage ?? {});
  state.ofTurns = ofTurns;
  if (event.costUsd !== undefined) state.costOfTurns = (state.costOfTurns ?? 0) + event.costUsd;
  const { isSuccess, turnId, reason, ...rest } = event;
  const failure = event.failure ?? (reason === "interrupted" ? interrupted : undefined);
  write(state, {
    ...rest,
    isSuccess,
    failure,
    usage: turnUsage,
    total: Object.keys(ofTurns).length === 0 ? undefined : ofTurns,
    ...(state.costOfTurns !== undefined && { costUsd: state.costOfTurns }),
    facts: { turnId, reason, ...factsOf(event) },
  });
  state.turnUsage = undefined;
}

/** `exited` is undefined if the stream was cut. */
function runEnded(state: State, exited: EventOf<"exited"> | undefined): void {
  const { result, runUsage, messages, records } = state;
  const isSuccess = result?.isSuccess ?? exited?.reason === "completed";
  const failure = result?.failure ?? (isSuccess ? undefined : unknownFailure(exited));
  const usage = runUsage && tokenCountsOf(runUsage);
  const outcome = {
    isSuccess,
    reason: exited?.reason ?? "interrupted",
    ...(exited !== undefined && { exitCode: exited.exitCode }),
    ...(exited?.signal !== undefined && { signal: exited.signal }),
  };
  const facts = {
    outcome,
    ...(result && factsOf(result)),
    ...(runUsage !== undefined && { usageScope: runUsage.scope }),
  };
  const { text, output, durationMs, costUsd } = result ?? {};
  const end: End = {
    isSuccess,
    failure,
    ...(text !== undefined && { text }),
    ...(output !== undefined && { output }),
    ...(durationMs !== undefined && { durationMs }),
    ...(costUsd !== undefined && { costUsd }),
    // The results of the turns have had theirs.
    usage: state.last === undefined ? usage : undefined,
    total: usage,
    facts,
  };
  if (!isSaid(state, end)) return write(state, end);
  messages.close();
  records.add({ type: "system", subtype: "harness_event", "harness-stream": facts });
}

/** True if the result of the last turn says all that there is to say about the session. */
function isSaid({ last, isInTurn, ofTurns }: State, end: End): boolean {
  if (last === undefined || isInTurn || end.output !== undefined) return false;
  return (
    last.isSuccess === end.isSuccess &&
    last.failure?.kind === end.failure?.kind &&
    last.failure?.message === end.failure?.message &&
    (end.text === undefined || last.text === end.text) &&
    (end.total === undefined || isSame(end.total, ofTurns))
  );
}

function answered({ requests, denials }: State, { requestId, outcome }: EventOf<"request_end">): void {
  const request = requests.get(requestId);
  requests.delete(requestId);
  if (request === undefined || outcome !== "denied" || request.kind !== "permission") return;
  const { name, callId, input = {} } = request;
  denials.push({ tool_name: name, tool_use_id: callId ?? requestId, tool_input: input });
}

/** In Claude Code's own words. */
const interrupted: Failure = { kind: "cancelled", message: "Request interrupted by user" };

function unknownFailure(exited: EventOf<"exited"> | undefined): Failure {
  if (exited === undefined) return { kind: "interrupted", message: "the stream ended before the run did" };
  return { kind: "unknown", message: `the run ended: ${exited.reason}` };
}

function factsOf({ failure, costSource }: EventOf<"result"> | EventOf<"turn_end">): JsonObject {
  return {
    ...(failure !== undefined && { failure: { ...failure } }),
    ...(costSource !== undefined && { costSource }),
  };
}

function sum(one: TokenCounts, other: TokenCounts): TokenCounts {
  const total: TokenCounts = {};
  for (const name of tokenClassNames) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined || b !== undefined) total[name] = (a ?? 0) + (b ?? 0);
  }
  return total;
}

function isSame(one: TokenCounts, other: TokenCounts): boolean {
  return tokenClassNames.every((name) => one[name] === other[name]);
}
