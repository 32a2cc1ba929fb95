import { rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { AgentDefinition } from "../../agents/definition.js";
import { protocolOf } from "../../agents/recorded-protocol.js";
import { createSteps, type Steps } from "../../agents/steps.js";
import { resolveAgent } from "../../config/configured-agents.js";
import { HarnessError } from "../../errors.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { createRunId } from "../../events/run-id.js";
import type { Step } from "../../events/step.js";
import { endRecord } from "../../runs/end-record.js";
import { writeAtomically } from "../../runs/files/write-atomically.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import {
  defaultRecordingsDirectory,
  type RecordingPaths,
  recordingPaths,
} from "../../runs/recording/paths.js";
import { readPatchBytes } from "../../runs/recording/read-patch.js";
import { createRecorder, type Recorder } from "../../runs/recording/recorder.js";
import { replayOptionsOf } from "../../runs/recording/replay.js";
import { createBatches } from "../../runs/recording/step-batch.js";
import { createTally, type Tally } from "../../runs/tally.js";
import { createSummary } from "../../story/create-summary.js";
import { outcomeWords } from "../../story/outcomes.js";
import { readConfiguration } from "../configuration.js";
import { createLogInput, type LogInput } from "../log-input.js";
import { agentOfRecords, agentOfSidecar, isFromInput, openLog } from "../logs.js";
import { createOutput } from "../output.js";
import type { ImportFlags } from "./command.js";

/** Makes a recording out of each log. If one of them cannot be imported, those before it stay. */
export async function importAction(files: readonly string[], flags: ImportFlags): Promise<number> {
  const output = createOutput(process.stdout);
  const chosen =
    flags.agent === undefined
      ? undefined
      : await resolveAgent(flags.agent, readConfiguration({ trust: flags.trust }));
  const made: ImportedRun[] = [];
  for (const file of files) {
    const run = await importLog(file, chosen, flags);
    made.push(run);
    if (!flags.json) await output.print(`${run.id}  ${run.agent}  ${outcomeWords[run.outcome]}  ${file}\n`);
  }
  if (flags.json) await output.printJson(made);
  return 0;
}

interface ImportedRun {
  id: string;
  agent: string;
  outcome: NonNullable<RecordingMeta["outcome"]>["reason"];
  file: string;
}

async function importLog(
  file: string,
  chosen: AgentDefinition | undefined,
  flags: ImportFlags,
): Promise<ImportedRun> {
  const source = isFromInput(file) ? undefined : findSidecar(file);
  if (source !== undefined) refuseOwn(file, source.paths);
  const readAt = (isFromInput(file) ? new Date() : timeOfFile(file)).toISOString();
  const input = createLogInput(() => readAt);
  const name = isFromInput(file) ? "the input" : file;
  const known = chosen ?? agentOfSidecar(file);
  let held: RawRecord[] = [];
  let writing: Writing | undefined;

  function take(records: readonly RawRecord[], isWhole: boolean): void {
    if (writing !== undefined) return writing.push(records);
    held = [...held, ...records];
    if (isWhole) refuseEmpty(held, name);
    const agent = (held.length > 0 ? known : undefined) ?? agentOfRecords(held, { isWhole, name });
    if (agent === undefined) return;
    const meta = metaAtImport({ file, agent, flags, source: source?.meta, input, first: held[0], readAt });
    writing = startWriting(agent, meta, held);
    writing.push(held);
    held = [];
  }

  try {
    for await (const chunk of await openLog(file)) take(input.push(chunk), false);
    take(input.end(), true);
  } catch (error) {
    writing?.discard();
    throw error;
  }
  if (writing === undefined)
    throw new HarnessError("unknown_log", `${name} is empty; there is nothing to import`);
  const { meta, paths } = writing.end(readAt);
  const patch = source === undefined ? undefined : readPatchBytes(source.paths.patch);
  if (patch !== undefined) writeAtomically(paths.patch, patch);
  return { id: meta.runId, agent: meta.agent, outcome: meta.outcome?.reason ?? "interrupted", file };
}

function refuseEmpty(records: readonly RawRecord[], name: string): void {
  const isEmpty = records.every((record) => "line" in record && record.line?.trim() === "");
  if (isEmpty) throw new HarnessError("unknown_log", `${name} is empty; there is nothing to import`);
}

/** A recording that is listed already would be listed twice. */
function refuseOwn(file: string, paths: RecordingPaths): void {
  const own = recordingPaths(defaultRecordingsDirectory(), basename(paths.folder));
  if (own.folder !== paths.folder) return;
  const message = `${file} belongs to the recording ${basename(paths.folder)}, which is listed already; see: harness sessions show ${basename(paths.folder)}`;
  throw new HarnessError("run_id_taken", message);
}

/** When a log without times was written, as far as that is known. */
function timeOfFile(file: string): Date {
  return statSync(file, { throwIfNoEntry: false })?.mtime ?? new Date();
}

function metaAtImport(given: {
  file: string;
  agent: AgentDefinition;
  flags: ImportFlags;
  source: RecordingMeta | undefined;
  input: LogInput;
  first: RawRecord | undefined;
  readAt: string;
}): RecordingMeta {
  const { file, agent, flags, source, input, first, readAt } = given;
  const startedAt = source?.startedAt ?? (input.isRecording ? (first?.timestamp ?? readAt) : readAt);
  const name = isFromInput(file) ? "standard input" : basename(file);
  const { harness, control, stopping, ...kept } = source ?? bareMeta(startedAt);
  return {
    ...kept,
    agent: agent.id,
    ...(agent.translator !== undefined && { translator: agent.translator }),
    ...(flags.cwd !== undefined && { cwd: flags.cwd }),
    prompt: flags.prompt ?? source?.prompt ?? name,
    imported: {
      file: name,
      importedAt: new Date().toISOString(),
      ...(!input.isRecording && { isUntimed: true as const }),
    },
  };
}

function bareMeta(startedAt: string): RecordingMeta {
  return {
    runId: createRunId(new Date(startedAt)),
    agent: "",
    cwd: "",
    prompt: "",
    argv: [],
    envNames: [],
    permissions: "",
    startedAt,
  };
}

/** A recording that is being written from a log. */
interface Writing {
  push(records: readonly RawRecord[]): void;
  end(at: string): { meta: RecordingMeta; paths: RecordingPaths };
  /** Something went wrong: half a recording would be taken for a whole one. */
  discard(): void;
}

function startWriting(agent: AgentDefinition, meta: RecordingMeta, first: readonly RawRecord[]): Writing {
  const sessionsDirectory = defaultRecordingsDirectory();
  const paths = recordingPaths(sessionsDirectory, meta.runId);
  const live = meta.live ?? protocolOf(agent, first);
  const started: RecordingMeta = { ...meta, ...(live !== undefined && { live }) };
  const steps = createSteps(agent, replayOptionsOf(started));
  const recorder = createRecorder({ sessionsDirectory, meta: started });
  const toBatch = createBatches();
  const tally = createTally();
  const summary = createSummary();
  refuseProblems(recorder.open());

  function write(made: readonly Step[]): void {
    tally.add(made);
    for (const step of made) for (const event of step.events) summary.add(event);
    refuseProblems(recorder.write(toBatch(made)));
  }

  return {
    push: (records) => write(steps.pushAll(records)),
    end(at) {
      write(endOf(steps, started, at));
      const { endedAt, cwd = "" } = summary.read();
      const known = started.imported?.isUntimed ? undefined : endedAt;
      const ended = { ...metaAtEnd(started, tally, steps, known), cwd: started.cwd || cwd };
      refuseProblems(recorder.close(ended));
      return { meta: { ...started, ...ended }, paths };
    },
    discard: () => discard(recorder, paths),
  };
}

/** A native log does not say how its process ended: it counts as exit code 0, as it does for `translate`. */
function endOf(steps: Steps, meta: RecordingMeta, at: string): Step[] {
  if (steps.hasEnded) return [];
  if (meta.imported?.isUntimed) return [endRecord(steps, { exitCode: 0, signal: null }, undefined, at)];
  return steps.interrupted(meta);
}

function metaAtEnd(
  started: RecordingMeta,
  tally: Tally,
  { agentVersion }: Steps,
  endedAt: string | undefined,
): Partial<RecordingMeta> {
  const { isSuccess, reason, failure, usage, costUsd, costSource, sessionId, exitCode, signal } =
    tally.result(started.runId);
  const { model = started.model } = tally;
  const seen: Partial<RecordingMeta> = {
    outcome: { isSuccess, reason, ...(failure !== undefined && { failure }) },
    ...(usage !== undefined && { usage }),
    ...(costUsd !== undefined && { costUsd }),
    ...(costSource !== undefined && { costSource }),
    exitCode,
    ...(signal !== undefined && { signal }),
    counts: { ...tally.counts },
  };
  return {
    ...(started.endedAt === undefined && endedAt !== undefined && { endedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(model !== undefined && { model }),
    ...(sessionId !== undefined && { sessionId }),
    ...(started.outcome === undefined && seen),
  };
}

function refuseProblems([problem]: readonly string[]): void {
  if (problem !== undefined) throw new HarnessError("unwritable_file", `nothing was imported: ${problem}`);
}

function discard(recorder: Recorder, { folder, ndjson, meta }: RecordingPaths): void {
  recorder.close({});
  rmSync(folder, { recursive: true, force: true });
  for (const path of [ndjson, meta]) rmSync(path, { force: true });
}
