import type { EventOf } from "../../events/event.js";
import type { Failure } from "../../events/failure.js";
import { decideOutcome, endedByUs, isAbnormalExit, type SaidWords } from "../../events/outcome.js";
import type { SentRecord } from "../../events/raw-record.js";
import type { Ended, RunState } from "../../events/run-state.js";
import { isSoundDuration } from "../../events/sound-numbers.js";
import type { Draft, LiveSink, RequestDraft, TurnEnded } from "../contract.js";
import type { EventWriter } from "./event-writer.js";
import { millisecondsBetween } from "./times.js";
import { createTurnTotals, type TurnTotals } from "./turn-totals.js";
import type { Writable } from "./writable.js";

/** What the turns need of the frame. */
export interface TurnParts {
  emit(draft: Draft): void;
  writer: EventWriter;
  run: RunState;
  /** Empties `run` for the next turn. */
  resetRun(): void;
  /** Closes the calls that are still open. */
  closeCalls(): void;
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
  const requests = new Map<string, RequestDraft>();
  const totals = createTurnTotals();
  let sent: SentRecord | undefined;
  let open: OpenTurn | undefined;
  let userTurns = 0;
  let ownTurns = 0;

  function beginTurn({ prompt, origin = "user" }: Parameters<LiveSink["beginTurn"]>[0]): void {
    endTurn();
    if (parts.isProcessPerTurn) writer.identifyAgain();
    const ownId = origin === "user" ? `turn_${++userTurns}` : `agent_turn_${++ownTurns}`;
    const turnId = sent?.turnId ?? ownId;
    const began: Draft<"turn"> = { type: "turn", turnId, prompt, origin, line: writer.currentLine };
    open = { turnId, began, startedAt: writer.timestamp, isAnnounced: false, isInterruptAsked: false };
    sink.turnId = turnId;
    if (parts.writer.hasSession) announce();
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
    const turn = open;
    for (const requestId of [...requests.keys()]) withdraw(requestId);
    parts.closeCalls();
    const ended = how.ended ?? { exitCode: 0 };
    const outcome = outcomeOf(turn, how, ended);
    const isReported = outcome.isReported || (how.isLast && isAbnormalExit(ended));
    for (const draft of parts.terminalError(isReported ? undefined : outcome.failure, ended)) emit(draft);
    emitEnd(turn, outcome, how);
    open = undefined;
    sink.turnId = undefined;
    writer.setTurn(undefined);
    parts.resetRun();
  }

  function outcomeOf(turn: OpenTurn, { isInterrupted }: TurnEnded, ended: Ended): TurnOutcome {
    const stopped = isInterrupted ?? (turn.isInterruptAsked && run.terminal !== "success");
    if (stopped || endedByUs(ended) !== undefined) {
      if (turn.limit === undefined) return { isSuccess: false, reason: "interrupted", isReported: true };
      return { isSuccess: false, reason: "failed", failure: turn.limit, isReported: false };
    }
    const { isSuccess, failure } = decideOutcome(run, ended, parts.said());
    if (isSuccess || failure === undefined) return { isSuccess: true, reason: "completed", isReported: true };
    const isReported = run.failure?.isReported ?? false;
    return { isSuccess: false, reason: "failed", failure: parts.explain(failure, ended), isReported };
  }

  function emitEnd(turn: OpenTurn, outcome: TurnOutcome, how: TurnEnded): void {
    const estimated = parts.estimateCost();
    const costUsd = run.costUsd ?? estimated;
    const costSource = run.costUsd === undefined && estimated !== undefined ? "estimated" : undefined;
    const scope = run.usage?.scope === "run" ? "turn" : run.usage?.scope;
    if (run.usage !== undefined && scope !== undefined)
      emit({ type: "usage", ...run.usage, scope, costUsd: run.usage.costUsd ?? costUsd, costSource });
    const { isSuccess, reason, failure } = outcome;
    const durationMs = durationOf(turn, how);
    const { text } = run;
    emit({
      type: "turn_end",
      turnId: turn.turnId,
      isSuccess,
      reason,
      text,
      failure,
      durationMs,
      costUsd,
      costSource,
    });
    totals.add({ isSuccess, reason, text, failure, usage: run.usage, costUsd, costSource });
  }

  function durationOf(
    { startedAt }: OpenTurn,
    { durationMs = run.durationMs }: TurnEnded,
  ): number | undefined {
    if (isSoundDuration(durationMs)) return durationMs;
    return parts.hasTiming ? millisecondsBetween(startedAt, writer.timestamp) : undefined;
  }

  function withdraw(requestId: string): void {
    requests.delete(requestId);
    emit({ type: "request_end", requestId, outcome: "withdrawn", by: "agent" });
  }

  const sink: Writable<LiveSink> = {
    turnId: undefined,
    beginTurn,
    interruptTurn() {
      if (open !== undefined) open.isInterruptAsked = true;
    },
    endTurn: (how) => endTurn(how),
    request(request) {
      if (requests.has(request.requestId)) return;
      requests.set(request.requestId, request);
      emit({ type: "request", ...request });
    },
    endRequest(requestId, outcome, { message } = {}) {
      if (!requests.delete(requestId)) return;
      const by: EventOf<"request_end">["by"] = outcome === "withdrawn" ? "agent" : (sent?.by ?? "caller");
      emit({ type: "request_end", requestId, outcome, by, rule: sent?.rule, message });
    },
    openRequest: (requestId) => requests.get(requestId),
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
      for (const requestId of [...requests.keys()]) withdraw(requestId);
      settleSession(run, totals, ended);
      return totals.isEstimated ? totals.costUsd : undefined;
    },
  };
}

interface TurnOutcome extends Pick<EventOf<"turn_end">, "isSuccess" | "reason" | "failure"> {
  isReported: boolean;
}

/** The session's outcome is that of its last turn; its numbers are the sums. Without a turn it succeeds if it was closed in order. */
function settleSession(run: RunState, totals: TurnTotals, ended: Ended): void {
  const { last } = totals;
  run.needsTerminal = false;
  if (last === undefined && run.failure !== undefined) return;
  run.terminal = last === undefined || last.isSuccess ? "success" : "failure";
  run.text = last?.text;
  run.usage = totals.usage;
  run.costUsd = totals.isEstimated ? undefined : totals.costUsd;
  if (last === undefined || last.isSuccess || endedByUs(ended) !== undefined) return;
  const { kind, message } = last.failure ?? {
    kind: "cancelled" as const,
    message: "the last turn was interrupted",
  };
  run.failure = { kind, message, isReported: true };
}
