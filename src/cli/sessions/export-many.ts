import { statSync } from "node:fs";
import { findAgent } from "../../agents/registry.js";
import { HarnessError } from "../../errors.js";
import type { OutputName } from "../../outputs/registry.js";
import { type Recording, recordings } from "../../runs/archive/recordings.js";
import { createNaming, makeTargetDirectories, manyTargets } from "../many/directory-targets.js";
import { enoughBytes, runMany } from "../many/run-many.js";
import { directoryFilter, periodOf } from "../run-filters.js";
import type { ExportFlags } from "./command.js";
import { openExportWork } from "./export-work.js";

/** Exports many recorded runs: those that are named, in this order, or with `--all` those that match, the oldest first. */
export async function exportMany(ids: readonly string[], flags: ExportFlags): Promise<number> {
  const { format: asked, output, full, otlpContents } = flags;
  const targets = manyTargets({ format: asked, output }, "markdown");
  const { found, problems } = flags.all ? await findAll(flags) : await findNamed(ids);
  if (flags.otlp) return sendAll(found, flags);
  makeTargetDirectories(targets);
  const { format, directories } = targets;
  const names: OutputName[] = [
    ...(format === undefined ? [] : [format]),
    ...directories.map(({ name }) => name),
  ];
  const nameRun = createNaming(targets);
  return runMany({
    jobs: found.map(({ id }) => ({ name: id, given: { id }, files: nameRun([id]).files })),
    noun: "run",
    setup: { flags: { full, otlpContents }, format, names },
    open: openExportWork,
    entry: "export-worker.cjs",
    mostLanes: flags.jobs,
    bytes: bytesOf(found, enoughBytes()),
    isPrinting: format !== undefined,
    hasHeadings: format === "text",
    problems,
  });
}

interface FoundRuns {
  found: Recording[];
  problems: string[];
}

/** An id that means no run, or several, is refused before anything is written. A run that is named twice is exported once. */
async function findNamed(ids: readonly string[]): Promise<FoundRuns> {
  const found = new Map<string, Recording>();
  for (const id of ids) {
    const recording = await recordings.find(id);
    found.set(recording.id, recording);
  }
  return { found: [...found.values()], problems: [] };
}

async function findAll(flags: ExportFlags): Promise<FoundRuns> {
  const problems: string[] = [];
  const found = await recordings.list({
    agent: flags.agent && (findAgent(flags.agent)?.id ?? flags.agent),
    outcome: flags.outcome,
    cwd: directoryFilter(flags),
    ...periodOf(flags),
    onUnreadable: (_id, error) => problems.push(error.message),
  });
  if (found.length === 0 && problems.length === 0)
    throw new HarnessError("unknown_session", "no recorded run matches; `harness sessions list` shows them");
  return { found: found.reverse(), problems };
}

/** Spans are sent one run after the other: the collector is what takes the time. */
async function sendAll(found: readonly Recording[], flags: ExportFlags): Promise<number> {
  const { sendSpans } = await import("./send-spans.js");
  let exitCode = 0;
  for (const recording of found) exitCode = Math.max(exitCode, await sendSpans(recording, flags));
  return exitCode;
}

/** The size of the recordings, counted until it is certain that they keep all lanes busy. */
function bytesOf(found: readonly Recording[], enough: number): number {
  let bytes = 0;
  for (const { paths } of found) {
    if (bytes >= enough) break;
    bytes += statSync(paths.raw, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
