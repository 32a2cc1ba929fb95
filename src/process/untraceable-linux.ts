import { closeSync, openSync, statSync } from "node:fs";
import { systemCode } from "../errors.js";
import type { FoundProcess } from "./processes.js";
import { isLiving, type LinuxProcess, listProcesses, readProcess } from "./processes-linux.js";

/**
 * Finds processes of our user that may belong to a run, without proof: started after its agent, orphaned, and with an
 * environment that cannot be read. `ssh-agent` and `gpg-agent` protect themselves like this. They are reported and not
 * ended, because they may have nothing to do with the run.
 */
export async function findUntraceable(since: string): Promise<FoundProcess[]> {
  if (process.platform !== "linux" || since === "") return [];
  const adopters = ownAncestors();
  return (await listProcesses()).filter(
    (one) =>
      isLiving(one) && Number(one.started) >= Number(since) && adopters.has(one.parent) && isHidden(one),
  );
}

/** One of these adopts the orphans of a run: the init process, or a child subreaper among our ancestors. */
function ownAncestors(): Set<number> {
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
