import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { recordingPaths } from "../../src/recording/index.js";
import type { RecordedRequest } from "../../src/testing/index.js";
import type { HarnessEvent } from "../../src/vocabulary/event.js";
import { agentPidOf, survivorsOf } from "./processes.js";
import { filesIn, type Stage } from "./stage.js";

/** The built command, or another build of it. */
const commandPath =
  process.env["HARNESS_COMMAND"] ?? fileURLToPath(new URL("../../dist/cli/main.cjs", import.meta.url));

/** Longer than anything here takes on a busy machine; a run that needs it has failed. */
export const patienceMs = 240_000;

/** All that can be seen of one run, on the three sides that there are: the stream, the disk, the model. */
export interface Observed {
  runId: string;
  events: HarnessEvent[];
  exitCode: number | null;
  stderr: string;
  workspace: string;
  before: Record<string, string>;
  after: Record<string, string>;
  requests: readonly RecordedRequest[];
  survivors: string[];
  recording: ReturnType<typeof recordingPaths>;
}

/** A run under way. */
export interface LiveRun {
  /** Resolves when the command has left this trace, and the stream has told of it if the agent tells in time. */
  commandBegun(trace: string): Promise<void>;
  /** Signals the agent's own process, and nothing else. */
  signalAgent(signal: NodeJS.Signals): Promise<void>;
  signalHarness(signal: NodeJS.Signals): void;
}

export interface Interference {
  during?: ((live: LiveRun) => Promise<void>) | undefined;
  announcesCalls: boolean;
}

/** Runs the built `harness` as a user does. */
export async function runHarness(
  stage: Stage,
  args: readonly string[],
  { during, announcesCalls }: Interference = { announcesCalls: false },
): Promise<Observed> {
  const before = filesIn(stage.workspace);
  const firstRequest = stage.model.requests.length;
  const child = spawn(process.execPath, [commandPath, "run", "--format", "full", ...args], {
    env: stage.env,
    cwd: stage.workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collect(child);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const watch = during?.(liveRun(child, stage, output, announcesCalls)).catch((error: unknown) => {
    child.kill("SIGTERM");
    throw error;
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), patienceMs);
  const exitCode = await ended;
  clearTimeout(timer);
  await watch;
  const events = output.events();
  const runId = events[0]?.runId ?? "";
  if (runId === "" && exitCode !== 2) throw new Error(`harness ended with ${exitCode}: ${output.stderr()}`);
  const survivors = runId === "" ? [] : survivorsOf(runId, stage.workspace);
  const sessions = join(stage.home, ".local", "share", "harness", "sessions");
  return {
    runId,
    events,
    exitCode,
    stderr: output.stderr(),
    workspace: stage.workspace,
    before,
    after: filesIn(stage.workspace),
    requests: stage.model.requests.slice(firstRequest),
    survivors,
    recording: recordingPaths(sessions, runId),
  };
}

function collect(child: ChildProcess) {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  return {
    stderr: () => Buffer.concat(stderr).toString("utf8"),
    /** The complete lines so far. */
    events(): HarnessEvent[] {
      const lines = Buffer.concat(stdout).toString("utf8").split("\n").slice(0, -1);
      return lines.map((line) => JSON.parse(line));
    },
  };
}

function liveRun(
  child: ChildProcess,
  stage: Stage,
  output: ReturnType<typeof collect>,
  announcesCalls: boolean,
): LiveRun {
  const hasCall = () => output.events().some(({ type }) => type === "tool_start");
  async function until(condition: () => boolean, what: string): Promise<void> {
    for (const deadline = Date.now() + patienceMs; !condition(); await sleep(20)) {
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`${what} never came; the run printed ${JSON.stringify(output.events().slice(-5))}`);
    }
  }
  return {
    async commandBegun(trace) {
      await until(() => existsSync(join(stage.workspace, trace)), trace);
      if (announcesCalls) await until(hasCall, "the call");
    },
    async signalAgent(signal) {
      await until(() => output.events().length > 0, "the first event");
      const pid = agentPidOf(child.pid ?? 0, output.events()[0]?.runId ?? "");
      if (pid === undefined) throw new Error("the agent's process is not there");
      process.kill(pid, signal);
    },
    signalHarness: (signal) => {
      child.kill(signal);
    },
  };
}
