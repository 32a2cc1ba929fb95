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
  const byId = new Map<string, OpenCall[]>();
  return {
    add(call) {
      const same = byId.get(call.callId);
      if (same === undefined) byId.set(call.callId, [call]);
      else same.push(call);
    },
    find(callId) {
      const same = byId.get(callId);
      return same?.length === 1 ? same[0] : undefined;
    },
    remove(call) {
      const same = byId.get(call.callId);
      if (same === undefined) return;
      const rest = same.filter((other) => other !== call);
      if (rest.length === 0) byId.delete(call.callId);
      else byId.set(call.callId, rest);
    },
    all: () => [...byId.values()].flat(),
  };
}
