import type { OperationEvent } from "../formats/run-events/activity.js";
import { createSummary } from "../summary/create-summary.js";
import type { EventOf, HarnessEvent } from "../vocabulary/event.js";
import { type Call, createCalls } from "./calls.js";
import { cleanLine } from "./clean-text.js";
import { writeClosing } from "./closing.js";
import { cutEnd } from "./cut.js";
import { type Deed, marks, toDeedLine } from "./deed-line.js";
import { reasonOf } from "./failure-reason.js";
import { toHeader } from "./header.js";
import type { Line } from "./line.js";
import { createNotices } from "./notices.js";
import { type Circumstances, toOperationDeed, toToolDeed, withTilde } from "./operation-line.js";
import { createPage } from "./page.js";
import type { Progress } from "./progress.js";
import { createSpeaker } from "./speaker.js";
import { createSubagents } from "./subagents.js";

export interface TextViewOptions {
  /** The width of the terminal; Infinity where there is none. */
  columns: number;
  /** How people call the agent. Default: its id. */
  agentName?: string | undefined;
  /** The user's directory, shown as `~`. */
  home?: string | undefined;
  showsThinking?: boolean | undefined;
  /** Where the recording is, asked for at the end. */
  recording?: (() => string | undefined) | undefined;
}

/**
 * `--format text`: a run as rows for people. A pure state machine: it reads no clock and writes nowhere, and
 * what it was given cannot reach the terminal but as text.
 */
export interface TextView {
  /** The events of ONE native line, in order. Gives the rows that are finished. */
  push(events: readonly HarnessEvent[]): Line[];
  /** The row that is being written. */
  readonly open: Line | undefined;
  /** What is going on, so long after the latest event. Undefined before the start and after the end. */
  progress(sinceLatest: number): Progress | undefined;
  resize(columns: number): Line[];
}

/** A subagent's report, shown so far. The main agent takes from it what matters. */
const maxReportRows = 8;

/** A call that has ended, until it is known what it did. */
interface EndedCall {
  event: EventOf<"tool_end">;
  call: Call | undefined;
  duration: number | undefined;
  deeds: number;
  isReasonTold: boolean;
}

export function createTextView(options: TextViewOptions): TextView {
  const { agentName, home, showsThinking = false } = options;
  const page = createPage(options.columns);
  const summary = createSummary();
  const calls = createCalls();
  const subagents = createSubagents(page, calls);
  const speaker = createSpeaker(page);
  const notices = createNotices(page);
  /** What subagents have streamed of messages that are not told as a whole yet. */
  const reports = new Map<string, string>();

  let startedAt: number | undefined;
  let time = 0;
  let agent = agentName ?? "";
  let model: string | undefined;
  let cwd: string | undefined;
  let hasHeader = false;
  let doing = "Starting";
  let ended: EndedCall | undefined;
  let latest: HarnessEvent["type"] | undefined;
  let notUnderstood = 0;
  /** Why the run failed, once its end is here. */
  let why: string | undefined;
  let isClosing = false;
  let isOver = false;

  function writeHeader(): void {
    if (hasHeader) return;
    hasHeader = true;
    page.begin("head");
    page.row(toHeader(agent, model, withTilde(cwd ?? "", home), page.columns));
  }

  /** Rows about work follow, of the main agent or of a subagent; gives their depth. */
  function beginWork(parentCallId: string | undefined): number {
    writeHeader();
    speaker.pause();
    page.begin("work");
    return subagents.enter(parentCallId);
  }

  function writeDeed(deed: Deed, depth: number, reason: string): void {
    page.row(toDeedLine(deed, page.columnsAt(depth)), depth);
    if (reason === "") return;
    page.row([{ text: `  ${cutEnd(reason, page.columnsAt(depth) - 2)}`, style: "dim" }], depth);
  }

  function circumstances(isSuccess: boolean | undefined): Circumstances {
    const isUnfinished = isClosing && isSuccess === undefined;
    return { cwd, home, duration: ended?.duration, isUnfinished };
  }

  function addOperation(event: OperationEvent): void {
    if (event.type === "orchestration") {
      const depth = beginWork(event.parentCallId);
      subagents.tell(event, time);
      if (event.action === "subagent_failed") writeReason(reason(event), depth);
      return;
    }
    const depth = beginWork(event.parentCallId);
    const deed = toOperationDeed(event, circumstances(event.isSuccess));
    writeDeed(deed, depth, deed.mark === marks.failure ? reason(event) : "");
    if (ended !== undefined) ended.deeds += 1;
  }

  function reason(event: OperationEvent): string {
    if (ended === undefined || ended.isReasonTold) return "";
    ended.isReasonTold = true;
    return reasonOf(ended.event.output, event.type === "command");
  }

  function writeReason(text: string, depth: number): void {
    if (text !== "")
      page.row([{ text: `  ${cutEnd(text, page.columnsAt(depth) - 2)}`, style: "dim" }], depth);
  }

  function endCall(event: EventOf<"tool_end">): void {
    const call = calls.end(event.callId);
    const duration = call === undefined ? undefined : time - call.startedAt;
    ended = { event, call, duration, deeds: 0, isReasonTold: false };
  }

  /** A call that did nothing with a name of its own is shown by its tool. */
  function writeTool({ event, call }: EndedCall): void {
    const { isSuccess, name, parentCallId } = event;
    const depth = beginWork(parentCallId);
    const shown = call ?? { name, preview: "", startedAt: time, parentCallId, depth, isSubagent: false };
    const deed = toToolDeed(shown, isSuccess, circumstances(isSuccess));
    writeDeed(deed, depth, isSuccess === false ? reasonOf(event.output, false) : "");
  }

  /** Nothing more comes of the call. One that told nothing is housekeeping, unless it failed. */
  function settle(): void {
    const settled = ended;
    if (settled === undefined) return;
    if (settled.deeds === 0 && settled.event.isSuccess === false && !settled.call?.isSubagent)
      writeTool(settled);
    ended = undefined;
  }

  function addUnknown({ raw }: EventOf<"unknown">): void {
    if (ended !== undefined && ended.deeds === 0) {
      writeTool(ended);
      ended = undefined;
    } else if (typeof raw === "string") {
      writeHeader();
      speaker.pause();
      page.begin("output");
      page.paragraph({ text: raw });
    } else if (latest !== "tool_start") notUnderstood += 1;
  }

  function addMessage(event: EventOf<"text"> | EventOf<"agent">): void {
    const { parentCallId } = event;
    if (event.type === "agent" && event.role !== undefined) return;
    if (parentCallId === undefined) {
      writeHeader();
      speaker.say(event);
      doing = event.type === "text" ? "Writing" : "Waiting for the model";
    } else if (event.type === "text") {
      reports.set(parentCallId, (reports.get(parentCallId) ?? "") + event.delta);
    } else {
      reports.delete(parentCallId);
      writeReport(parentCallId, event.message);
    }
  }

  function writeReport(parentCallId: string, text: string): void {
    if (text.trim() === "") return;
    const depth = beginWork(parentCallId);
    page.paragraph({ text: text.trim(), depth, maxRows: maxReportRows });
  }

  function addThought(event: EventOf<"thinking">): void {
    doing = "Thinking";
    if (!showsThinking) return;
    writeHeader();
    if (event.parentCallId === undefined) speaker.think(event);
    else if (event.message !== undefined && event.message.trim() !== "") {
      const depth = beginWork(event.parentCallId);
      page.paragraph({ text: event.message.trim(), style: "dim", depth, maxRows: maxReportRows });
    }
  }

  function addNotice(event: EventOf<"warning"> | EventOf<"error">): void {
    if (event.type === "warning" && !notices.isNews(event)) return;
    if (event.type === "error" && why !== undefined && event.message.includes(why)) {
      why = event.message;
      return;
    }
    notices.write(event, beginWork(event.parentCallId));
  }

  function addEdits({ edits, parentCallId }: EventOf<"edits">): void {
    const depth = beginWork(parentCallId);
    const paths = new Set(edits.map(({ filePath }) => filePath));
    const deed = {
      mark: marks.open,
      verb: `Proposed ${edits.length} edits`,
      object: cleanLine([...paths].join(", ")),
    };
    writeDeed(deed, depth, "");
  }

  function addResult(event: EventOf<"result">): void {
    for (const [parentCallId, text] of reports) writeReport(parentCallId, text);
    reports.clear();
    if (event.isSuccess && event.text !== undefined && event.text.trim() !== "") {
      writeHeader();
      speaker.answer(event.text);
    }
    doing = "Ending";
  }

  function addExit(): void {
    writeHeader();
    speaker.pause();
    writeClosing(page, summary.read(), {
      agentName: agent,
      home,
      recording: options.recording?.(),
      why,
      observedMs: startedAt === undefined ? undefined : time - startedAt,
      hiddenWarnings: notices.hidden,
      notUnderstood,
    });
    isOver = true;
  }

  function add(event: HarnessEvent): void {
    const read = Date.parse(event.timestamp);
    if (read > time) time = read;
    startedAt ??= time;
    summary.add(event);
    if (ended !== undefined && !isOf(ended, event)) settle();
    switch (event.type) {
      case "started":
        agent = agentName ?? event.agent;
        cwd = event.cwd || cwd;
        doing = `Starting ${cleanLine(agent)}`;
        break;
      case "session":
        model = event.model ?? model;
        cwd = event.cwd || cwd;
        doing = "Waiting for the model";
        break;
      case "text":
      case "agent":
        addMessage(event);
        break;
      case "thinking":
        addThought(event);
        break;
      case "tool_start":
        calls.start(event, time, cwd);
        break;
      case "tool_end":
        endCall(event);
        doing = "Waiting for the model";
        break;
      case "warning":
      case "error":
        addNotice(event);
        break;
      case "unknown":
        addUnknown(event);
        break;
      case "edits":
        addEdits(event);
        break;
      case "usage":
        break;
      case "result":
        addResult(event);
        break;
      case "exited":
        addExit();
        break;
      default:
        addOperation(event);
    }
    latest = event.type;
  }

  function activity(): string {
    const { latest: call, count } = calls.running;
    if (call === undefined) return doing;
    const others = count > 1 ? ` (and ${count - 1} more)` : "";
    return `${cleanLine(call.name)} ${call.preview}`.trimEnd() + others;
  }

  return {
    push(events) {
      latest = undefined;
      const result = events.find((event) => event.type === "result");
      if (result?.type === "result" && !isOver) {
        isClosing = true;
        why = result.failure?.message;
      }
      for (const event of events) if (!isOver) add(event);
      settle();
      return page.take();
    },
    get open() {
      return speaker.open;
    },
    progress(sinceLatest) {
      if (startedAt === undefined || isOver) return undefined;
      return { elapsed: time - startedAt + sinceLatest, activity: activity(), spent: summary.spent };
    },
    resize(columns) {
      page.columns = columns;
      speaker.resize();
      return page.take();
    },
  };
}

/** True for what a call did, which follows its end. */
function isOf(ended: EndedCall, event: HarnessEvent): boolean {
  return (
    event.type === "unknown" ||
    ("callId" in event && event.callId === ended.event.callId && event.type !== "tool_start")
  );
}
