import type { OpenCall } from "../contract.js";

/** The tool calls that have started and not ended, in the order of their start. */
export interface OpenCalls {
  add(call: OpenCall): void;
  /** The call with this id. Undefined if several calls share it, since guessing would be worse. */
  find(callId: string): OpenCall | undefined;
  remove(call: OpenCall): void;
  all(): OpenCall[];
}

export function createOpenCalls(): OpenCalls {
  /** Only ids that are used twice get a set. They are rare, and creating a set takes longer than everything else about a call. */
  const byId = new Map<string, OpenCall | Set<OpenCall>>();
  return {
    add(call) {
      const same = byId.get(call.callId);
      if (same === undefined) byId.set(call.callId, call);
      else if (same instanceof Set) same.add(call);
      else byId.set(call.callId, new Set([same, call]));
    },
    find(callId) {
      const same = byId.get(callId);
      if (!(same instanceof Set)) return same;
      const [first, second] = same;
      return second === undefined ? first : undefined;
    },
    remove(call) {
      const same = byId.get(call.callId);
      if (same instanceof Set) same.delete(call);
      if (same === call || (same instanceof Set && same.size === 0)) byId.delete(call.callId);
    },
    all() {
      const calls = [...byId.values()].flatMap((same) => (same instanceof Set ? [...same] : same));
      // Calls that share an id are next to each other, and the sort is stable.
      return calls.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    },
  };
}
