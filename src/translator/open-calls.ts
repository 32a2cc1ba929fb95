import type { OpenCall } from "./contract.js";

/** The tool calls that have started and not ended, in the order they started. */
export interface OpenCalls {
  add(call: OpenCall): void;
  /** The call with this id, unless there is none or more than one: guessing would be worse. */
  find(callId: string): OpenCall | undefined;
  remove(call: OpenCall): void;
  all(): OpenCall[];
}

export function createOpenCalls(): OpenCalls {
  const byId = new Map<string, Set<OpenCall>>();
  return {
    add(call) {
      const same = byId.get(call.callId);
      if (same === undefined) byId.set(call.callId, new Set([call]));
      else same.add(call);
    },
    find(callId) {
      const same = byId.get(callId);
      if (same?.size !== 1) return undefined;
      const [only] = same;
      return only;
    },
    remove(call) {
      const same = byId.get(call.callId);
      same?.delete(call);
      if (same?.size === 0) byId.delete(call.callId);
    },
    all: () => [...byId.values()].flatMap((same) => [...same]),
  };
}
