import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { encloseInCgroup } from "../../src/process/cgroup-linux.js";
import { canEnclose } from "../faults/can-enclose.js";
import { isAlive, until } from "./alive.js";

const hasCgroups = process.platform === "linux" && canEnclose();

it.runIf(hasCgroups)("holds whoever is started in it, and goes when it is empty", async () => {
  const script = "sleep 1; (env -i setsid sleep 99 >/dev/null 2>&1 &); sleep 99";
  const agent = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
  const cgroup = encloseInCgroup(`test-${randomUUID()}`, agent.pid ?? 0);
  await until(() => (cgroup?.pids().length ?? 0) >= 3, 20_000);
  const pids = cgroup?.pids() ?? [];
  expect(pids).toContain(agent.pid);
  cgroup?.kill();
  await until(() => !pids.some(isAlive), 20_000);
  await until(() => cgroup?.pids().length === 0, 20_000);
  cgroup?.remove();
  expect(existsSync(cgroup?.directory ?? "")).toBe(false);
});

it.runIf(hasCgroups)(
  "a run that ends before its process was moved does not cost later runs their control groups",
  async () => {
    const agents = [0, 1].map(() => spawn("sleep", ["99"], { stdio: "ignore" }));
    const [first, second] = agents;
    encloseInCgroup(`test-${randomUUID()}`, first?.pid ?? -1)?.remove();
    // The move is one of the file operations that are carried out one after the other.
    for (let count = 0; count < 50; count += 1) await readFile("/proc/self/stat");
    const cgroup = encloseInCgroup(`test-${randomUUID()}`, second?.pid ?? -1);
    expect(cgroup).toBeDefined();
    await until(() => cgroup?.pids().length === 1, 20_000);
    for (const agent of agents) agent.kill("SIGKILL");
    await until(() => cgroup?.pids().length === 0, 20_000);
    cgroup?.remove();
  },
);
