import { fstatSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";

const hangupBit = 1n;
/** `O_ACCMODE` and `O_WRONLY`. */
const accessMask = 0o3;
const writeOnly = 0o1;

let isIgnored: boolean | undefined;

/**
 * True when we were started to outlive a hangup, as `nohup` starts programs. The system would tell, but Node has set
 * every ignored signal back to its default before a line of ours runs. So this looks at what else tells: the
 * shell names the program that it started in `_`, `nohup` takes the terminal away by a standard input that can
 * only be written, and a parent that ignores hangups has passed that on. Ask early: the parent may end.
 */
export function isHangupIgnored(): boolean {
  isIgnored ??= process.platform !== "win32" && (isStartedByNohup() || doesParentIgnoreHangup());
  return isIgnored;
}

/** Keeps a hangup that is to be ignored from ending this process, whatever it is doing. */
export function keepIgnoringHangup(): void {
  if (isHangupIgnored()) process.on("SIGHUP", () => undefined);
}

function isStartedByNohup(): boolean {
  return basename(process.env["_"] ?? "") === "nohup" || isInputOfNohup();
}

function isInputOfNohup(): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readIfThere("/proc/self/fdinfo/0"))?.[1];
  if (flags === undefined || (Number.parseInt(flags, 8) & accessMask) !== writeOnly) return false;
  try {
    return fstatSync(0).rdev === statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}

/** Not the first process: what adopts orphans has not started us. */
function doesParentIgnoreHangup(): boolean {
  if (process.ppid <= 1) return false;
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readIfThere(`/proc/${process.ppid}/status`))?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & hangupBit) !== 0n;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
