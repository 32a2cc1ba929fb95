import type { AgentDefinition } from "../../agents/definition.js";
import { recordedAs } from "../../agents/recorded-protocol.js";
import { createSteps, type Steps } from "../../agents/steps.js";
import { resolveAgent } from "../../config/configured-agents.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import type { Output } from "../../outputs/contract.js";
import { type OutputName, outputOf } from "../../outputs/registry.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import { type RecordedEnd, readRecordedEnd } from "../../runs/recording/recorded-outcome.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { createLogInput, type LogInput } from "../log-input.js";
import { agentOfRecords, agentOfSidecar, isFromInput, openLog } from "../logs.js";
import { createOutput, type PrintTarget } from "../output.js";
import type { LiveTerminal } from "../printing/live-printer.js";
import { printAll } from "../printing/print-all.js";
import { standardTerminal, toOutputOptions } from "../printing/printer.js";
import { checkPlaces } from "../running/check-places.js";
import { closeOutputFiles, type OutputFile, openOutputFiles } from "../running/output-files.js";
import { outputTargets } from "../running/output-targets.js";
import { keepHeapSmall } from "../running/small-heap.js";
import type { TranslateFlags } from "./command.js";
import { createExplanation } from "./explain.js";

/**
 * Translates native lines or a `raw.jsonl` into any outputs. The first line shows which of the two the input is, and the first
 * lines show whose it is. A recording has its own times and exit record. A recording without an exit record ends as its sidecar
 * says, if there is one, so it ends here as it does in `harness sessions`.
 */
export async function translateAction(file: string | undefined, flags: TranslateFlags): Promise<number> {
  const targets = outputTargets(flags, "ndjson");
  const output = createOutput(process.stdout);
  const chosen = await chosenAgent(file, flags);
  let files: OutputFile[] = [];
  await translateLog(file, flags, {
    chosen,
    names: [...(flags.explain ? [] : [targets.format]), ...targets.files.map(({ name }) => name)],
    printed: { format: targets.format, output, terminal: standardTerminal(), explains: flags.explain },
    check: () => checkPlaces({}, targets),
    boundHeap: keepHeapSmall({ batchesBetweenLooks: 1 }),
    openFiles() {
      files = openOutputFiles(targets);
      return files;
    },
  });
  return closeOutputFiles(files) ? exitCodes.success : exitCodes.notWritten;
}

/** How one log is translated, and what it is printed to. */
export interface LogTranslation {
  /** The agent, if it is known. */
  chosen: AgentDefinition | undefined;
  /** The outputs that it is printed with. */
  names: readonly OutputName[];
  printed: Destination | undefined;
  /** Refuses files that cannot be written. */
  check?(): void;
  /** Called for each piece of the log that is read. Left out in threads: the flags are those of the process. */
  boundHeap?(): void;
  /** Called when the log is known to be readable: nothing is written over for input that cannot be read. */
  openFiles(): readonly OutputFile[];
}

/** Translates one log. The caller closes the files. Ends early if nobody reads what is printed, and there are no files. */
export async function translateLog(
  file: string | undefined,
  flags: TranslateFlags,
  { chosen, names, printed, check, boundHeap, openFiles }: LogTranslation,
): Promise<void> {
  const clock = createClock(file, names);
  const input = createLogInput(clock.now);
  const name = isFromInput(file) ? "the input" : file;
  const log = await openLog(file);
  check?.();
  let files: readonly OutputFile[] = [];
  let held: RawRecord[] = [];
  let begun: Begun | undefined;

  async function take(records: RawRecord[], isWhole: boolean): Promise<void> {
    if (begun !== undefined) return show(begun, records);
    held = [...held, ...records];
    const agent = chosen ?? agentOfRecords(held, { isWhole, name });
    if (agent === undefined) return;
    files = openFiles();
    const destinations = [...(printed === undefined ? [] : [printed]), ...files];
    begun = await begin(agent, file, flags, { input, clock, destinations });
    await show(begun, held);
    held = [];
  }

  for await (const chunk of log) {
    clock.tick();
    boundHeap?.();
    await take(input.push(chunk), false);
    if (printed?.output.isClosed && files.length === 0) return;
  }
  clock.tick();
  await take(input.end(), true);
  if (begun !== undefined) await finish(begun);
}

async function show({ translation, shown }: Begun, records: readonly RawRecord[]): Promise<void> {
  const steps = translation.push(records);
  await Promise.all(shown.map(({ output, to }) => printAll(to, output.push(steps))));
}

async function finish({ translation, shown }: Begun): Promise<void> {
  const steps = translation.end();
  await Promise.all(shown.map(({ output, to }) => printAll(to, [...output.push(steps), ...output.end()])));
}

/** The agent that the user names, else the one of the recording. */
async function chosenAgent(
  file: string | undefined,
  flags: TranslateFlags,
): Promise<AgentDefinition | undefined> {
  if (flags.agent === undefined) return agentOfSidecar(file);
  return resolveAgent(flags.agent, readConfiguration({ trust: flags.trust }));
}

interface Clock {
  now(): string;
  /** Something was read. */
  tick(): void;
}

/**
 * The times of native lines, which have none. Lines from a pipe may come from an agent that is at work: they get the time at which
 * they are read. Lines of a file all have one time, as have those of documents, so that nothing takes them for durations.
 */
function createClock(file: string | undefined, names: readonly OutputName[]): Clock {
  const hasDocument = names.some((name) => documents.has(name));
  let time = new Date().toISOString();
  return {
    now: () => time,
    tick() {
      if (isFromInput(file) && !hasDocument) time = new Date().toISOString();
    },
  };
}

const documents: ReadonlySet<OutputName> = new Set<OutputName>(["markdown", "html"]);

/** A translation, once its agent is known. */
interface Begun {
  translation: Translation;
  shown: readonly { output: Output; to: PrintTarget }[];
}

interface Destination {
  format: OutputName;
  output: PrintTarget;
  /** What became of each line is printed instead. */
  explains?: boolean | undefined;
  terminal?: LiveTerminal | undefined;
}

interface Going {
  input: LogInput;
  clock: Clock;
  destinations: readonly Destination[];
}

async function begin(
  agent: AgentDefinition,
  file: string | undefined,
  flags: TranslateFlags,
  { input, clock, destinations }: Going,
): Promise<Begun> {
  const found = isFromInput(file) ? undefined : findSidecar(file);
  const { otlpContents: hasContents } = flags;
  const open = ({ format, terminal, explains }: Destination): Output | Promise<Output> => {
    if (explains) return createExplanation();
    const patch = (): string | undefined => found && readPatch(found.paths.patch);
    const prompt = found?.meta.prompt;
    return outputOf(format).open(toOutputOptions({ format, agent, terminal, patch, prompt, hasContents }));
  };
  const shown = destinations.map(async (one) => ({ output: await open(one), to: one.output }));
  return {
    shown: await Promise.all(shown),
    translation: createTranslation({ agent, flags, input, clock, readEnd: () => readEnd(file) }),
  };
}

/** The input of one `translate`, as steps. */
interface Translation {
  push(records: readonly RawRecord[]): Step[];
  end(): Step[];
}

function createTranslation({
  agent,
  flags,
  input,
  clock,
  readEnd,
}: {
  agent: AgentDefinition;
  flags: TranslateFlags;
  input: LogInput;
  clock: Clock;
  readEnd: () => RecordedEnd | undefined;
}): Translation {
  const { cwd, runId, resumed, signal, exitCode } = flags;
  let begun: Steps | undefined;

  /** Made with the first records. They show whether the times are those of the run, and whether it is a live session. */
  function begin(records: readonly RawRecord[]): Steps {
    if (begun !== undefined) return begun;
    const known = input.isRecording ? readEnd()?.meta.live : undefined;
    begun = createSteps(agent, {
      ...(cwd !== undefined && { cwd }),
      ...(runId !== undefined && { runId }),
      ...(resumed && { isResumed: true }),
      ...(input.isRecording && recordedAs(agent, records)),
      ...(known !== undefined && { live: known }),
      hasTiming: input.isRecording,
    });
    return begun;
  }

  /** The end of the run, if the input has none. */
  function endOf(steps: Steps, isRecording: boolean): Step[] {
    const at = isRecording ? undefined : clock.now();
    if (steps.hasEnded) return [];
    if (signal !== undefined) return [steps.end({ exitCode: null, signal }, at)];
    if (exitCode !== undefined || !isRecording) return [steps.end({ exitCode: exitCode ?? 0 }, at)];
    const end = readEnd();
    if (end?.outcome !== "running") return steps.interrupted(end?.meta);
    complain("the run is still under way; this is what it has done so far");
    return [];
  }

  return {
    push: (records) => (records.length === 0 ? [] : begin(records).pushAll(records)),
    end() {
      // An empty file does not show what it is, unless a sidecar is beside it.
      const isEmpty = begun === undefined;
      const isRecording = input.isRecording || (isEmpty && readEnd() !== undefined);
      const steps = begin([]);
      return [...steps.start(clock.now()), ...endOf(steps, isRecording)];
    },
  };
}

/** The end that the sidecar has, if the file is a `raw.jsonl` in its recording. */
function readEnd(file: string | undefined): RecordedEnd | undefined {
  const found = isFromInput(file) ? undefined : findSidecar(file);
  return found && readRecordedEnd(found.meta, found.paths);
}
