import type { EventOf, HarnessEvent } from "../../events/event.js";
import type { OperationEvent } from "../../events/operation.js";
import { failureReason } from "../../story/failure-reason.js";
import { hasFailed } from "../../story/outcomes.js";
import type { RefusedCalls } from "../../story/refused-calls.js";
import { cleanLine } from "../../text/cut.js";
import { type Call, type Calls, createCalls } from "./calls.js";
import { cutEnd } from "./cut.js";
import { type DeedRow, marks, toDeedLine } from "./deed-line.js";
import { countEdit, type EditCount } from "./edit-counts.js";
import { toOperationDeed, toToolDeed } from "./operation-line.js";
import type { Page } from "./page.js";
import { createSubagents } from "./subagents.js";

/** What the rows of work depend on besides their events. */
export interface Setting {
  time: number;
  cwd: string | undefined;
  home: string | undefined;
  /** The turn or the run is ending: a call without an outcome did not finish. */
  isClosing: boolean;
  /** The row of the request says what became of such a call. */
  readonly refused: RefusedCalls;
}

/** One row for everything that was done, by the main agent and, below their names, by subagents. */
export interface Work {
  /** Rows of this thread follow. Returns their depth. */
  begin(parentCallId: string | undefined): number;
  start(event: EventOf<"tool_start">): void;
  end(event: EventOf<"tool_end">): void;
  add(event: OperationEvent): void;
  /** True if the unknown record belongs to a call, whose tool is shown instead. */
  addUnknown(): boolean;
  propose(event: EventOf<"edits">): void;
  /** Takes every event before anything else does: what a call did follows its end at once, or it did nothing. */
  settle(next?: HarnessEvent): void;
  readonly running: Calls["running"];
}

/** A call that has ended; what it did may follow. */
interface EndedCall {
  event: EventOf<"tool_end">;
  call: Call | undefined;
  duration: number | undefined;
  /** What it did so far: nothing is shown twice. */
  deeds: Set<string>;
  isReasonShown: boolean;
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

  function write(deed: DeedRow, depth: number, reason = ""): void {
    const columns = Math.min(page.columnsAt(depth), mostColumns);
    page.row(toDeedLine(deed, columns), depth);
    writeReason(reason, depth);
  }

  function writeReason(reason: string, depth: number): void {
    const columns = Math.min(page.columnsAt(depth), mostColumns);
    if (reason !== "") page.row([{ text: `  ${cutEnd(reason, columns - 2)}`, style: "dim" }], depth);
  }

  function add(event: OperationEvent): void {
    if (setting.refused.has(event)) return;
    if (event.type === "orchestration") {
      const depth = begin(event.parentCallId);
      subagents.report(event, setting.time);
      if (event.action === "subagent_failed") writeReason(reasonOnce(event), depth);
      return;
    }
    const isUnfinished = setting.isClosing && event.isSuccess === undefined;
    const edited = editedBy(event, ended);
    const deed = toOperationDeed(event, { ...setting, duration: ended?.duration, isUnfinished, edited });
    const name = `${deed.verb} ${deed.object}`;
    if (ended?.deeds.has(name)) return;
    ended?.deeds.add(name);
    write(deed, begin(event.parentCallId), deed.mark === marks.failure ? reasonOnce(event) : "");
  }

  function reasonOnce(event: OperationEvent): string {
    if (ended === undefined || ended.isReasonShown) return "";
    ended.isReasonShown = true;
    return failureReason(ended.event.output, event.type === "command");
  }

  function writeTool({ event, call, duration }: EndedCall): void {
    const { isSuccess, name, output, parentCallId } = event;
    const isUnfinished = setting.isClosing && isSuccess === undefined;
    const deed = toToolDeed(name, call?.preview ?? "", isSuccess, { duration, isUnfinished });
    write(deed, begin(parentCallId), hasFailed(event) ? failureReason(output, false) : "");
  }

  return {
    begin,
    start: (event) => calls.start(event, setting.time, setting.cwd),
    end(event) {
      const call = calls.end(event.callId);
      const duration = call === undefined ? undefined : setting.time - call.startedAt;
      ended = { event, call, duration, deeds: new Set(), isReasonShown: false };
    },
    add,
    addUnknown() {
      const isOfCall = ended !== undefined;
      if (ended !== undefined && !isShown(ended, setting)) writeTool(ended);
      ended = forget(ended);
      return isOfCall;
    },
    propose: ({ edits, parentCallId }) => write(toProposal(edits), begin(parentCallId)),
    settle(next) {
      if (ended === undefined || (next !== undefined && isOf(ended, next))) return;
      const { event, call } = ended;
      // A call without operations is the agent's housekeeping: it is of interest only if it fails.
      if (!isShown(ended, setting) && hasFailed(event) && !call?.isSubagent) writeTool(ended);
      ended = forget(ended);
    },
    get running() {
      return calls.running;
    },
  };
}

/** True if what the call did has rows of its own, or nobody wanted it to be done. */
function isShown({ event, deeds }: EndedCall, { refused }: Readonly<Setting>): boolean {
  return deeds.size > 0 || refused.has(event);
}

function editedBy(event: OperationEvent, ended: EndedCall | undefined): EditCount | undefined {
  if (event.type !== "write" || hasFailed(event) || ended?.call === undefined) return undefined;
  return countEdit({ ...ended.call, output: ended.event.output }, event.path);
}

/** Calls are remembered, but not their inputs, which may be long. */
function forget(ended: EndedCall | undefined): undefined {
  if (ended?.call !== undefined) ended.call.input = undefined;
}

function toProposal(edits: EventOf<"edits">["edits"]): DeedRow {
  const paths = new Set(edits.map(({ filePath }) => filePath));
  const verb = `Proposed ${edits.length === 1 ? "an edit" : `${edits.length} edits`}`;
  return { mark: marks.open, verb, object: cleanLine([...paths].join(", ")) };
}

function isOf({ event: { callId } }: EndedCall, next: HarnessEvent): boolean {
  if (next.type === "unknown") return true;
  return next.type !== "tool_start" && "callId" in next && next.callId === callId;
}
