import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { watchdogScript } from "../../src/process/watchdog-script.js";
import {
  readMeta,
  readRecording,
  recordingPaths,
  recordingState,
  replayRecording,
} from "../../src/recording/index.js";
import type { HarnessEvent } from "../../src/vocabulary/event.js";
import { temporaryDirectory, testAgent } from "../run/test-agent.js";
import { isAlive, markedPids, until } from "./alive.js";
import { compileProject, startHarness } from "./killable-harness.js";

describe("when the harness is killed", () => {
  let project: ReturnType<typeof compileProject>;
  beforeAll(() => {
    project = compileProject();
  }, 60_000);
  afterAll(() => project.remove());

  it("the watchdog stops the agent and what forked away within 3 s", async () => {
    const harness = startHarness(project.build, "fork-away", temporaryDirectory(), "killed-forked", ["hang"]);
    const pids: number[] = [];
    for await (const event of harness.events) {
      if (event.type === "agent") pids.push(Number(event.message));
      if (pids.length === 2) break;
    }
    expect(pids.filter(isAlive)).toEqual(pids);
    expect(markedPids(harness.runId).length).toBeGreaterThanOrEqual(3);
    harness.child.kill("SIGKILL");
    await once(harness.child, "exit");
    await until(() => markedPids(harness.runId).length === 0, 3000);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it("the recording up to that moment is whole, replays, and counts as interrupted", async () => {
    const sessions = temporaryDirectory();
    const harness = startHarness(project.build, "flood.mjs", sessions, "killed-flooded", ["1000000"]);
    const paths = recordingPaths(sessions, harness.runId);
    let seen = 0;
    for await (const event of harness.events) {
      if (event.type === "started") expect(recordingState(readMeta(paths.meta))).toBe("running");
      if (event.type === "agent" && ++seen === 500) break;
    }
    harness.child.kill("SIGKILL");
    await once(harness.child, "exit");
    await until(() => markedPids(harness.runId).length === 0, 3000);
    expect(recordingState(readMeta(paths.meta))).toBe("interrupted");
    let records = 0;
    for await (const batch of readRecording(paths.raw)) {
      for (const record of batch)
        expect(record).toMatchObject({
          stream: "stdout",
          line: expect.stringContaining(`"n":${records++},`),
        });
    }
    expect(records).toBeGreaterThanOrEqual(500);
    const events: HarnessEvent[] = [];
    for await (const steps of replayRecording(testAgent, paths.raw))
      for (const step of steps) events.push(...step.events);
    expect(events).toHaveLength(records + 4);
    expect(events.at(-1)).toMatchObject({ type: "exited", reason: "cancelled" });
  });

  it("whenever that is", async () => {
    const sessions = temporaryDirectory();
    const tries = Array.from({ length: 8 }, async (_value, index) => {
      const harness = startHarness(project.build, "fork-away", sessions, `killed-${index}`, ["hang"]);
      for await (const event of harness.events) if (event.type === "started") break;
      await sleep(index * 40);
      const marked = markedPids(harness.runId).length;
      harness.child.kill("SIGKILL");
      await once(harness.child, "exit");
      await until(() => markedPids(harness.runId).length === 0, 3500);
      return marked;
    });
    const marked = await Promise.all(tries);
    expect(Math.max(...marked)).toBeGreaterThan(1);
  });

  it("the watchdog ends with a harness that ends by itself", async () => {
    const harness = startHarness(project.build, "speak-again", temporaryDirectory(), "ended");
    let watchdogs: number[] = [];
    for await (const event of harness.events)
      if (event.type === "agent") watchdogs = watchdogsOf(harness.child.pid);
    expect(watchdogs).toHaveLength(1);
    await until(() => !watchdogs.some(isAlive), 1000);
  });
});

it("the watchdog ends without a trace when its runs are over", () => {
  const told = "+ a\n+ a 999999\n+ b 999998\n- a\n- b\n";
  const startedAt = performance.now();
  const { status } = spawnSync("/bin/sh", ["-c", watchdogScript], { input: told });
  expect(status).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

it("the watchdog finds an agent by its marker alone, for a harness that died while starting it", async () => {
  const agent = spawn("sleep", ["1000"], {
    env: { ...process.env, HARNESS_RUN_ID: "starting", HARNESS_RUN_MARKS: "harness-run=starting;" },
    detached: true,
  });
  const other = spawn("sleep", ["1000"], {
    env: {
      ...process.env,
      HARNESS_RUN_ID: "starting-another",
      HARNESS_RUN_MARKS: "harness-run=starting-another;",
    },
    detached: true,
  });
  onTestFinished(() => void other.kill("SIGKILL"));
  await until(() => markedPids("starting").length === 1 && markedPids("starting-another").length === 1, 2000);
  const watchdog = spawn("/bin/sh", ["-c", watchdogScript], { stdio: ["pipe", "ignore", "inherit"] });
  watchdog.stdin.end("+ starting\n");
  expect(await once(agent, "exit")).toEqual([null, "SIGTERM"]);
  await once(watchdog, "exit");
  expect(isAlive(other.pid ?? 0)).toBe(true);
});

/** The watchdogs of a harness. */
function watchdogsOf(harness: number | undefined): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/);
    return line.endsWith("harness-watchdog") && Number(parent) === harness ? Number(pid) : [];
  });
}
