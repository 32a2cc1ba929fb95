import { statSync } from "node:fs";
import { basename } from "node:path";
import type { AgentDefinition } from "../../agents/definition.js";
import { resolveAgent } from "../../config/configured-agents.js";
import { HarnessError } from "../../errors.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { RecordingMeta } from "../../events/recording-meta.js";
import { createRunId } from "../../events/run-id.js";
import { agentsWithStores } from "../../runs/archive/stored-sessions.js";
import { writeAtomically } from "../../runs/files/write-atomically.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import {
  defaultRecordingsDirectory,
  type RecordingPaths,
  recordingPaths,
} from "../../runs/recording/paths.js";
import { readPatchBytes } from "../../runs/recording/read-patch.js";
import { outcomeWords } from "../../story/outcomes.js";
import { readConfiguration } from "../configuration.js";
import { createLogInput, type LogInput } from "../log-input.js";
import { agentOfRecords, agentOfSidecar, isFromInput, openLog } from "../logs.js";
import { createOutput } from "../output.js";
import type { ImportFlags } from "./import-command.js";
import { startWriting, type Writing } from "./write-recording.js";

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
    refuseStored(held[0], name);
    const agent = (held.length > 0 ? known : undefined) ?? agentOfRecords(held, { isWhole, name });
    if (agent === undefined) return;
    const meta = metaAtImport({ file, agent, flags, source: source?.meta, input, first: held[0], readAt });
    writing = startWriting({ agent, meta, first: held, sessionsDirectory: defaultRecordingsDirectory() });
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

/** A file of an agent's store looks like a log, but its lines mean other things. */
function refuseStored(first: RawRecord | undefined, name: string): void {
  const line = first?.stream === "stdout" ? (first.line ?? "") : "";
  const agent = agentsWithStores().find(({ store }) => store?.mark?.test(line));
  if (agent === undefined) return;
  const message = `${name} is a session that ${agent.name} keeps itself, not what it printed; import it with: harness sessions import --from ${agent.id}`;
  throw new HarnessError("unknown_log", message);
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
