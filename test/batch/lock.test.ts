import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLocked, takeLock } from "../../src/batch/lock.js";
import { temporaryDirectory } from "../runs/test-agent.js";

describe("the lock of a batch", () => {
  it("is held by one, and is free again afterwards", () => {
    const path = join(temporaryDirectory(), "lock");
    expect(isLocked(path)).toBe(false);
    const lock = takeLock(path);
    expect(isLocked(path)).toBe(true);
    expect(() => takeLock(path)).toThrow(expect.objectContaining({ code: "batch_running" }));
    expect(() => takeLock(path)).toThrow(`the process ${process.pid}`);
    lock.release();
    expect(existsSync(path)).toBe(false);
    takeLock(path).release();
  });

  it("is taken over from a process that is gone, and nothing else is left", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "lock");
    const child = spawn("true");
    await once(child, "exit");
    writeFileSync(path, JSON.stringify({ pid: child.pid, started: "another boot:1" }));
    expect(isLocked(path)).toBe(false);
    takeLock(path);
    expect(isLocked(path)).toBe(true);
    expect(readdirSync(directory)).toEqual(["lock"]);
  });

  it("is taken over from a process whose number another one has now", () => {
    const path = join(temporaryDirectory(), "lock");
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: "another boot:1" }));
    takeLock(path).release();
  });

  it("that is a pipe blocks nobody", () => {
    const path = join(temporaryDirectory(), "lock");
    execFileSync("mkfifo", [path]);
    expect(isLocked(path)).toBe(false);
    takeLock(path).release();
  });

  it("that says nothing is taken over", () => {
    const path = join(temporaryDirectory(), "lock");
    writeFileSync(path, "");
    takeLock(path).release();
  });
});
