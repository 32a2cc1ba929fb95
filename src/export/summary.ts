import type { NormalizedEvent } from "../formats/index.js";
import type { HarnessEvent } from "../vocabulary/event.js";
import type { Failure } from "../vocabulary/failure.js";
import type { TokenCounts, UsageScope } from "../vocabulary/usage.js";
import type { RunMeta, RunOutcome } from "./run-record.js";

/** What a run did and what it took. */
export interface RunSummary {
  outcome: RunOutcome;
  /** Why it did not succeed. */
  failure?: Failure;
  /** The agent's answer: its result, else its last message. */
  answer?: string;
  /** In the order of their first change. */
  filesChanged: { path: string; changes: number }[];
  /** In order. */
  commands: { command: string; exitCode?: number; isSuccess?: boolean }[];
  subagents: number;
  errors: string[];
  warnings: string[];
  usage?: TokenCounts & { scope: UsageScope };
  costUsd?: number;
  /** Whose figure the cost is. */
  costSource?: "agent";
  /** From start to end as it was observed. */
  durationMs?: number;
}

/** Both vocabularies tell what was done in the same words. */
type Told = HarnessEvent | NormalizedEvent;

/**
 * Sums a run up. The sidecar wins where it tells; a run that was interrupted has none of the numbers, so
 * the events tell as much as they can.
 */
export function summarizeRun(meta: RunMeta, outcome: RunOutcome, events: Iterable<Told>): RunSummary {
  const files = new Map<string, number>();
  const summary: RunSummary = {
    outcome,
    filesChanged: [],
    commands: [],
    subagents: 0,
    errors: [],
    warnings: [],
  };
  let lastMessage: string | undefined;
  let endedAt = meta.endedAt;
  for (const event of events) {
    if (meta.endedAt === undefined) endedAt = event.timestamp;
    switch (event.type) {
      case "write":
        if (event.isSuccess !== false) files.set(event.path, (files.get(event.path) ?? 0) + 1);
        break;
      case "command":
        summary.commands.push(commandOf(event));
        break;
      case "orchestration":
        if (event.action === "subagent_started") summary.subagents += 1;
        break;
      case "error":
        summary.errors.push(event.message);
        break;
      case "warning":
        summary.warnings.push(event.message);
        break;
      case "agent":
        if (isAnswer(event)) lastMessage = event.message;
        break;
      case "usage":
        if (event.scope !== "step") summary.usage = tokensOf(event);
        break;
      case "result":
        if (event.text !== undefined && event.text !== "") summary.answer = event.text;
        if (event.costUsd !== undefined) summary.costUsd = event.costUsd;
        if (event.failure !== undefined) summary.failure = event.failure;
    }
  }
  summary.filesChanged = Array.from(files, ([path, changes]) => ({ path, changes }));
  const answer = summary.answer ?? lastMessage;
  if (answer !== undefined) summary.answer = answer;
  if (meta.usage !== undefined) summary.usage = meta.usage;
  if (meta.costUsd !== undefined) summary.costUsd = meta.costUsd;
  if (summary.costUsd !== undefined) summary.costSource = "agent";
  if (meta.outcome?.failure !== undefined) summary.failure = meta.outcome.failure;
  if (outcome === "running") delete summary.failure;
  const duration = durationBetween(meta.startedAt, endedAt);
  if (duration !== undefined) summary.durationMs = duration;
  return summary;
}

/** From start to end, when both are known. */
export function durationBetween(startedAt: string, endedAt: string | undefined): number | undefined {
  const duration = Date.parse(endedAt ?? "") - Date.parse(startedAt);
  return Number.isNaN(duration) ? undefined : Math.max(0, duration);
}

/** The main agent's own words: no echo of the prompt, nothing that a subagent said. */
function isAnswer(event: Extract<Told, { type: "agent" }>): boolean {
  return !("role" in event && event.role !== undefined) && !("parentCallId" in event);
}

function commandOf(event: Extract<Told, { type: "command" }>): RunSummary["commands"][number] {
  const { command, exitCode, isSuccess } = event;
  return {
    command,
    ...(exitCode !== undefined && { exitCode }),
    ...(isSuccess !== undefined && { isSuccess }),
  };
}

function tokensOf(event: Extract<HarnessEvent, { type: "usage" }>): NonNullable<RunSummary["usage"]> {
  const { type, timestamp, runId, seq, sessionId, line, parentCallId, costUsd, ...tokens } = event;
  return tokens;
}

/** A command that did not succeed, by its exit code or by the agent's word. */
export function hasFailed(command: { exitCode?: number; isSuccess?: boolean }): boolean {
  return command.isSuccess === false || (command.isSuccess === undefined && (command.exitCode ?? 0) !== 0);
}
