import { loadConfig } from "../../config/load-config.js";
import { run } from "../../run/run.js";
import type { Step } from "../../run/task.js";
import type { EventOf } from "../../vocabulary/event.js";
import { exitCodeOf, exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { createPrinter, type Printer, standardTerminal } from "../print/printer.js";
import { createQuietPrinter } from "../print/quiet-printer.js";
import { cancelOnSignals } from "../run/cancel-on-signals.js";
import { chooseAgent } from "../run/choose-agent.js";
import { describeDryRun } from "../run/dry-run.js";
import type { RunFlags } from "../run/flags.js";
import { readPrompt } from "../run/read-prompt.js";
import { taskFromFlags } from "../run/task-from-flags.js";

/** Runs an agent and prints its stream as it comes. */
export async function runAction(behindDashes: string[], flags: RunFlags): Promise<number> {
  const config = loadConfig({ cwd: flags.cwd ?? process.cwd() });
  const agent = await chooseAgent(flags.agent, config);
  const prompt = await readPrompt(flags);
  const model = flags.model ?? config.agent(agent.id, "model")?.value ?? config.get("default_model")?.value;
  const task = await taskFromFlags(flags, { agent, prompt, config, behindDashes, model });
  const output = createOutput(process.stdout);
  if (flags.dryRun) {
    const { text, isRunnable } = describeDryRun(task);
    await output.write(text);
    return isRunnable ? exitCodes.success : exitCodes.notInstalled;
  }

  const running = run(task);
  output.onClose(() => running.cancel());
  const watch = cancelOnSignals(() => running.cancel());
  const terminal = standardTerminal();
  const printer: Printer = flags.quiet
    ? createQuietPrinter({ agent, output, isTerminal: terminal !== undefined, complain })
    : createPrinter({
        format: flags.format,
        agent,
        output,
        terminal,
        prompt,
        recording: () => running.recording,
        showsThinking: flags.thinking,
      });
  const end: RunEnd = {};
  try {
    for await (const steps of running.batches()) {
      noteEnd(steps, end);
      await printer.print(steps);
    }
  } finally {
    printer.close();
  }
  await running.result;
  watch.stop();
  if (end.result === undefined || end.exited === undefined) throw new Error("the run ended without a result");
  return output.isClosed ? exitCodes.success : exitCodeOf(end.result, end.exited, watch.signal);
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
