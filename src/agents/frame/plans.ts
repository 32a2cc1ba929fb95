import type { PlanEntry } from "../../events/live-event.js";
import type { Draft, Finished, OpenCall, Sink, TodoList, TodoTools } from "../contract.js";

/** The to-do lists of a run: that of the main agent, and one for each subagent. Emits `plan` when a list has changed. */
export interface Plans {
  report: Sink["plan"];
  /** A call has ended. Calls of other tools and failed ones leave the lists as they are. */
  ended(call: OpenCall, how: Finished): void;
}

interface Known {
  /** Undefined: not known. */
  list: TodoList | undefined;
  /** The entries of the last `plan`, as text. */
  reported: string;
}

/** `isResumed`: the session goes on, so its list may have entries that this run does not show. */
export function createPlans(tools: TodoTools, isResumed: boolean, emit: (draft: Draft) => void): Plans {
  const byName: ReadonlyMap<string, TodoTools[string]> = new Map(Object.entries(tools));
  /** By the call that started the subagent. Undefined: the main agent. */
  const lists = new Map<string | undefined, Known>();

  function listOf(owner: string | undefined): Known {
    const known = lists.get(owner);
    if (known !== undefined) return known;
    const created = { list: owner === undefined && isResumed ? undefined : [], reported: "[]" };
    lists.set(owner, created);
    return created;
  }

  const plans: Plans = {
    report(list, { callId, parentCallId }) {
      const known = listOf(parentCallId);
      known.list = list;
      const entries = list.map(toEntry);
      const reported = JSON.stringify(entries);
      if (reported === known.reported) return;
      known.reported = reported;
      emit({ type: "plan", parentCallId, entries, callId });
    },
    ended(call, { isSuccess, output, details }) {
      const tool = byName.get(call.name);
      if (tool === undefined || isSuccess === false) return;
      const { callId, input, parentCallId } = call;
      const owner = tool.isShared ? undefined : parentCallId;
      const known = listOf(owner);
      known.list = tool.read({ input, isSuccess, output, details }, known.list);
      if (known.list !== undefined) plans.report(known.list, { callId, parentCallId: owner });
    },
  };
  return plans;
}

function toEntry({ content, status, priority }: PlanEntry): PlanEntry {
  return priority === undefined ? { content, status } : { content, status, priority };
}
