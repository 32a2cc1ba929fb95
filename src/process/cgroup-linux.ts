import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { systemCode } from "../errors.js";

/**
 * The control group (cgroup v2) of one run. A process started in it stays in it, even if it hides its origin in every
 * other way: no mark, a session of its own, no living parent, an unreadable environment.
 */
export interface Cgroup {
  readonly directory: string;
  /** All processes in it and in nested control groups. Zombies are included. */
  pids(): number[];
  /** Sends SIGKILL to all of them atomically, including processes that are just being forked. */
  kill(): void;
  /** Has no effect while a process is left in it. */
  remove(): void;
}

/** Undefined before the first run; null if control groups cannot be created here. */
let parent: string | null | undefined;

/**
 * Moves a process that has just been started into a new control group. Returns undefined if we lack the rights, which is
 * common in containers and for users to whom systemd has not delegated their session.
 */
export function encloseInCgroup(runId: string, pid: number): Cgroup | undefined {
  if (process.platform !== "linux" || parent === null) return undefined;
  parent ??= findOwnDirectory() ?? null;
  if (parent === null) return undefined;
  const directory = join(parent, `harness-${runId}`);
  try {
    mkdirSync(directory);
  } catch (error) {
    if (systemCode(error) !== "EEXIST") parent = null;
    return undefined;
  }
  // The kernel takes 10 ms to move a process. We do not wait: no agent has started anything by then.
  writeFile(join(directory, "cgroup.procs"), String(pid)).catch((error: unknown) => {
    if (!endedBefore.has(systemCode(error) ?? "")) parent = null;
  });
  return toCgroup(directory);
}

/** The process, or the whole run with its control group, ended before it could be moved. Other errors mean that we lack the rights. */
const endedBefore: ReadonlySet<string> = new Set(["ESRCH", "ENOENT", "ENODEV"]);

function toCgroup(directory: string): Cgroup {
  return {
    directory,
    pids: () => pidsIn(directory),
    kill() {
      try {
        writeFileSync(join(directory, "cgroup.kill"), "1");
      } catch {
        // Linux before 5.14 does not have this file. The reaper kills the processes one by one anyway.
      }
    },
    remove: () => removeTree(directory),
  };
}

/** The directory of our own control group. */
function findOwnDirectory(): string | undefined {
  try {
    const mount = parseMount(readFileSync("/proc/self/mountinfo", "utf8"));
    const [, own] = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8")) ?? [];
    if (mount === undefined || own === undefined) return undefined;
    const below = relative(mount.root, own);
    return below.startsWith("..") ? undefined : join(mount.point, below);
  } catch {
    return undefined;
  }
}

/** Finds the cgroup v2 mount: which part of the hierarchy (`root`) is mounted where (`point`). */
function parseMount(mountinfo: string): { root: string; point: string } | undefined {
  for (const line of mountinfo.split("\n")) {
    const [mount = "", type = ""] = line.split(" - ");
    const [, , , root, point] = mount.split(" ");
    if (type.startsWith("cgroup2 ") && root !== undefined && point !== undefined) return { root, point };
  }
  return undefined;
}

/** Its name, and `.` in it. */
const linksWithoutGroups = 2;

function pidsIn(directory: string): number[] {
  try {
    const own = readFileSync(join(directory, "cgroup.procs"), "latin1");
    const pids = own.split("\n").flatMap((line) => (line === "" ? [] : Number(line)));
    return [...pids, ...groupsIn(directory).flatMap(pidsIn)];
  } catch {
    return [];
  }
}

function removeTree(directory: string): void {
  try {
    for (const inner of groupsIn(directory)) removeTree(inner);
    rmdirSync(directory);
  } catch {
    // It does not exist, or a process is left in it. A leftover control group does no harm.
  }
}

/** A control group has dozens of files and hardly ever a nested group. The kernel counts those in the links of the directory. */
function groupsIn(directory: string): string[] {
  if (statSync(directory).nlink === linksWithoutGroups) return [];
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? join(directory, entry.name) : []));
}
