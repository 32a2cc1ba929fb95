import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { systemCode } from "../errors.js";

/**
 * A control group of a run's own (cgroup v2). Whatever is started in it stays in it, however much of its origin it hides:
 * no mark, a session of its own, no parents, an environment that nobody may read.
 */
export interface Cgroup {
  readonly directory: string;
  /** Everybody who is in it, or in a group that was made inside it. Zombies count. */
  pids(): number[];
  /** SIGKILL to all at one stroke, those being started included. */
  kill(): void;
  /** It can only go when nobody is left in it. */
  remove(): void;
}

/** Undefined before the first run; null where control groups cannot be made. */
let parent: string | null | undefined;

/**
 * Puts a process that was just started into a control group of its own. Undefined where that needs rights that we do not
 * have, which is usual in containers and for users whose session was not handed over to them.
 */
export function encloseInCgroup(runId: string, pid: number): Cgroup | undefined {
  if (process.platform !== "linux" || parent === null) return undefined;
  parent ??= findOwnDirectory() ?? null;
  if (parent === null) return undefined;
  const directory = join(parent, `harness-${runId}`);
  try {
    mkdirSync(directory);
  } catch {
    parent = null;
    return undefined;
  }
  // The kernel takes 10 ms to move a process, so we do not wait. No agent has got anywhere by then.
  writeFile(join(directory, "cgroup.procs"), String(pid)).catch((error: unknown) => {
    if (systemCode(error) !== "ESRCH") parent = null;
  });
  return toCgroup(directory);
}

function toCgroup(directory: string): Cgroup {
  return {
    directory,
    pids: () => pidsIn(directory),
    kill() {
      try {
        writeFileSync(join(directory, "cgroup.kill"), "1");
      } catch {
        // Linux before 5.14 has no such file: each of them is killed by itself.
      }
    },
    remove: () => removeTree(directory),
  };
}

/** Where our own control group is in the file system. */
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

/** The mount of cgroup v2 among all mounts: which part of the tree is to be seen where. */
function parseMount(mountinfo: string): { root: string; point: string } | undefined {
  for (const line of mountinfo.split("\n")) {
    const [mount = "", type = ""] = line.split(" - ");
    const [, , , root, point] = mount.split(" ");
    if (type.startsWith("cgroup2 ") && root !== undefined && point !== undefined) return { root, point };
  }
  return undefined;
}

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
    // It is not there, or somebody is: an empty folder in the system's own tree harms nobody.
  }
}

function groupsIn(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? join(directory, entry.name) : []));
}
