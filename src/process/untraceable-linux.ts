import { closeSync, openSync, statSync } from "node:fs";
import { systemCode } from "../errors.js";
import type { FoundProcess } from "./processes.js";
import { isLiving, type LinuxProcess, listProcesses, readProcess } from "./processes-linux.js";

/**
 * Processes of our own user that may be of a run and cannot be proved to be: started since its agent was, with parents that
 * are gone, and with an environment that may not be read. `ssh-agent` and `gpg-agent` protect themselves like this. They are
 * named and not ended, since they may as well be somebody else's.
 */
export async function findUntraceable(since: string): Promise<FoundProcess[]> {
  if (process.platform !== "linux" || since === "") return [];
  const foster = ancestorsOfOurs();
  return (await listProcesses()).filter(
    (one) => isLiving(one) && Number(one.started) >= Number(since) && foster.has(one.parent) && isHidden(one),
  );
}

/** Orphans of a run are given to one of these: the first process, or one above us that has asked for orphans. */
function ancestorsOfOurs(): Set<number> {
  const ancestors = new Set([1, process.pid]);
  for (let pid = process.ppid; pid > 1 && !ancestors.has(pid); ) {
    ancestors.add(pid);
    pid = readProcess(pid)[0]?.parent ?? 1;
  }
  return ancestors;
}

function isHidden({ pid }: LinuxProcess): boolean {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.geteuid?.()) return false;
    closeSync(openSync(`/proc/${pid}/environ`, "r"));
    return false;
  } catch (error) {
    return systemCode(error) === "EACCES";
  }
}
