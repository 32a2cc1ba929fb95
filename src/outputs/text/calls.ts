import type { EventOf } from "../../events/event.js";
import { previewCall } from "../../story/call-preview.js";

/** A tool call that is running, or that is remembered because a subagent works for it. */
export interface Call {
  name: string;
  /** What it is about, in one row. */
  preview: string;
  startedAt: number;
  parentCallId: string | undefined;
  /** How many subagents deep the call itself is. */
  depth: number;
  /** It started a subagent: its end is reported as the subagent's. */
  isSubagent: boolean;
}

export interface Calls {
  start(event: EventOf<"tool_start">, time: number, cwd: string | undefined): void;
  /** Removes it from the running ones. */
  end(callId: string): Call | undefined;
  find(callId: string | undefined): Call | undefined;
  /** The depth of the rows of the subagent that this call started; 0 for the main agent. */
  depthBelow(callId: string | undefined): number;
  /** True if one call is in the thread of the subagent that the other call started. */
  isWithin(callId: string | undefined, ancestor: string): boolean;
  /** The running call that was started last, and how many are running. */
  readonly running: { latest: Call | undefined; count: number };
}

/** A chain of subagents is not followed further. */
const longestChain = 32;

export function createCalls(): Calls {
  const known = new Map<string, Call>();
  const running = new Map<string, Call>();

  function depthBelow(callId: string | undefined): number {
    return callId === undefined ? 0 : (known.get(callId)?.depth ?? 0) + 1;
  }

  return {
    start({ callId, name, input, parentCallId }, time, cwd) {
      const depth = depthBelow(parentCallId);
      const call = {
        name,
        preview: previewCall(input, cwd),
        startedAt: time,
        parentCallId,
        depth,
        isSubagent: false,
      };
      known.set(callId, call);
      running.delete(callId);
      running.set(callId, call);
    },
    end(callId) {
      const call = running.get(callId);
      running.delete(callId);
      return call;
    },
    find: (callId) => (callId === undefined ? undefined : known.get(callId)),
    depthBelow,
    isWithin(callId, ancestor) {
      let current = callId;
      for (let step = 0; step < longestChain && current !== undefined; step += 1) {
        if (current === ancestor) return true;
        current = known.get(current)?.parentCallId;
      }
      return false;
    },
    get running() {
      let latest: Call | undefined;
      for (const call of running.values()) latest = call;
      return { latest, count: running.size };
    },
  };
}
