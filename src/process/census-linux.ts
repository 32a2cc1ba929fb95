import { withDescendants } from "./process-tree.js";
import type { FoundProcess } from "./processes.js";
import { isLiving, isOneOf, type LinuxProcess, listProcesses } from "./processes-linux.js";

/** One run's place in the census. */
export interface Census {
  /** The processes of the run at the last scan. */
  readonly members: readonly FoundProcess[];
  leave(): void;
}

interface Member extends Census {
  update(all: readonly LinuxProcess[]): void;
}

const intervalMs = 1000;
const joined = new Set<Member>();
let timer: NodeJS.Timeout | undefined;

/**
 * Records once a second which processes descend from an agent; one scan of /proc serves all runs. A process without a
 * mark, in a session of its own, can be recognised only by its parents, and only while they live. `onChange` is called
 * when the processes outside the agent's group have changed.
 */
export function joinCensus(group: number, onChange: (outside: readonly FoundProcess[]) => void): Census {
  if (process.platform !== "linux") return { members: [], leave() {} };
  let members: readonly LinuxProcess[] = [];
  const member: Member = {
    update(all) {
      const before = members;
      const wasThere = isOneOf(before);
      members = withDescendants(all, (one) => one.group === group || wasThere(one));
      const now = outside(members);
      if (now.length !== outside(before).length || !now.every(wasThere)) onChange(now);
    },
    get members() {
      return members;
    },
    leave() {
      joined.delete(member);
      if (joined.size === 0) clearInterval(timer);
    },
  };

  function outside(all: readonly LinuxProcess[]): LinuxProcess[] {
    return all.filter((one) => one.group !== group);
  }

  if (joined.size === 0) timer = setInterval(updateAll, intervalMs).unref();
  joined.add(member);
  return member;
}

async function updateAll(): Promise<void> {
  // If the scan fails (no /proc, no file descriptor left), the members stay as they are.
  const all = (await listProcesses().catch(() => undefined))?.filter(isLiving);
  if (all === undefined) return;
  for (const member of joined) member.update(all);
}
