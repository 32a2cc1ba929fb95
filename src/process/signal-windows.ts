import { execFile } from "node:child_process";

/**
 * Windows has neither signals nor process groups: `taskkill /T` ends a process and all that descend
 * from it, politely or (`/F`) at once. Names no program of its own, so nothing is run through a shell.
 */
export function signalTreeOfWindows(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  const args = ["/T", "/PID", String(pid), ...(signal === "SIGKILL" ? ["/F"] : [])];
  execFile("taskkill", args, { windowsHide: true }, () => {});
}
