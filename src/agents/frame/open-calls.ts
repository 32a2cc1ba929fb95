import type { OpenCall } from "../contract.js";

/** The tool calls that have started and not ended, in the order of their start. */
export interface OpenCalls {
  /** Returns the call that was open for the longest time, if there are too many. It is no longer among them. */
  add(call: OpenCall): OpenCall | undefined;
  /** The call with this id. Undefined if several calls share it, since guessing would be worse. */
  find(callId: string): OpenCall | undefined;
  remove(call: OpenCall): void;
  all(): OpenCall[];
}

/** Agents run some dozens of calls at once. Those of a long run that never end must not fill the memory. */
const mostCalls = 4000;

export function createOpenCalls(most = mostCalls): OpenCalls {
  /** Only ids that are used twice get a set. They are rare, and creating a set takes longer than everything else about a call. */
  const byId = new Map<string, OpenCall | Set<OpenCall>>();
  let size = 0;

  function remove(call: OpenCall): void {
    const same = byId.get(call.callId);
    const isThere = same === call || (same instanceof Set && same.delete(call));
    if (!isThere) return;
    size -= 1;
    if (same === call || (same instanceof Set && same.size === 0)) byId.delete(call.callId);
  }

  return {
    add(call) {
      const same = byId.get(call.callId);
      if (same === undefined) byId.set(call.callId, call);
      else if (same instanceof Set) same.add(call);
      else byId.set(call.callId, new Set([same, call]));
      size += 1;
      if (size <= most) return undefined;
      const [first] = byId.values();
      const [oldest] = first instanceof Set ? first : [first];
      if (oldest !== undefined) remove(oldest);
      return oldest;
    },
    find(callId) {
      const same = byId.get(callId);
      if (!(same instanceof Set)) return same;
      const [first, second] = same;
      return second === undefined ? first : undefined;
    },
    remove,
    all() {
      const calls = [...byId.values()].flatMap((same) => (same instanceof Set ? [...same] : same));
      // Calls that share an id are next to each other, and the sort is stable.
      return calls.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    },
  };
}
