import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { AgentDefinition } from "../../agents/definition.js";
import { protocolOf } from "../../agents/recorded-protocol.js";
import { createSteps, type Steps } from "../../agents/steps.js";
import { resolveAgent } from "../../config/configured-agents.js";
import { HarnessError, problemOf } from "../../errors.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import { outputOf } from "../../outputs/registry.js";
import { findSidecar } from "../../runs/recording/find-sidecar.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import { type RecordedEnd, readRecordedEnd } from "../../runs/recording/recorded-outcome.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { printAll } from "../printing/print-all.js";
import { standardTerminal, toOutputOptions } from "../printing/printer.js";
import type { TranslateFlags } from "./command.js";
import { createExplanation } from "./explain.js";
import { createTranslateInput } from "./translate-input.js";

/**
 * Translates native lines or a `raw.jsonl` into any output. The first line shows which of the two the input is. A recording has
 * its own times and exit record; native lines get the time at which they are read. A recording without an exit record ends
 * as its sidecar says, if there is one, so it ends here as it does in `harness sessions`.
 */
export async function translateAction(file: string | undefined, flags: TranslateFlags): Promise<number> {
  const agent = await resolveAgent(flags.agent, readConfiguration({ trust: flags.trust }));
  const output = createOutput(process.stdout);
  const shown = flags.explain
    ? createExplanation()
    : await outputOf(flags.format).open(
        toOutputOptions({
          format: flags.format,
          agent,
          terminal: standardTerminal(),
          patch: () => patchOf(file),
        }),
      );
  const translation = createTranslation(agent, flags, () => readEnd(file));
  for await (const chunk of await openInput(file)) {
    await printAll(output, shown.push(translation.push(chunk)));
    if (output.isClosed) return 0;
  }
  await printAll(output, [...shown.push(translation.end()), ...shown.end()]);
  return 0;
}

/** The input of one `translate`, as steps. */
interface Translation {
  push(chunk: Buffer): Step[];
  end(): Step[];
}

function createTranslation(
  agent: AgentDefinition,
  flags: TranslateFlags,
  readEnd: () => RecordedEnd | undefined,
): Translation {
  const { cwd, runId, resumed, signal, exitCode } = flags;
  let now = "";
  const input = createTranslateInput(() => now);
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
    const at = isRecording ? undefined : now;
    if (steps.hasEnded) return [];
    if (signal !== undefined) return [steps.end({ exitCode: null, signal }, at)];
    if (exitCode !== undefined || !isRecording) return [steps.end({ exitCode: exitCode ?? 0 }, at)];
    const end = readEnd();
    if (end?.outcome !== "running") return steps.interrupted(end?.meta);
    complain("the run is still under way; this is what it has done so far");
    return [];
  }

  return {
    push(chunk) {
      now = new Date().toISOString();
      const records = input.push(chunk);
      return records.length === 0 ? [] : begin(records).pushAll(records);
    },
    end() {
      now = new Date().toISOString();
      const records = input.end();
      // An empty file does not show what it is, unless a sidecar is beside it.
      const isEmpty = records.length === 0 && begun === undefined;
      const isRecording = input.isRecording || (isEmpty && readEnd() !== undefined);
      const steps = begin(records);
      return [...steps.pushAll(records), ...steps.start(now), ...endOf(steps, isRecording)];
    },
  };
}

/** What the run changed, if the file is a `raw.jsonl` in its recording. */
function patchOf(file: string | undefined): string | undefined {
  const found = file === undefined || file === "-" ? undefined : findSidecar(file);
  return found && readPatch(found.paths.patch);
}

/** The end that the sidecar has, if the file is a `raw.jsonl` in its recording. */
function readEnd(file: string | undefined): RecordedEnd | undefined {
  const found = file === undefined || file === "-" ? undefined : findSidecar(file);
  return found && readRecordedEnd(found.meta, found.paths);
}

async function openInput(file: string | undefined): Promise<Readable> {
  if (file === undefined || file === "-") {
    if (process.stdin.isTTY) complain("reading from the terminal; end the input with Ctrl-D, or name a file");
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
