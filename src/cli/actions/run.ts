import { readFileSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { requireAgent } from "../../agents/registry.js";
import { HarnessError, messageOf } from "../../errors.js";
import { run } from "../../run/run.js";
import type { Step } from "../../run/task.js";
import type { EventOf } from "../../vocabulary/event.js";
import { exitCodeOf } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { createStepWriter, joinPrinted, type StreamFormat } from "../step-writer.js";

export interface RunFlags {
  agent: string;
  prompt?: string;
  promptFile?: string;
  model?: string;
  permissions: "full-access" | "read-only";
  format: StreamFormat;
  cwd?: string;
  timeout?: number;
  idleTimeout?: number;
  systemPrompt?: string;
  appendSystemPrompt?: string;
  maxTurns?: number;
  maxBudgetUsd?: number;
  resume?: string;
  binary?: string;
  env?: string[];
  record?: string;
  log: boolean;
}

/** Runs an agent and prints its stream as it comes. */
export async function runAction(extraArgs: string[], flags: RunFlags): Promise<number> {
  const agent = requireAgent(flags.agent);
  const {
    format,
    timeout,
    idleTimeout,
    record,
    env,
    prompt: _prompt,
    promptFile: _promptFile,
    ...options
  } = flags;
  const running = run({
    ...options,
    agent,
    prompt: await readPrompt(flags),
    extraArgs,
    env: parseEnvironment(env ?? []),
    timeoutMs: milliseconds(timeout),
    idleTimeoutMs: milliseconds(idleTimeout),
    recordTo: record,
  });

  const output = createOutput(process.stdout);
  output.onClose(() => running.cancel());
  const cancelledBy = cancelOnSignals(() => running.cancel());
  const write = createStepWriter(format, agent);
  const end: { result?: EventOf<"result">; exited?: EventOf<"exited"> } = {};
  for await (const steps of running.batches()) {
    noteEnd(steps, end);
    await output.write(joinPrinted(steps.map(write)));
  }
  await running.result;
  cancelledBy.stop();
  if (end.result === undefined || end.exited === undefined) throw new Error("the run ended without a result");
  return output.isClosed ? 0 : exitCodeOf(end.result, end.exited, cancelledBy.signal);
}

function noteEnd(
  steps: readonly Step[],
  end: { result?: EventOf<"result">; exited?: EventOf<"exited"> },
): void {
  for (const event of steps.at(-1)?.events ?? []) {
    if (event.type === "result") end.result = event;
    if (event.type === "exited") end.exited = event;
  }
}

/** The prompt from the flag, a file, or standard input, in that order. */
async function readPrompt(flags: RunFlags): Promise<string> {
  const prompt =
    flags.prompt ?? (flags.promptFile === undefined ? await readStandardInput() : readFile(flags.promptFile));
  if (prompt.trim() === "")
    throw new HarnessError(
      "empty_prompt",
      "the prompt is empty; give one with --prompt, --prompt-file or on standard input",
    );
  return prompt;
}

async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY)
    throw new HarnessError(
      "no_prompt",
      "there is no prompt; give one with --prompt, --prompt-file or on standard input",
    );
  return (await readAll(process.stdin)).trim();
}

function readFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new HarnessError("unreadable_file", `cannot read the prompt file ${file}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function parseEnvironment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw new HarnessError("bad_env", `--env takes NAME=value, not "${pair}"`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

/** The first signal cancels the run, the second kills it at once; the exit code tells which it was. */
function cancelOnSignals(cancel: () => void): { signal: NodeJS.Signals | undefined; stop(): void } {
  const state: { signal: NodeJS.Signals | undefined; stop(): void } = {
    signal: undefined,
    stop: () => {
      for (const name of names) process.off(name, listen);
    },
  };
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listen = (signal: NodeJS.Signals): void => {
    state.signal ??= signal;
    cancel();
  };
  for (const name of names) process.on(name, listen);
  return state;
}
