import { createSummary } from "./create-summary.js";
import type { RunMeta, RunOutcome } from "./run-record.js";
import type { CostSource, RunSummary, SummaryEvent } from "./run-summary.js";

/** What a recorded run did, what it took and how it ended. */
export interface RecordedSummary extends Omit<RunSummary, "outcome"> {
  outcome: RunOutcome;
}

/** Sums a recorded run up. */
export function summarizeRun(
  meta: RunMeta,
  outcome: RunOutcome,
  events: Iterable<SummaryEvent>,
): RecordedSummary {
  const summary = createSummary();
  for (const event of events) summary.add(event);
  return withMeta(meta, outcome, summary.read());
}

/**
 * A summary of the events with what the sidecar tells. Where it tells, it wins; that of a run which was
 * interrupted has no numbers. The duration is the one that was observed.
 */
export function withMeta(meta: RunMeta, outcome: RunOutcome, summary: RunSummary): RecordedSummary {
  const { outcome: _outcome, failure: toldFailure, ...told } = summary;
  const { usage = told.usage, costUsd = told.costUsd } = meta;
  const failure = outcome === "running" ? undefined : (meta.outcome?.failure ?? toldFailure);
  const durationMs = durationBetween(meta.startedAt, meta.endedAt ?? told.endedAt) ?? told.durationMs;
  return {
    ...told,
    outcome,
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd, costSource: meta.costSource ?? told.costSource ?? "agent" }),
    ...(failure !== undefined && { failure }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** Whose figure the cost is, for people. */
export const costSourceWords: Record<CostSource, string> = {
  agent: "reported by the agent",
  estimated: "estimated",
};

/** From start to end, when both are known. */
export function durationBetween(startedAt: string, endedAt: string | undefined): number | undefined {
  const duration = Date.parse(endedAt ?? "") - Date.parse(startedAt);
  return Number.isNaN(duration) ? undefined : Math.max(0, duration);
}
