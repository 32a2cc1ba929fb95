import type { EventOf, EventType } from "../events/event.js";
import type { Step } from "../events/step.js";
import { createChangedFiles } from "../story/changed-files.js";
import type { ChangedFiles } from "../story/run-summary.js";
import type { RunResult } from "./task.js";

/** Counts and totals of a run so far. */
export interface Tally {
  add(steps: readonly Step[]): void;
  readonly counts: Partial<Record<EventType, number>>;
  readonly sessionId: string | undefined;
  readonly model: string | undefined;
  /** After `exited`. */
  result(runId: string): RunResult;
}

export function createTally(): Tally {
  const counts: Partial<Record<EventType, number>> = {};
  let sessionId: string | undefined;
  let model: string | undefined;
  let usage: EventOf<"usage"> | undefined;
  let result: EventOf<"result"> | undefined;
  let exited: EventOf<"exited"> | undefined;
  const changed = createChangedFiles();

  return {
    add(steps) {
      for (const step of steps) {
        for (const event of step.events) {
          counts[event.type] = (counts[event.type] ?? 0) + 1;
          sessionId = event.sessionId ?? sessionId;
          changed.add(event);
          if (event.type === "session") model = event.model ?? model;
          else if (event.type === "usage" && isWhole(event)) usage = event;
          else if (event.type === "result") result = event;
          else if (event.type === "exited") exited = event;
        }
      }
    },
    counts,
    get sessionId() {
      return sessionId;
    },
    get model() {
      return model;
    },
    result: (runId) =>
      withChanges(changed.read(), {
        runId,
        isSuccess: result?.isSuccess ?? false,
        reason: exited?.reason ?? "failed",
        ...(result?.text !== undefined && { text: result.text }),
        ...(result?.output !== undefined && { output: result.output }),
        ...(result?.failure !== undefined && { failure: result.failure }),
        ...(usage !== undefined && { usage: tokensOf(usage) }),
        ...(result?.costUsd !== undefined && { costUsd: result.costUsd }),
        ...(result?.costSource !== undefined && { costSource: result.costSource }),
        ...(result?.durationMs !== undefined && { durationMs: result.durationMs }),
        ...(sessionId !== undefined && { sessionId }),
        exitCode: exited?.exitCode ?? null,
        ...(exited?.signal !== undefined && { signal: exited.signal }),
      }),
  };
}

function withChanges(changes: ChangedFiles | undefined, result: RunResult): RunResult {
  return changes === undefined ? result : { ...result, changes };
}

/** True if the numbers cover the run, not a part of it. */
function isWhole({ scope }: EventOf<"usage">): boolean {
  return scope === "run" || scope === "session";
}

/** The counts of a `usage` event. */
export function tokensOf(event: EventOf<"usage">): NonNullable<RunResult["usage"]> {
  const {
    type,
    timestamp,
    runId,
    seq,
    sessionId,
    line,
    parentCallId,
    turnId,
    costUsd,
    costSource,
    ...tokens
  } = event;
  return tokens;
}
