import type { EventOf } from "../../events/event.js";
import { previewCall } from "../../story/call-preview.js";
import { describePlan } from "../../story/describe-operation.js";
import { cleanLine } from "../../text/cut.js";
import type { JsonValue } from "../../text/json.js";

/** A tool call that is running, or that is remembered because a subagent works for it. */
export interface Call {
  name: string;
  /** What it is about, in one row. */
  preview: string;
  /** What it is doing: `Running npm test`. */
  doing: string;
  /** Its input, while it is running: what it edits is counted at its end. */
  input: JsonValue | undefined;
  /** How many files it is to edit. */
  files: number;
  startedAt: number;
  parentCallId: string | undefined;
  /** How many subagents deep the call itself is. */
  depth: number;
  /** It started a subagent: its end is reported as the subagent's. */
  isSubagent: boolean;
}

export interface RunningCalls {
  latest: Call | undefined;
  others: number;
  subagent: Call | undefined;
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
  /**
   * The running call that was started last, how many others are running besides it and the subagents it works for, and the
   * subagent it works for.
   */
  readonly running: RunningCalls;
}

/** A chain of subagents is not followed further. */
const longestChain = 32;

export function createCalls(): Calls {
  const known = new Map<string, Call>();
  const running = new Map<string, Call>();

  function depthBelow(callId: string | undefined): number {
    return callId === undefined ? 0 : (known.get(callId)?.depth ?? 0) + 1;
  }

  function isWithin(callId: string | undefined, ancestor: string): boolean {
    let current = callId;
    for (let step = 0; step < longestChain && current !== undefined; step += 1) {
      if (current === ancestor) return true;
      current = known.get(current)?.parentCallId;
    }
    return false;
  }

  return {
    start({ callId, name, input, operations = [], parentCallId }, time, cwd) {
      const depth = depthBelow(parentCallId);
      const preview = previewCall(input, cwd);
      const [planned] = operations;
      const call = {
        name,
        preview,
        doing: planned ? describePlan(planned, cwd) : `${cleanLine(name)} ${preview}`.trimEnd(),
        input,
        files: new Set(operations.flatMap((each) => (each.type === "write" ? [each.path] : []))).size,
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
    isWithin,
    get running() {
      const [id, latest] = [...running].at(-1) ?? [];
      if (id === undefined || latest === undefined) return { latest, others: 0, subagent: undefined };
      const others = [...running.keys()].filter((other) => !isWithin(id, other)).length;
      return { latest, others, subagent: running.get(latest.parentCallId ?? "") };
    },
  };
}
