import { fstatSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";

const hangupBit = 1n;
/** `O_ACCMODE` and `O_WRONLY`. */
const accessMask = 0o3;
const writeOnly = 0o1;

let isIgnored: boolean | undefined;

/**
 * True if we were started to survive a hangup, as `nohup` starts programs. The signal mask cannot be asked: Node resets
 * ignored signals before our code runs. So this looks at other signs: the shell puts the program that it started
 * into `_`; `nohup` replaces a terminal by a standard input that is write-only; and a parent that ignores hangups
 * has passed that on. Call it early: the parent may exit.
 */
export function isHangupIgnored(): boolean {
  isIgnored ??= process.platform !== "win32" && (isStartedByNohup() || doesParentIgnoreHangup());
  return isIgnored;
}

/** Ignores hangups from now on, if they are to be ignored. */
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

/** The first process is left out: it adopts orphans, so it may not be what started us. */
function doesParentIgnoreHangup(): boolean {
  if (process.ppid <= 1) return false;
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readIfThere(`/proc/${process.ppid}/status`))?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & hangupBit) !== 0n;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
