import { withDescendants } from "./descendants.js";
import type { FoundProcess } from "./processes.js";
import { isLiving, isOneOf, type LinuxProcess, listProcesses } from "./processes-linux.js";

/** One run's place in the census. */
export interface Census {
  /** Who was of the run when it was last looked at. */
  readonly members: readonly FoundProcess[];
  leave(): void;
}

interface Member extends Census {
  look(all: readonly LinuxProcess[]): void;
}

const intervalMs = 1000;
const joined = new Set<Member>();
let timer: NodeJS.Timeout | undefined;

/**
 * Notes once a second who descends from an agent, one look at /proc for all runs: a process without a mark, in
 * a session of its own, is known by its parents alone, and once they are gone by nothing. `onChange` is
 * called when there are others than before outside the agent's group.
 */
export function joinCensus(group: number, onChange: (outside: readonly FoundProcess[]) => void): Census {
  if (process.platform !== "linux") return { members: [], leave() {} };
  let members: readonly LinuxProcess[] = [];
  const member: Member = {
    look(all) {
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

  if (joined.size === 0) timer = setInterval(lookForAll, intervalMs).unref();
  joined.add(member);
  return member;
}

async function lookForAll(): Promise<void> {
  // Without a look (no /proc, no file that can be opened) everybody stays as known.
  const all = (await listProcesses().catch(() => undefined))?.filter(isLiving);
  if (all === undefined) return;
  for (const member of joined) member.look(all);
}
