import { spawn } from "node:child_process";
import { encloseInCgroup } from "../../src/process/cgroup-linux.js";

/** Whether control groups can be created here. */
export function canEnclose(): boolean {
  const child = spawn("sleep", ["5"], { stdio: "ignore" });
  const cgroup = encloseInCgroup(`probe-${process.pid}`, child.pid ?? 0);
  child.on("exit", () => cgroup?.remove());
  child.kill();
  return cgroup !== undefined;
}
