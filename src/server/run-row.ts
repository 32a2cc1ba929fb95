import type { RecordingMeta } from "../events/recording-meta.js";
import type { Session } from "../runs/archive/recording.js";
import type { Spent } from "../story/create-summary.js";
import type { RunSummary } from "../story/run-summary.js";
import { toVisibleLine } from "../text/cut.js";
import type { RunAbout, RunRow } from "./protocol.js";

const shownPrompt = 400;

/** What the sidecar of a recording tells. */
export function toRow({ id, outcome, meta }: Session, isOurs: boolean): RunRow {
  const { agentVersion, model, endedAt, usage, costUsd } = meta;
  const failure = meta.outcome?.failure;
  return {
    id,
    outcome,
    agent: meta.agent,
    prompt: toVisibleLine(meta.prompt, shownPrompt),
    cwd: meta.cwd,
    startedAt: meta.startedAt,
    ...(agentVersion !== undefined && { agentVersion }),
    ...(model !== undefined && { model }),
    ...(endedAt !== undefined && { endedAt }),
    ...(failure !== undefined && { failure }),
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd, costSource: meta.costSource ?? "agent" }),
    ...countsOf(meta),
    ...(outcome === "running" && meta.stopping !== undefined && { stopping: meta.stopping }),
    ...(isOurs && { isOurs }),
  };
}

/** Zero of something needs no look at the events; how many files were written does. */
function countsOf({ counts, endedAt }: RecordingMeta): Partial<RunRow> {
  if (counts === undefined || endedAt === undefined) return {};
  return {
    ...((counts.write ?? 0) === 0 && { files: 0 }),
    commands: counts.command ?? 0,
    errors: counts.error ?? 0,
    warnings: counts.warning ?? 0,
  };
}

/** What the events tell besides. The sidecar wins where it tells too. */
export function withSummary(row: RunRow, summary: RunSummary, spent: Spent): RunRow {
  const told = {
    ...(summary.model !== undefined && { model: summary.model }),
    ...(summary.agentVersion !== undefined && { agentVersion: summary.agentVersion }),
    ...(summary.usage !== undefined && { usage: summary.usage }),
    ...(spent.tokens !== undefined && { tokens: spent.tokens }),
    ...(spent.costUsd !== undefined && {
      costUsd: spent.costUsd,
      costSource: summary.costSource ?? "agent",
    }),
  };
  return {
    ...told,
    ...row,
    files: summary.filesWritten.length,
    commands: summary.commands.length,
    errors: summary.errors.length,
    warnings: summary.warnings.length,
  };
}

/** Everything that the head of a run's page shows. */
export function toAbout(session: Session, row: RunRow, isUnknownAgent: boolean): RunAbout {
  const { prompt, argv = [], permissions, sessionId, problem } = session.meta;
  return {
    row,
    prompt,
    argv,
    // A sidecar may be of another program, or damaged.
    permissions: typeof permissions === "string" ? permissions : "",
    ...(sessionId !== undefined && { sessionId }),
    ...(problem !== undefined && { problem }),
    ...(isUnknownAgent && { isUnknownAgent }),
  };
}
