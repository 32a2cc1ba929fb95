import type { EventOf } from "../../events/event.js";
import { joinNameAndTask } from "../../story/call-preview.js";
import { hasFailed } from "../../story/outcomes.js";
import { cleanLine } from "../../text/cut.js";
import type { Calls } from "./calls.js";
import { marks, toDeedLine } from "./deed-line.js";
import { notesOf } from "./operation-line.js";
import type { Page } from "./page.js";

/** Puts the rows of a subagent below a row with its name. */
export interface Subagents {
  /** Rows of this thread follow. Writes its name again if another thread had rows in between. Returns its depth. */
  enter(parentCallId: string | undefined): number;
  /** Writes that a subagent has started or ended. */
  report(event: EventOf<"orchestration">, time: number): void;
}

interface Subagent {
  label: string;
  startedAt: number | undefined;
}

export function createSubagents(page: Page, calls: Calls): Subagents {
  const byId = new Map<string, Subagent>();
  const byCall = new Map<string, Subagent>();
  /** The call whose subagent had the latest row. */
  let thread: string | undefined;

  function enter(parentCallId: string | undefined): number {
    const depth = calls.depthBelow(parentCallId);
    if (parentCallId !== undefined && !calls.isWithin(thread, parentCallId)) {
      const label = byCall.get(parentCallId)?.label ?? calls.find(parentCallId)?.preview ?? "";
      name(label, depth - 1);
    }
    thread = parentCallId;
    return depth;
  }

  function name(label: string, depth: number): void {
    page.row(
      toDeedLine({ mark: marks.subagent, verb: "Subagent", object: label }, page.columnsAt(depth)),
      depth,
    );
  }

  function remember(event: EventOf<"orchestration">, time: number): Subagent {
    const { subagentId, callId } = event;
    const known = byId.get(subagentId ?? "") ?? byCall.get(callId ?? "");
    const call = calls.find(callId);
    const startedAt = call?.startedAt ?? (event.action === "subagent_started" ? time : undefined);
    const subagent = known ?? { label: labelOf(event, call?.preview), startedAt };
    if (subagentId !== undefined) byId.set(subagentId, subagent);
    if (callId !== undefined && known === undefined) byCall.set(callId, subagent);
    if (call !== undefined) call.isSubagent = true;
    return subagent;
  }

  return {
    enter,
    report(event, time) {
      const depth = enter(event.parentCallId);
      const { label, startedAt } = remember(event, time);
      if (event.action === "subagent_started") {
        name(label, depth);
        thread = event.callId ?? thread;
        return;
      }
      const duration = startedAt === undefined ? undefined : time - startedAt;
      const deed = {
        mark: hasFailed(event) ? marks.failure : marks.success,
        verb: "Subagent",
        object: label,
        notes: notesOf({ duration, isUnfinished: false }),
      };
      page.row(toDeedLine(deed, page.columnsAt(depth)), depth);
    },
  };
}

function labelOf({ subagentName, subagentId }: EventOf<"orchestration">, task: string | undefined): string {
  const label = joinNameAndTask(cleanLine(subagentName ?? ""), task ?? "");
  return label === "" ? cleanLine(subagentId ?? "") : label;
}
