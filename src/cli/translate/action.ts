import type { AgentDefinition } from "../../agents/definition.js";
import { protocolOf } from "../../agents/recorded-protocol.js";
import { createSteps, type Steps } from "../../agents/steps.js";
import { resolveAgent } from "../../config/configured-agents.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import type { Output } from "../../outputs/contract.js";
import { outputOf } from "../../outputs/registry.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import { type RecordedEnd, readRecordedEnd } from "../../runs/recording/recorded-outcome.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createLogInput, type LogInput } from "../log-input.js";
import { agentOfRecords, agentOfSidecar, isFromInput, openLog } from "../logs.js";
import { createOutput } from "../output.js";
import { printAll } from "../printing/print-all.js";
import { standardTerminal, toOutputOptions } from "../printing/printer.js";
import type { TranslateFlags } from "./command.js";
import { createExplanation } from "./explain.js";

/**
 * Translates native lines or a `raw.jsonl` into any output. The first line shows which of the two the input is, and the first
 * lines show whose it is. A recording has its own times and exit record. A recording without an exit record ends as its sidecar
 * says, if there is one, so it ends here as it does in `harness sessions`.
 */
export async function translateAction(file: string | undefined, flags: TranslateFlags): Promise<number> {
  const output = createOutput(process.stdout);
  const clock = createClock(file, flags);
  const input = createLogInput(clock.now);
  const chosen = await chosenAgent(file, flags);
  const name = isFromInput(file) ? "the input" : file;
  let held: RawRecord[] = [];
  let begun: Begun | undefined;

  async function take(records: RawRecord[], isWhole: boolean): Promise<void> {
    if (begun !== undefined) return printAll(output, begun.shown.push(begun.translation.push(records)));
    held = [...held, ...records];
    const agent = chosen ?? agentOfRecords(held, { isWhole, name });
    if (agent === undefined) return;
    begun = await begin(agent, file, flags, input, clock);
    await printAll(output, begun.shown.push(begun.translation.push(held)));
    held = [];
  }

  for await (const chunk of await openLog(file)) {
    clock.tick();
    await take(input.push(chunk), false);
    if (output.isClosed) return 0;
  }
  clock.tick();
  await take(input.end(), true);
  if (begun !== undefined)
    await printAll(output, [...begun.shown.push(begun.translation.end()), ...begun.shown.end()]);
  return 0;
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
function createClock(file: string | undefined, { format, explain }: TranslateFlags): Clock {
  const isDocument = !explain && (format === "markdown" || format === "html");
  let time = new Date().toISOString();
  return {
    now: () => time,
    tick() {
      if (isFromInput(file) && !isDocument) time = new Date().toISOString();
    },
  };
}

/** A translation, once its agent is known. */
interface Begun {
  translation: Translation;
  shown: Output;
}

async function begin(
  agent: AgentDefinition,
  file: string | undefined,
  flags: TranslateFlags,
  input: LogInput,
  clock: Clock,
): Promise<Begun> {
  const { format, explain } = flags;
  const patch = (): string | undefined => patchOf(file);
  const options = toOutputOptions({ format, agent, terminal: standardTerminal(), patch });
  const shown = explain ? createExplanation() : await outputOf(format).open(options);
  return {
    shown,
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
    const live = input.isRecording ? (readEnd()?.meta.live ?? protocolOf(agent, records)) : undefined;
    begun = createSteps(agent, {
      ...(cwd !== undefined && { cwd }),
      ...(runId !== undefined && { runId }),
      ...(resumed && { isResumed: true }),
      ...(live !== undefined && { live }),
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

/** What the run changed, if the file is a `raw.jsonl` in its recording. */
function patchOf(file: string | undefined): string | undefined {
  const found = isFromInput(file) ? undefined : findSidecar(file);
  return found && readPatch(found.paths.patch);
}

/** The end that the sidecar has, if the file is a `raw.jsonl` in its recording. */
function readEnd(file: string | undefined): RecordedEnd | undefined {
  const found = isFromInput(file) ? undefined : findSidecar(file);
  return found && readRecordedEnd(found.meta, found.paths);
}
