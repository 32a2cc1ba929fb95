import type { BatchOfRun, RecordingMeta } from "../events/recording-meta.js";
import type { Recording } from "../runs/archive/recording.js";
import type { RunSummary } from "../story/run-summary.js";
import type { Spent } from "../story/spending.js";
import { toVisibleLine } from "../text/cut.js";
import type { RunAbout, RunRow } from "./protocol.js";

const shownPrompt = 400;

/** Whose a run is: `session` is a live session that this server has opened, `run` another run that it has started. */
export type OwnKind = "run" | "session";

/** What the sidecar of a recording knows. */
export function toRow({ id, outcome, meta }: Recording, own?: OwnKind): RunRow {
  const { agentVersion, model, endedAt, usage, costUsd } = meta;
  const batch = batchOf(meta);
  const failure = meta.outcome?.failure;
  const isRunning = outcome === "running";
  const isAnswerable = isRunning && (own === "session" || typeof meta.control === "string");
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
    ...(isRunning && meta.stopping !== undefined && { stopping: meta.stopping }),
    ...(own !== undefined && { isOurs: true }),
    ...(meta.live !== undefined && { isLive: true }),
    ...(isAnswerable && { isAnswerable }),
    ...(meta.isDemo === true && { isDemo: true }),
    ...(meta.imported !== undefined && { isImported: true }),
    ...(batch !== undefined && { batch }),
  };
}

/** A sidecar may be damaged, or written by another program. */
function batchOf({ batch }: RecordingMeta): BatchOfRun | undefined {
  if (typeof batch?.id !== "string" || typeof batch.cell !== "string") return undefined;
  return { id: batch.id, cell: batch.cell };
}

/** The sidecar counts events. The number of written files is known only if it is zero. */
function countsOf({ counts, endedAt, changes }: RecordingMeta): Partial<RunRow> {
  if (counts === undefined || endedAt === undefined) return {};
  return {
    ...((counts.write ?? 0) === 0 && { files: 0 }),
    ...(typeof changes?.files === "number" && linesOf(changes)),
    commands: counts.command ?? 0,
    errors: counts.error ?? 0,
    warnings: counts.warning ?? 0,
  };
}

function linesOf({ files, insertions, deletions }: NonNullable<RecordingMeta["changes"]>): Partial<RunRow> {
  return { files, ...(insertions + deletions > 0 && { insertions, deletions }) };
}

/** Adds what the events know. Where both know something, the sidecar wins. */
export function withSummary(row: RunRow, summary: RunSummary, spent: Spent): RunRow {
  const known = {
    ...(summary.model !== undefined && { model: summary.model }),
    ...(summary.agentVersion !== undefined && { agentVersion: summary.agentVersion }),
    ...(summary.usage !== undefined && { usage: summary.usage }),
    ...(spent.tokens !== undefined && { tokens: spent.tokens }),
    ...(spent.costUsd !== undefined && {
      costUsd: spent.costUsd,
      costSource: summary.costSource ?? spent.costSource ?? "agent",
    }),
  };
  const first = summary.turns?.find(({ prompt }) => prompt !== undefined)?.prompt;
  return {
    ...known,
    ...row,
    // A live session is named by its first prompt.
    ...(row.prompt === "" && first !== undefined && { prompt: toVisibleLine(first, shownPrompt) }),
    ...(row.insertions === undefined && { files: filesOf(summary) }),
    commands: summary.commands.length,
    errors: summary.errors.length,
    warnings: summary.warnings.length,
  };
}

function filesOf({ changes, filesWritten }: RunSummary): number {
  return changes === undefined ? filesWritten.length : changes.files.length + (changes.moreFiles ?? 0);
}

/** Everything that the header of a run's page shows. */
export function toAbout(recording: Recording, row: RunRow, isUnknownAgent: boolean): RunAbout {
  const { prompt, argv = [], permissions, sessionId, changes, problem } = recording.meta;
  return {
    row,
    prompt,
    argv,
    // A sidecar may be damaged, or written by another program.
    permissions: typeof permissions === "string" ? permissions : "",
    ...(sessionId !== undefined && { sessionId }),
    ...(typeof changes?.files === "number" && { changes }),
    ...(problem !== undefined && { problem }),
    ...(isUnknownAgent && { isUnknownAgent }),
  };
}
