import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createEnvironment } from "../../src/process/environment.js";
import { readOutputNames } from "../../src/process/output-holders-linux.js";
import { watchdogScript } from "../../src/process/watchdog-script.js";
import { temporaryDirectory } from "../runs/test-agent.js";
import { isAlive, markedPids, until } from "./alive.js";

/** Starts a process with the mark of a run, or of several nested runs. */
function startMarked(...runIds: string[]): ChildProcess {
  const env = runIds.reduce<Record<string, string | undefined>>(
    (outer, runId) => createEnvironment(outer, { runId, cwd: "/" }),
    process.env,
  );
  const child = spawn("sleep", ["100"], { env, detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The watchdog of a harness that died after writing these lines. */
function startWatchdog(lines: string): ChildProcess {
  const watchdog = spawn("/bin/sh", ["-c", watchdogScript], { stdio: ["pipe", "ignore", "inherit"] });
  watchdog.stdin.end(lines);
  return watchdog;
}

it("the watchdog ends without a trace when its runs are over", () => {
  const lines = "+ a\n+ a 999999 TERM 77 socket:1,socket:2 - -\n+ b 999998 INT 0 - - -\n- a\n- b\n";
  const { status, stderr } = spawnSync("/bin/sh", ["-c", watchdogScript], { input: lines, encoding: "utf8" });
  expect(status).toBe(0);
  expect(stderr).toBe("");
});

it("finds an agent by its mark alone, for a harness that died while starting it", async () => {
  const runId = `starting-${randomUUID()}`;
  const agent = startMarked(runId);
  const inner = startMarked(runId, `${runId}-inner`);
  const others = [startMarked(`${runId}-another`), startMarked(`another-${runId}`)];
  await until(() => markedPids(`another-${runId}`).length === 1, 10_000);
  const exits = [agent, inner].map((child) => once(child, "exit"));
  const watchdog = startWatchdog(`+ ${runId}\n`);
  expect(await Promise.all(exits)).toEqual([
    [null, "SIGTERM"],
    [null, "SIGTERM"],
  ]);
  await once(watchdog, "exit");
  expect(others.map((child) => isAlive(child.pid ?? 0))).toEqual([true, true]);
});

it("kills a process that ignores SIGTERM, and ends those that were reported as part of the run", async () => {
  const deaf = spawn("sh", ["-c", "trap '' TERM; echo up; exec sleep 100"], { detached: true });
  const known = spawn("sleep", ["100"], { detached: true });
  onTestFinished(() => {
    for (const child of [deaf, known]) child.kill("SIGKILL");
  });
  await once(deaf.stdout, "data");
  const started = startOf(known.pid);
  const exits = [deaf, known].map((child) => once(child, "exit"));
  startWatchdog(`+ r-${randomUUID()} ${deaf.pid} TERM 0 - ${known.pid}:${started} -\n`);
  expect(await Promise.all(exits)).toEqual([
    [null, "SIGKILL"],
    [null, "SIGTERM"],
  ]);
});

it("asks an agent to end with its own stop signal", async () => {
  const agent = spawn("sh", ["-c", "trap '' TERM; echo up; exec sleep 100"], { detached: true });
  onTestFinished(() => void agent.kill("SIGKILL"));
  await once(agent.stdout, "data");
  const exit = once(agent, "exit");
  startWatchdog(`+ r-${randomUUID()} ${agent.pid} INT 0 - - -\n`);
  expect(await exit).toEqual([null, "SIGINT"]);
});

it("kills at once an agent that would go on after every other signal", async () => {
  const trace = join(temporaryDirectory(), "went-on");
  const goesOn = `trap 'touch ${trace}' TERM INT; echo up; while :; do sleep 0.05; done`;
  const agent = spawn("sh", ["-c", goesOn], { detached: true });
  onTestFinished(() => void agent.kill("SIGKILL"));
  await once(agent.stdout, "data");
  const exit = once(agent, "exit");
  startWatchdog(`+ r-${randomUUID()} ${agent.pid} KILL 0 - - -\n`);
  expect(await exit).toEqual([null, "SIGKILL"]);
  expect(existsSync(trace)).toBe(false);
});

it("finds processes whatever their names contain", async () => {
  const folder = temporaryDirectory();
  const name = join(folder, "a\nb) R 1 1\n");
  copyFileSync("/bin/sleep", name);
  const agent = spawn(name, ["100"], { detached: true });
  onTestFinished(() => void agent.kill("SIGKILL"));
  await once(agent, "spawn");
  const exit = once(agent, "exit");
  startWatchdog(`+ r-${randomUUID()} ${agent.pid} TERM 0 - - -\n`);
  expect(await exit).toEqual([null, "SIGTERM"]);
});

it("ends only those holders of the output that started after the agent", async () => {
  const agent = spawn("sh", ["-c", "echo up; exec sleep 100"], { detached: true });
  await once(agent.stdout, "data");
  const [output = ""] = readOutputNames(agent.pid ?? 0);
  const word = output.replace(/[[\]]/g, "");
  for (const [since, expected] of [
    [Number(startOf(agent.pid)) + 1, true],
    [Number(startOf(agent.pid)), false],
  ] as const) {
    const watchdog = startWatchdog(`+ r-${randomUUID()} 999999 TERM ${since} ${word} - -\n`);
    await once(watchdog, "exit");
    expect(isAlive(agent.pid ?? 0)).toBe(expected);
  }
});

/** The start time of a process, as in /proc. */
function startOf(pid: number | undefined): string {
  const { stdout } = spawnSync("cat", [`/proc/${pid}/stat`], { encoding: "utf8" });
  return stdout.slice(stdout.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}
