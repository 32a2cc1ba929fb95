import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { OperationEvent } from "../../story/activity.js";
import { reasonOf } from "../../story/failure-reason.js";
import { cleanLine } from "../../text/cut.js";
import { type Call, type Calls, createCalls } from "./calls.js";
import { cutEnd } from "./cut.js";
import { type Deed, marks, toDeedLine } from "./deed-line.js";
import { toOperationDeed, toToolDeed } from "./operation-line.js";
import type { Page } from "./page.js";
import { createSubagents } from "./subagents.js";

/** What a row of work depends on besides its event. */
export interface Setting {
  time: number;
  cwd: string | undefined;
  home: string | undefined;
  /** The run is ending, so a call without an outcome did not finish. */
  isClosing: boolean;
}

/** Everything that was done, one row each: by the main agent, and by subagents below their names. */
export interface Work {
  /** Rows of this thread follow. Gives their depth. */
  begin(parentCallId: string | undefined): number;
  start(event: EventOf<"tool_start">): void;
  end(event: EventOf<"tool_end">): void;
  add(event: OperationEvent): void;
  /** True when the record is that of a call, which then is shown by its tool. */
  addUnknown(): boolean;
  propose(event: EventOf<"edits">): void;
  /** To be told of every event first: what a call did follows its end at once, or it did nothing. */
  settle(next?: HarnessEvent): void;
  readonly running: Calls["running"];
}

/** A call that has ended, until it is known what it did. */
interface EndedCall {
  event: EventOf<"tool_end">;
  call: Call | undefined;
  duration: number | undefined;
  /** What it did so far, to show nothing twice. */
  deeds: Set<string>;
  isReasonTold: boolean;
}

/** Rows about work are compact, even where there is room for more. */
const mostColumns = 160;

export function createWork(page: Page, setting: Readonly<Setting>, beforeRows: () => void): Work {
  const calls = createCalls();
  const subagents = createSubagents(page, calls);
  let ended: EndedCall | undefined;

  function begin(parentCallId: string | undefined): number {
    beforeRows();
    page.begin("work");
    return subagents.enter(parentCallId);
  }

  function write(deed: Deed, depth: number, reason = ""): void {
    const columns = Math.min(page.columnsAt(depth), mostColumns);
    page.row(toDeedLine(deed, columns), depth);
    writeReason(reason, depth);
  }

  function writeReason(reason: string, depth: number): void {
    const columns = Math.min(page.columnsAt(depth), mostColumns);
    if (reason !== "") page.row([{ text: `  ${cutEnd(reason, columns - 2)}`, style: "dim" }], depth);
  }

  function add(event: OperationEvent): void {
    if (event.type === "orchestration") {
      const depth = begin(event.parentCallId);
      subagents.tell(event, setting.time);
      if (event.action === "subagent_failed") writeReason(reasonOnce(event), depth);
      return;
    }
    const isUnfinished = setting.isClosing && event.isSuccess === undefined;
    const deed = toOperationDeed(event, { ...setting, duration: ended?.duration, isUnfinished });
    const name = `${deed.verb} ${deed.object}`;
    if (ended?.deeds.has(name)) return;
    ended?.deeds.add(name);
    write(deed, begin(event.parentCallId), deed.mark === marks.failure ? reasonOnce(event) : "");
  }

  function reasonOnce(event: OperationEvent): string {
    if (ended === undefined || ended.isReasonTold) return "";
    ended.isReasonTold = true;
    return reasonOf(ended.event.output, event.type === "command");
  }

  function writeTool({ event, call, duration }: EndedCall): void {
    const { isSuccess, name, output, parentCallId } = event;
    const isUnfinished = setting.isClosing && isSuccess === undefined;
    const deed = toToolDeed(name, call?.preview ?? "", isSuccess, { duration, isUnfinished });
    write(deed, begin(parentCallId), isSuccess === false ? reasonOf(output, false) : "");
  }

  return {
    begin,
    start: (event) => calls.start(event, setting.time, setting.cwd),
    end(event) {
      const call = calls.end(event.callId);
      const duration = call === undefined ? undefined : setting.time - call.startedAt;
      ended = { event, call, duration, deeds: new Set(), isReasonTold: false };
    },
    add,
    addUnknown() {
      const isOfCall = ended !== undefined;
      if (ended !== undefined && ended.deeds.size === 0) writeTool(ended);
      ended = undefined;
      return isOfCall;
    },
    propose({ edits, parentCallId }) {
      const paths = new Set(edits.map(({ filePath }) => filePath));
      const verb = `Proposed ${edits.length === 1 ? "an edit" : `${edits.length} edits`}`;
      write({ mark: marks.open, verb, object: cleanLine([...paths].join(", ")) }, begin(parentCallId));
    },
    settle(next) {
      if (ended === undefined || (next !== undefined && isOf(ended, next))) return;
      const { event, call, deeds } = ended;
      // A call that tells nothing is housekeeping of the agent: of interest only when it fails.
      if (deeds.size === 0 && event.isSuccess === false && !call?.isSubagent) writeTool(ended);
      ended = undefined;
    },
    get running() {
      return calls.running;
    },
  };
}

function isOf({ event: { callId } }: EndedCall, next: HarnessEvent): boolean {
  if (next.type === "unknown") return true;
  return next.type !== "tool_start" && "callId" in next && next.callId === callId;
}
