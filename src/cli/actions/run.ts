import { loadConfig } from "../../config/load-config.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { loadModels } from "../../models/load-models.js";
import { refreshRegistry } from "../../models/refresh-registry.js";
import { run } from "../../run/run.js";
import type { Step, Task } from "../../run/task.js";
import type { EventOf } from "../../vocabulary/event.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { createOutput, type Output } from "../output.js";
import type { LiveTerminal } from "../print/live-printer.js";
import { createPrinter, type Printer, standardTerminal } from "../print/printer.js";
import { createQuietPrinter } from "../print/quiet-printer.js";
import { cancelOnSignals } from "../run/cancel-on-signals.js";
import { chooseAgent } from "../run/choose-agent.js";
import { describeDryRun } from "../run/dry-run.js";
import { createFileOutput } from "../run/file-output.js";
import type { RunFlags } from "../run/flags.js";
import { readPrompt } from "../run/read-prompt.js";
import { taskFromFlags } from "../run/task-from-flags.js";

/** After a signal, a reader that has stopped reading keeps us for this long and no longer. */
const readerPatienceMs = 5000;

/** Runs an agent and prints its stream as it comes. */
export async function runAction(behindDashes: string[], flags: RunFlags): Promise<number> {
  const config = loadConfig({ cwd: flags.cwd ?? process.cwd() });
  const agent = await chooseAgent(flags.agent, config);
  const prompt = await readPrompt(flags);
  const models = loadModels(config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const fromFlags = await taskFromFlags(flags, { agent, prompt, config, behindDashes, model });
  const task: Task = { ...fromFlags, findPrice: (id) => findPrice(id, models.layers) };
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, isRunnable } = describeDryRun(task);
    await output.write(text);
    return isRunnable ? exitCodes.success : exitCodes.notInstalled;
  }

  const running = run(task);
  // Asked for at once: from here on the agent waits for us, however long the rest takes to load.
  const batches = running.batches();
  const refresh = refreshRegistry(models.registry);
  output.onClose(() => running.cancel());
  const watch = cancelOnSignals(
    () => running.cancel(),
    () => output.abandon(),
  );
  running.result.then(() => {
    if (watch.signal !== undefined) setTimeout(() => output.abandon(), readerPatienceMs).unref();
  });
  const terminal = standardTerminal();
  const printTo = async (to: Output, at: LiveTerminal | undefined): Promise<Printer> =>
    flags.quiet
      ? createQuietPrinter({
          agent,
          output: to,
          isTerminal: at !== undefined,
          complain: to === output ? complain : () => undefined,
        })
      : await createPrinter({
          format: flags.format,
          agent,
          output: to,
          terminal: at,
          prompt,
          recording: () => running.recording,
          showsThinking: flags.thinking,
        });
  const file = flags.outputFile === undefined ? undefined : createFileOutput(flags.outputFile, complain);
  const filePrinter = file && (await printTo(file, undefined));
  const printer = await printTo(output, terminal);
  const end: RunEnd = {};
  try {
    for await (const steps of batches) {
      noteEnd(steps, end);
      await filePrinter?.print(steps);
      await printer.print(steps);
    }
  } finally {
    refresh.stop();
    printer.close();
  }
  const { recordingProblems = [] } = await running.result;
  watch.stop();
  file?.close();
  for (const problem of recordingProblems) complain(problem);
  if (end.result === undefined || end.exited === undefined) throw new Error("the run ended without a result");
  if (output.isClosed && watch.signal === undefined) return exitCodes.success;
  const exitCode = exitCodeOf(end.result, end.exited, watch.signal);
  const isUnwritten = recordingProblems.length > 0 || file?.hasFailed === true;
  return exitCode === exitCodes.success && isUnwritten ? exitCodes.notWritten : exitCode;
}

function complain(sentence: string): void {
  process.stderr.write(`harness: ${sentence}\n`);
}

interface RunEnd {
  result?: EventOf<"result">;
  exited?: EventOf<"exited">;
}

function noteEnd(steps: readonly Step[], end: RunEnd): void {
  for (const event of steps.at(-1)?.events ?? []) {
    if (event.type === "result") end.result = event;
    if (event.type === "exited") end.exited = event;
  }
}
