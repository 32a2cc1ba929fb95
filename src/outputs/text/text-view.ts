import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSummary } from "../../story/create-summary.js";
import { cleanLine } from "../../text/cut.js";
import { writeClosing } from "./closing.js";
import { toHeader } from "./header.js";
import type { Line } from "./line.js";
import { createNotices } from "./notices.js";
import { withTilde } from "./operation-line.js";
import { createPage } from "./page.js";
import type { Progress } from "./progress.js";
import { createReports } from "./reports.js";
import { createSpeaker } from "./speaker.js";
import { createWork, type Setting } from "./work.js";

export interface TextViewOptions {
  /** The width of the terminal; Infinity where there is none. */
  columns: number;
  /** How people call the agent. Default: its id. */
  agentName?: string | undefined;
  /** The user's directory, shown as `~`. */
  home?: string | undefined;
  /** What the agent may do, where that is known. */
  permissions?: string | undefined;
  /** Show what the model thinks, dimmed. */
  showsThinking?: boolean | undefined;
  /** Where the recording is, asked for at the end. */
  recording?: (() => string | undefined) | undefined;
}

/**
 * `--format text`: a run as rows for people. A pure state machine: it reads no clock and writes nowhere, and
 * nothing that an agent printed gets through it but as text.
 */
export interface TextView {
  /** The events of ONE native line, in order. Gives the rows that are finished now. */
  push(events: readonly HarnessEvent[]): Line[];
  /** The row that is being written. */
  readonly open: Line | undefined;
  /** What is going on, so long after the latest event. Undefined before the start and after the end. */
  progress(sinceLatest: number): Progress | undefined;
  resize(columns: number): Line[];
}

/** Narrower terminals have to break rows themselves. */
const fewestColumns = 20;

export function createTextView(options: TextViewOptions): TextView {
  const { agentName, home, permissions, showsThinking = false } = options;
  const page = createPage(Math.max(options.columns, fewestColumns));
  const summary = createSummary();
  const setting: Setting = { time: 0, cwd: undefined, home, isClosing: false };
  const speaker = createSpeaker(page);
  const notices = createNotices(page);
  const work = createWork(page, setting, beforeRows);
  const reports = createReports(page, work.begin);

  let startedAt: number | undefined;
  let agent = agentName ?? "";
  let model: string | undefined;
  let hasHeader = false;
  let doing = "Starting";
  let latest: HarnessEvent["type"] | undefined;
  let notUnderstood = 0;
  /** Why the run failed, once its end is here. */
  let why: string | undefined;
  let isOver = false;

  function writeHeader(): void {
    if (hasHeader) return;
    hasHeader = true;
    page.begin("head");
    const cwd = withTilde(setting.cwd ?? "", home);
    page.row(toHeader({ agentName: agent, model, cwd, permissions }, page.columns));
  }

  function beforeRows(): void {
    writeHeader();
    speaker.pause();
  }

  function addMessage(event: EventOf<"text"> | EventOf<"agent">): void {
    if (event.type === "agent" && event.role !== undefined) return;
    if (event.parentCallId !== undefined) {
      reports.add(event, event.parentCallId);
      return;
    }
    writeHeader();
    speaker.say(event);
    doing = event.type === "text" ? "Writing" : waiting;
  }

  function addThought(event: EventOf<"thinking">): void {
    doing = "Thinking";
    if (!showsThinking) return;
    writeHeader();
    if (event.parentCallId === undefined) speaker.think(event);
    else reports.addThought(event, event.parentCallId);
  }

  function addNotice(event: EventOf<"warning"> | EventOf<"error">): void {
    if (event.type === "error" && why !== undefined && event.message.includes(why)) {
      why = event.message;
      return;
    }
    if (notices.isNews(event)) notices.write(event, work.begin(event.parentCallId));
  }

  /**
   * A line that is no record is shown as it is: of programs that nobody knows, that is all there is. A record that was
   * told as well (Codex's reasoning) is nothing to count.
   */
  function addUnknown({ raw }: EventOf<"unknown">): void {
    if (work.addUnknown() || latest === "tool_start" || latest === "thinking") return;
    if (typeof raw !== "string") {
      notUnderstood += 1;
      return;
    }
    beforeRows();
    page.begin("output");
    page.paragraph({ text: raw });
  }

  function addResult(event: EventOf<"result">): void {
    reports.end();
    doing = "Ending";
    if (!event.isSuccess || event.text === undefined || event.text.trim() === "") return;
    writeHeader();
    speaker.answer(event.text);
  }

  function addExit(): void {
    beforeRows();
    writeClosing(page, summary.read(), {
      agentName: cleanLine(agent),
      home,
      recording: options.recording?.(),
      why,
      observedMs: startedAt === undefined ? undefined : setting.time - startedAt,
      hiddenWarnings: notices.hidden,
      notUnderstood,
    });
    isOver = true;
  }

  function add(event: HarnessEvent): void {
    const read = Date.parse(event.timestamp);
    if (read > setting.time) setting.time = read;
    startedAt ??= setting.time;
    summary.add(event);
    work.settle(event);
    switch (event.type) {
      case "started":
        agent = agentName ?? event.agent;
        setting.cwd = event.cwd || setting.cwd;
        doing = `Starting ${cleanLine(agent)}`;
        break;
      case "session":
        model = event.model ?? model;
        setting.cwd = event.cwd || setting.cwd;
        doing = waiting;
        break;
      case "text":
      case "agent":
        addMessage(event);
        break;
      case "thinking":
        addThought(event);
        break;
      case "tool_start":
        work.start(event);
        break;
      case "tool_end":
        work.end(event);
        doing = waiting;
        break;
      case "edits":
        work.propose(event);
        break;
      case "usage":
        break;
      case "warning":
      case "error":
        addNotice(event);
        break;
      case "unknown":
        addUnknown(event);
        break;
      case "result":
        addResult(event);
        break;
      case "exited":
        addExit();
        break;
      default:
        work.add(event);
    }
    latest = event.type;
  }

  function activity(): string {
    const { latest: call, count } = work.running;
    if (call === undefined) return doing;
    const others = count > 1 ? ` and ${count - 1} more` : "";
    const name = call.isSubagent ? "Subagent" : cleanLine(call.name);
    return `${name} ${call.preview}`.trimEnd() + others;
  }

  return {
    push(events) {
      const result = events.find((event) => event.type === "result");
      if (result !== undefined && !setting.isClosing) {
        setting.isClosing = true;
        why = result.failure?.message;
      }
      latest = undefined;
      for (const event of events) if (!isOver) add(event);
      work.settle();
      return page.take();
    },
    get open() {
      return speaker.open;
    },
    progress(sinceLatest) {
      if (startedAt === undefined || isOver) return undefined;
      return { elapsed: setting.time - startedAt + sinceLatest, activity: activity(), spent: summary.spent };
    },
    resize(columns) {
      page.columns = Math.max(columns, fewestColumns);
      speaker.resize();
      return page.take();
    },
  };
}

const waiting = "Waiting for the model";
