import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { isSameProcess, ownIdentity } from "../../src/process/process-identity.js";
import { until } from "./alive.js";

const boot = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();

function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

it("recognises itself", () => {
  expect(isSameProcess(ownIdentity())).toBe(true);
});

it.runIf(process.platform === "linux")(
  "a process that has ended and that nobody has reaped is gone",
  async () => {
    // The shell calls exec. The new program never reaps the shell's child.
    const parent = spawn("sh", ["-c", "sleep 1 & echo $!; exec sleep 100"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [output] = await once(parent.stdout, "data");
    const pid = Number(String(output));
    const identity = { pid, started: `${boot()}:${statOf(pid)[19]}` };
    expect(isSameProcess(identity)).toBe(true);
    await until(() => statOf(pid)[0] === "Z", 20_000);
    expect(isSameProcess(identity)).toBe(false);
  },
);
