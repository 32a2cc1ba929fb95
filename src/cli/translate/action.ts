import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Translator } from "../../agents/contract.js";
import { createTranslator } from "../../agents/create-translator.js";
import type { AgentDefinition } from "../../agents/definition.js";
import { resolveAgent } from "../../config/configured-agents.js";
import { HarnessError, problemOf } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { RawRecord } from "../../events/raw-record.js";
import { endWithoutExit } from "../../runs/recording/end-without-exit.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import { type RecordedEnd, readRecordedEnd } from "../../runs/recording/recorded-outcome.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { printAll } from "../printing/print-all.js";
import { standardTerminal } from "../printing/printer.js";
import { createStepWriter, type Printed, type StepWriter } from "../step-writer.js";
import type { TranslateFlags } from "./command.js";
import { createExplainer } from "./explain.js";
import { createTranslateInput } from "./translate-input.js";

/**
 * Native lines, or a `raw.jsonl`, become any format. Which of the two the input is shows in its first
 * line. A recording brings its own times and exit; native lines get the time they are read at. One without an exit ends
 * as its sidecar says, where that is beside it, so that it ends here as in `harness sessions`.
 */
export async function translateAction(file: string | undefined, flags: TranslateFlags): Promise<number> {
  const agent = await resolveAgent(flags.agent, readConfiguration({ trust: flags.trust }));
  const output = createOutput(process.stdout);
  const write = flags.explain
    ? createExplainer()
    : await createStepWriter(flags.format, agent, { terminal: standardTerminal() });
  const translation = createTranslation(agent, flags, write, () => readEnd(file));
  for await (const chunk of await openInput(file)) {
    await printAll(output, translation.push(chunk));
    if (output.isClosed) return 0;
  }
  await printAll(output, translation.end());
  return 0;
}

interface Translation {
  push(chunk: Buffer): Printed[];
  end(): Printed[];
}

function createTranslation(
  agent: AgentDefinition,
  flags: TranslateFlags,
  write: StepWriter,
  readEnd: () => RecordedEnd | undefined,
): Translation {
  let translator: Translator | undefined;
  let hasExit = false;
  let now = "";
  const input = createTranslateInput(() => now);

  function begin(first: RawRecord | undefined, printed: Printed[]): Translator {
    const { cwd, runId, resumed } = flags;
    const created = createTranslator(agent, {
      ...(cwd !== undefined && { cwd }),
      ...(runId !== undefined && { runId }),
      ...(resumed && { isResumed: true }),
      hasTiming: input.isRecording,
    });
    const events = created.start(first !== undefined && input.isRecording ? first.timestamp : now);
    printed.push(write({ record: undefined, events, rule: undefined }));
    return created;
  }

  function translate(records: readonly RawRecord[]): Printed[] {
    const printed: Printed[] = [];
    for (const record of records) {
      translator ??= begin(record, printed);
      hasExit ||= record.stream === "exit";
      const events = translator.record(record);
      printed.push(write({ record, events, rule: translator.lastRule }));
    }
    return printed;
  }

  function end(): Printed[] {
    const printed: Printed[] = [];
    // An empty file does not show what it is, unless a sidecar is beside it.
    const isRecording = input.isRecording || (translator === undefined && readEnd() !== undefined);
    translator ??= begin(undefined, printed);
    if (hasExit) return printed;
    const events = endOf(translator, isRecording);
    return events.length === 0
      ? printed
      : [...printed, write({ record: undefined, events, rule: undefined })];
  }

  /** What is known of the end when the input does not tell it. */
  function endOf(begun: Translator, isRecording: boolean): HarnessEvent[] {
    const { signal, exitCode } = flags;
    const at = isRecording ? undefined : now;
    if (signal !== undefined) return begun.end({ exitCode: null, signal }, at);
    if (exitCode !== undefined || !isRecording) return begun.end({ exitCode: exitCode ?? 0 }, at);
    const end = readEnd();
    if (end?.outcome !== "running") return endWithoutExit(begun, end?.meta);
    complain("the run is still under way: this is what there is so far");
    return [];
  }

  return {
    push(chunk) {
      now = new Date().toISOString();
      return translate(input.push(chunk));
    },
    end() {
      now = new Date().toISOString();
      return [...translate(input.end()), ...end()];
    },
  };
}

/** What the sidecar says, of a `raw.jsonl` that is where it was recorded. */
function readEnd(file: string | undefined): RecordedEnd | undefined {
  const found = file === undefined || file === "-" ? undefined : findSidecar(file);
  return found && readRecordedEnd(found.meta, found.paths);
}

async function openInput(file: string | undefined): Promise<Readable> {
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY) complain("reading what is typed here; end it with Ctrl-D, or name a file");
    return process.stdin;
  }
  const unreadable = (problem: string, cause?: unknown) =>
    new HarnessError("unreadable_file", `cannot read ${file}: ${problem}`, { cause });
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(problemOf(error), error);
  });
  if ((await handle.stat()).isDirectory()) {
    await handle.close();
    throw unreadable("it is a directory, not a file");
  }
  return createReadStream("", { fd: handle, highWaterMark: 256 * 1024 });
}
