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

const commandPath = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** Longer than anything here takes on a busy machine; a run that needs it has failed. */
export const patienceMs = 150_000;

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
  /** Resolves when the file is there. */
  fileIn(name: string): Promise<void>;
  /** Resolves when the model has been asked so many times. */
  requests(count: number): Promise<void>;
  /** Signals the agent's own process, and nothing else. */
  signalAgent(signal: NodeJS.Signals): Promise<void>;
  signalHarness(signal: NodeJS.Signals): void;
}

/** Runs the built `harness` as a user does. */
export async function runHarness(
  stage: Stage,
  args: readonly string[],
  during?: (live: LiveRun) => Promise<void>,
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
  const watch = during?.(liveRun(child, stage, output)).catch((error: unknown) => {
    child.kill("SIGTERM");
    throw error;
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), patienceMs);
  const exitCode = await ended;
  clearTimeout(timer);
  await watch;
  const events = output.events();
  const runId = events[0]?.runId ?? "";
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

function liveRun(child: ChildProcess, stage: Stage, output: ReturnType<typeof collect>): LiveRun {
  async function until(condition: () => boolean, what: string): Promise<void> {
    for (const deadline = Date.now() + patienceMs; !condition(); await sleep(20)) {
      if (Date.now() > deadline || child.exitCode !== null)
        throw new Error(`${what} never came; the run printed ${JSON.stringify(output.events().slice(-5))}`);
    }
  }
  return {
    fileIn: (name) => until(() => existsSync(join(stage.workspace, name)), `the file ${name}`),
    requests: (count) => until(() => stage.model.requests.length >= count, `request ${count}`),
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
