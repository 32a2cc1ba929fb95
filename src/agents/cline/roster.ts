import type { Author } from "./author.js";

export interface Worker {
  readonly author: Author;
  /** All tokens that it has reported so far. */
  spent: number;
}

/** What the hooks and calls of an agent say about it. */
export interface Member extends Worker {
  isTeammate: boolean;
  /** It waits for its model. */
  asks: boolean;
  /** Calls that hooks have announced and that have not begun. */
  announced: number;
  running: number;
  /** When its next call became due. */
  dueAt: number;
}

/** The agents of a run that have started and not ended, and their calls. */
export interface Roster {
  add(agentId: string, member: Member): void;
  get(agentId: string): Member | undefined;
  remove(agentId: string): void;
  /** The agents that wait for their models. */
  asking(): readonly Member[];
  /** The same without teammates, whose own records are marked. */
  askingUnmarked(): readonly Member[];
  /** The teammate that this call gave a task. */
  teammate(callId: string | undefined): Member | undefined;
  /** A hook announces a call. */
  announce(member: Member): void;
  /** The agent whose announced call begins next. */
  nextCaller(): Member | undefined;
  begin(callId: string, member: Member): void;
  /** Returns the agent whose call has ended, if its beginning was seen. */
  end(callId: string): Member | undefined;
}

export function createRoster(): Roster {
  const members = new Map<string, Member>();
  const callers = new Map<string, Member>();
  let clock = 0;
  /** Asked for every piece of text, so the answers are kept until something changes. */
  let asking: readonly Member[] | undefined;
  let unmarked: readonly Member[] | undefined;

  function changed(): void {
    asking = undefined;
    unmarked = undefined;
  }

  /** The subagent of a call that has ended is gone, and so are its own subagents, even if no hook says so. */
  function dismiss(callId: string): void {
    for (const [agentId, member] of members) {
      if (member.isTeammate || member.author.parentCallId !== callId) continue;
      members.delete(agentId);
      for (const [inner, caller] of callers) if (caller === member && callers.delete(inner)) dismiss(inner);
    }
  }

  const roster: Roster = {
    add(agentId, member) {
      changed();
      members.set(agentId, member);
    },
    get: (agentId) => members.get(agentId),
    remove(agentId) {
      changed();
      members.delete(agentId);
    },
    asking() {
      asking ??= [...members.values()].filter(({ asks }) => asks);
      return asking;
    },
    askingUnmarked() {
      unmarked ??= roster.asking().filter(({ isTeammate }) => !isTeammate);
      return unmarked;
    },
    teammate: (callId) =>
      [...members.values()].find(({ isTeammate, author }) => isTeammate && author.parentCallId === callId),
    announce(member) {
      changed();
      announce(member, ++clock);
    },
    nextCaller: () => nextCaller([...members.values()]),
    begin(callId, member) {
      changed();
      callers.set(callId, member);
      member.announced = Math.max(0, member.announced - 1);
      member.asks = false;
      member.running += 1;
    },
    end(callId) {
      const member = callers.get(callId);
      if (member === undefined) return undefined;
      changed();
      callers.delete(callId);
      member.running = Math.max(0, member.running - 1);
      member.dueAt = ++clock;
      if (member.running === 0 && member.announced === 0) member.asks = true;
      dismiss(callId);
      return member;
    },
  };
  return roster;
}

/** A turn that begins forgets calls that were announced and never began. */
function announce(member: Member, at: number): void {
  if (member.asks) member.announced = 0;
  member.asks = false;
  member.announced += 1;
  member.dueAt = at;
}

/** Most calls of a turn run one after the other, so an agent with a running call is the last one to consider. */
function nextCaller(members: readonly Member[]): Member | undefined {
  const due = members.filter(({ announced }) => announced > 0).sort((one, other) => one.dueAt - other.dueAt);
  return due.find(({ running }) => running === 0) ?? due.at(-1);
}
