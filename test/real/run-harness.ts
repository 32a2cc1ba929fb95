import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { HarnessEvent } from "../../src/events/event.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import type { RecordedRequest } from "../../src/testing/index.js";
import { type Announces, createLiveRun, type LiveRun, patienceMs } from "./live-run.js";
import { type Moment, momentOf } from "./moment.js";
import { readOutput } from "./output.js";
import { survivorsOf } from "./processes.js";
import type { RealScenario } from "./scenario.js";
import { filesIn, type Stage } from "./stage.js";

/** The built command, or another build of it. */
const commandPath =
  process.env["HARNESS_COMMAND"] ?? fileURLToPath(new URL("../../dist/cli/main.cjs", import.meta.url));

/** The library of the same build, and a program that uses it. */
const libraryUrl = new URL("../index.js", pathToFileURL(commandPath)).href;
const libraryUser = fileURLToPath(new URL("abort-run.mjs", import.meta.url));

/** By this time, everything that was in transit when the processes ended has arrived. */
const settleMs = 500;

/** Everything that can be observed of one run: the stream, the disk and the model's side. */
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
  /** The time until the command started, and the longest silence until then. */
  pace: LiveRun["pace"];
  /** For a run that was stopped: the state at the stop, and at the very end. */
  stop?: { began: Moment; over: Moment };
}

export interface Interference {
  through?: RealScenario["through"] | undefined;
  during?: RealScenario["during"] | undefined;
  announces: Announces;
  /** The run's own time limit, added to our timeout. */
  limitMs?: number | undefined;
}

/** Runs the built `harness` like a user. */
export async function runHarness(
  stage: Stage,
  args: readonly string[],
  { during, through, announces, limitMs = 0 }: Interference = { announces: { calls: false, session: false } },
): Promise<Observed> {
  const before = filesIn(stage.workspace);
  const firstRequest = stage.model.requests.length;
  const startedAt = Date.now();
  const child = startHarness(stage, through, args);
  const output = readOutput(child);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const live = createLiveRun({ child, stage, output, announces, firstRequest, startedAt });
  const watch = during?.(live).catch((error: unknown) => {
    child.kill("SIGTERM");
    throw error;
  });
  const timer = setTimeout(() => child.kill("SIGTERM"), patienceMs + limitMs);
  const exitCode = await ended;
  clearTimeout(timer);
  const began = await watch;
  const events = output.events();
  const runId = events[0]?.runId ?? "";
  if (runId === "" && exitCode !== 2) throw new Error(`harness ended with ${exitCode}: ${output.stderr()}`);
  const survivors = await survivorsAtEnd(runId, stage, exitCode);
  if (began !== undefined) await sleep(settleMs);
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
    pace: live.pace,
    ...(began !== undefined && { stop: { began, over: momentOf(stage, firstRequest) } }),
  };
}

function startHarness(stage: Stage, through: RealScenario["through"], args: readonly string[]): ChildProcess {
  const command =
    through === "library" ? [libraryUser, libraryUrl] : [commandPath, "run", "--format", "full"];
  return spawn(process.execPath, [...command, ...args], {
    env: stage.env,
    cwd: stage.workspace,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** When `harness` has ended, no process is left. If it was killed, its watchdog gets the time that it needs. */
async function survivorsAtEnd(runId: string, stage: Stage, exitCode: number | null): Promise<string[]> {
  if (runId === "") return [];
  const deadline = Date.now() + (exitCode === null ? watchdogPatienceMs : 0);
  for (;;) {
    const survivors = survivorsOf(runId, stage.workspace);
    if (survivors.length === 0 || Date.now() >= deadline) return survivors;
    await sleep(50);
  }
}

/** It needs 3 s on a machine that is not busy. */
const watchdogPatienceMs = 30_000;
