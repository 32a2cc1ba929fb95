import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { encloseInCgroup } from "../../src/process/cgroup-linux.js";
import { canEnclose } from "../faults/can-enclose.js";
import { isAlive, until } from "./alive.js";

it.runIf(process.platform === "linux" && canEnclose())(
  "holds whoever is started in it, and goes when it is empty",
  async () => {
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
  },
);
