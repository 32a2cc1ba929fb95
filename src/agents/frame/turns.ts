import type { EventOf } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import { decideOutcome, endedByUs, isAbnormalExit, type SaidWords } from "../../events/outcome.js";
import type { SentRecord } from "../../events/raw-record.js";
import type { Ended, RunState } from "../../events/run-state.js";
import { isSoundDuration } from "../../events/sound-numbers.js";
import type { Draft, LiveSink, TurnEnded } from "../contract.js";
import type { EventWriter } from "./event-writer.js";
import { createOpenRequests } from "./open-requests.js";
import { millisecondsBetween } from "./times.js";
import { createTurnTotals, type TurnFigures, type TurnTotals } from "./turn-totals.js";
import type { Writable } from "./writable.js";

/** What the turns need of the frame. */
export interface TurnParts {
  emit(draft: Draft): void;
  writer: EventWriter;
  run: RunState;
  /** Nothing follows in this turn: an error after a success counts. */
  settleRun(): void;
  /** Empties `run` for the next turn, and forgets what was said in this one. */
  reset(): void;
  /** True if a call of this subagent may outlive the turn. Undefined is the main agent. */
  isInBackground(parentCallId: string | undefined): boolean;
  /** Closes the calls that are still open, except those of subagents in the background. Returns what the agent has not finished, for people. */
  closeCalls(): string[];
  /** The warning of a successful turn whose process is gone before everything was finished. */
  warnOf(unfinished: readonly string[]): Draft;
  /** What is known about a failure when a turn ends. */
  said(): SaidWords;
  /** The failure with its next step. */
  explain(failure: Failure, ended: Ended): Failure;
  /** The error event of a turn whose process failed, if nothing has reported it yet. */
  terminalError(failure: Failure | undefined, ended: Ended): Draft[];
  estimateCost(): number | undefined;
  hasTiming: boolean;
  /** Every turn has a process of its own. */
  isProcessPerTurn: boolean;
  /** Nothing is sent: every prompt is a record of the agent's own. */
  isStored: boolean;
}

/** The turns and requests of one live session. */
export interface Turns {
  sink: LiveSink;
  /** The record whose line the mapping is about to read, if harness sent it. */
  reading(sent: SentRecord | undefined): void;
  /** A notice of harness may say why a turn or the session fails. */
  noticed(code: string, message: string): void;
  /** Emits a turn that waits for the agent to identify itself. */
  announce(): void;
  /**
   * The session has ended: ends what is open, and leaves in `run` what the session's own outcome follows from. Returns the
   * cost if a part of it is an estimate.
   */
  close(ended: Ended): number | undefined;
}

const limits: Readonly<Record<string, Failure["kind"]>> = {
  turn_timed_out: "timed_out",
  turn_stalled: "stalled",
};

interface OpenTurn {
  turnId: string;
  began: Draft<"turn">;
  startedAt: string;
  isAnnounced: boolean;
  isInterruptAsked: boolean;
  limit?: Failure;
}

export function createTurns(parts: TurnParts): Turns {
  const { emit, writer, run } = parts;
  const requests = createOpenRequests(emit);
  const totals = createTurnTotals();
  let sent: SentRecord | undefined;
  let open: OpenTurn | undefined;
  const nextId = createTurnIds(() => sent !== undefined || parts.isStored);

  function beginTurn({ prompt, origin = "user" }: Parameters<LiveSink["beginTurn"]>[0]): void {
    endTurn();
    if (parts.isProcessPerTurn) writer.identifyAgain();
    const turnId = sent?.turnId ?? nextId(origin);
    const began: Draft<"turn"> = { type: "turn", turnId, prompt, origin, line: writer.currentLine };
    open = { turnId, began, startedAt: writer.timestamp, isAnnounced: false, isInterruptAsked: false };
    sink.turnId = turnId;
    if (writer.hasSession) announce();
  }

  function announce(): void {
    if (open === undefined || open.isAnnounced) return;
    open.isAnnounced = true;
    writer.setTurn(open.turnId);
    emit(open.began);
  }

  /** `isLast`: the process is gone, and the session's own end reports how. */
  function endTurn(how: TurnEnded & { isLast?: true } = {}): void {
    if (open === undefined) return;
    announce();
    requests.withdraw(({ parentCallId }) => !parts.isInBackground(parentCallId));
    const unfinished = parts.closeCalls();
    parts.settleRun();
    const ended = how.ended ?? { exitCode: 0 };
    const outcome = outcomeOf(open, how, ended, parts);
    for (const draft of errorsOf(open, outcome, { ...how, ended }, parts)) emit(draft);
    const isWorkLost = outcome.isSuccess && how.ended !== undefined && unfinished.length > 0;
    if (isWorkLost) emit(parts.warnOf(unfinished));
    for (const draft of endDrafts(open, outcome, how, parts)) emit(draft);
    totals.add({ ...outcome, text: run.text, output: run.output, usage: run.usage, ...costOf(parts) });
    open = undefined;
    sink.turnId = undefined;
    writer.setTurn(undefined);
    parts.reset();
  }

  const sink: Writable<LiveSink> = {
    turnId: undefined,
    beginTurn,
    interruptTurn() {
      if (open !== undefined) open.isInterruptAsked = true;
    },
    endTurn: (how) => endTurn(how),
    request: requests.request,
    endRequest: (requestId, outcome, about) => requests.end(requestId, outcome, sent, about?.message),
    openRequest: requests.openRequest,
  };

  return {
    sink,
    reading(record) {
      sent = record;
    },
    noticed(code, message) {
      const kind = limits[code];
      if (kind !== undefined && open !== undefined) open.limit = { kind, message };
      // The agent's own words come first.
      if (code === "session_failed") run.failure ??= { message, isReported: false };
    },
    announce,
    close(ended) {
      const isByUs = (ended.stopped && run.failure === undefined) || endedByUs(ended) !== undefined;
      endTurn(isByUs ? { isInterrupted: true } : { ended, isLast: true });
      requests.withdraw(() => true);
      settleSession(run, totals, ended);
      return totals.isEstimated ? totals.costUsd : undefined;
    },
  };
}

/**
 * Ids of turns that no record names. A session numbers the prompts that it sends (`turn_1`), so a turn for which none was sent
 * just now has another id: the agent began it by itself, or took a prompt that it had queued.
 */
function createTurnIds(isSent: () => boolean): (origin: "user" | "agent") => string {
  const counts = { turn: 0, queued_turn: 0, agent_turn: 0 };
  return (origin) => {
    const kind = origin === "agent" ? "agent_turn" : isSent() ? "turn" : "queued_turn";
    counts[kind] += 1;
    return `${kind}_${counts[kind]}`;
  };
}

type TurnOutcome = Pick<EventOf<"turn_end">, "isSuccess" | "reason" | "failure">;

/** How a turn ended, by the rule for runs. An interrupt that was asked for counts unless the agent finished before it. */
function outcomeOf(
  turn: OpenTurn,
  { isInterrupted }: TurnEnded,
  ended: Ended,
  { run, said, explain }: TurnParts,
): TurnOutcome {
  const isStopped = isInterrupted ?? (turn.isInterruptAsked && run.terminal !== "success");
  if (isStopped || endedByUs(ended) !== undefined) {
    if (turn.limit === undefined) return { isSuccess: false, reason: "interrupted" };
    return { isSuccess: false, reason: "failed", failure: turn.limit };
  }
  const { isSuccess, failure } = decideOutcome(run, ended, said());
  if (isSuccess || failure === undefined) return { isSuccess: true, reason: "completed" };
  return { isSuccess: false, reason: "failed", failure: explain(failure, ended) };
}

/** The errors that nothing has reported yet. If the process is gone for good, the end of the session reports that. */
function errorsOf(
  turn: OpenTurn,
  { failure }: TurnOutcome,
  { isLast, ended }: { isLast?: true; ended: Ended },
  { terminalError }: TurnParts,
): Draft[] {
  if (failure === undefined || (isLast && isAbnormalExit(ended))) return [];
  if (failure === turn.limit) return [{ type: "error", message: failure.message, code: failure.kind }];
  return terminalError(failure, ended);
}

/** The usage of a turn, and its end. */
function endDrafts(turn: OpenTurn, outcome: TurnOutcome, how: TurnEnded, parts: TurnParts): Draft[] {
  const { run } = parts;
  const { costUsd, costSource } = costOf(parts);
  const { isSuccess, reason, failure } = outcome;
  const durationMs = durationOf(turn, how, parts);
  const { turnId } = turn;
  const end: Draft = {
    type: "turn_end",
    turnId,
    isSuccess,
    reason,
    text: run.text,
    failure,
    durationMs,
    costUsd,
    costSource,
  };
  if (run.usage === undefined) return [end];
  const scope = run.usage.scope === "run" ? "turn" : run.usage.scope;
  return [{ type: "usage", ...run.usage, scope, costUsd: run.usage.costUsd ?? costUsd, costSource }, end];
}

function costOf({ run, estimateCost }: TurnParts): Pick<TurnFigures, "costUsd" | "costSource"> {
  if (run.costUsd !== undefined) return { costUsd: run.costUsd };
  const costUsd = estimateCost();
  return costUsd === undefined ? {} : { costUsd, costSource: "estimated" };
}

/** The agent's own figure if it is sound, else what was observed. */
function durationOf({ startedAt }: OpenTurn, how: TurnEnded, parts: TurnParts): number | undefined {
  const durationMs = how.durationMs ?? parts.run.durationMs;
  if (isSoundDuration(durationMs)) return durationMs;
  return parts.hasTiming ? millisecondsBetween(startedAt, parts.writer.timestamp) : undefined;
}

/** The session's outcome is that of its last turn; its numbers are the sums. Without a turn it succeeds if it was closed in order. */
function settleSession(run: RunState, totals: TurnTotals, ended: Ended): void {
  const { last } = totals;
  run.needsTerminal = false;
  if (last === undefined && run.failure !== undefined) return;
  run.terminal = last === undefined || last.isSuccess ? "success" : "failure";
  run.text = last?.text;
  run.output = last?.output;
  run.usage = totals.usage;
  run.costUsd = totals.isEstimated ? undefined : totals.costUsd;
  if (last === undefined || last.isSuccess || endedByUs(ended) !== undefined) return;
  const { kind, message } = last.failure ?? {
    kind: "cancelled" as const,
    message: "the last turn was interrupted",
  };
  run.failure = { kind, message, isReported: true };
}
