import { createSummary } from "./create-summary.js";
import type { RunMeta, RunOutcome } from "./run-record.js";
import type { CostSource, RunSummary, SummaryEvent } from "./run-summary.js";

/** What a recorded run did, what it took and how it ended, or that it is still running. */
export interface RecordedSummary extends Omit<RunSummary, "outcome"> {
  outcome: RunOutcome;
}

/** Summarizes a recorded run. */
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
 * A summary of the events with what the sidecar says. The sidecar takes precedence. For an interrupted run it has no numbers. The
 * duration is the observed one.
 */
export function withMeta(meta: RunMeta, outcome: RunOutcome, summary: RunSummary): RecordedSummary {
  const { outcome: _outcome, failure: reported, ...events } = summary;
  const { usage = events.usage, costUsd = events.costUsd } = meta;
  const failure = outcome === "running" ? undefined : (meta.outcome?.failure ?? reported);
  const durationMs = durationBetween(meta.startedAt, meta.endedAt ?? events.endedAt) ?? events.durationMs;
  return {
    ...events,
    outcome,
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd, costSource: meta.costSource ?? events.costSource ?? "agent" }),
    ...(failure !== undefined && { failure }),
    ...(durationMs !== undefined && { durationMs }),
  };
}

/** Who computed the cost, for people. */
export const costSourceWords: Record<CostSource, string> = {
  agent: "reported by the agent",
  estimated: "estimated",
};

/**
 * Milliseconds from start to end, if both are known. No run takes no time: if the two are the same, they are made from a log
 * that has no times.
 */
export function durationBetween(startedAt: string, endedAt: string | undefined): number | undefined {
  const duration = Date.parse(endedAt ?? "") - Date.parse(startedAt);
  return duration > 0 ? duration : undefined;
}
