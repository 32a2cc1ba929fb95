import type { EventOf, HarnessEvent } from "../../events/event.js";
import { createSummary, type Summary } from "../../story/create-summary.js";
import { describeRecord } from "../../story/describe-record.js";
import { createRefusedCalls } from "../../story/refused-calls.js";
import { cleanLine } from "../../text/cut.js";
import { writeClosing } from "./closing.js";
import { toHeader } from "./header.js";
import { createNotices, type Notices } from "./notices.js";
import { withTilde } from "./operation-line.js";
import { createPage, type Page } from "./page.js";
import { createPlanWriter } from "./plan.js";
import { createReports, type Reports } from "./reports.js";
import { createRequestWriter, type RequestWriter } from "./requests.js";
import { createSpeaker, type Speaker } from "./speaker.js";
import type { TextViewOptions } from "./text-view.js";
import { createTurnWriter, type TurnWriter } from "./turns.js";
import { createWork, type Setting, type Work } from "./work.js";

/** What goes on, and since when, if its time is worth saying. */
export interface Activity {
  words: string;
  since?: number;
}

/** The parts of a text view, and what it knows about the run so far. */
export interface ViewState {
  readonly options: TextViewOptions;
  readonly page: Page;
  readonly summary: Summary;
  readonly setting: Setting;
  readonly speaker: Speaker;
  readonly notices: Notices;
  readonly work: Work;
  readonly reports: Reports;
  readonly turns: TurnWriter;
  readonly requests: RequestWriter;
  readonly writePlan: (event: EventOf<"plan">) => void;
  startedAt: number | undefined;
  agent: string;
  model: string | undefined;
  hasHeader: boolean;
  /** What goes on while no call is running. */
  doing: Activity;
  /** The type of the event before this one, of the same native line. */
  latest: HarnessEvent["type"] | undefined;
  /** Something of the agent was understood. Until then it may be a program that harness does not know. */
  isUnderstood: boolean;
  /** How many records were not shown because no rule understands them. */
  notUnderstood: number;
  /** The last events of the run have come. */
  isEnding: boolean;
  /** Why the run failed, once its end is here. */
  why: string | undefined;
  isOver: boolean;
}

export function createViewState(options: TextViewOptions, columns: number): ViewState {
  const page = createPage(columns);
  const refused = createRefusedCalls();
  const setting: Setting = { time: 0, cwd: undefined, home: options.home, isClosing: false, refused };
  const work = createWork(page, setting, () => beforeRows(state));
  const state: ViewState = {
    options,
    page,
    summary: createSummary(),
    setting,
    speaker: createSpeaker(page, options.createRows),
    notices: createNotices(page),
    work,
    reports: createReports(page, work.begin),
    turns: createTurnWriter(page, options.prompt),
    requests: createRequestWriter(page, setting, work.begin),
    writePlan: createPlanWriter(page, () => work.begin(undefined)),
    startedAt: undefined,
    agent: options.agentName ?? "",
    model: undefined,
    hasHeader: false,
    doing: { words: "Starting" },
    latest: undefined,
    isUnderstood: false,
    notUnderstood: 0,
    isEnding: false,
    why: undefined,
    isOver: false,
  };
  return state;
}

/** From now on nothing happens until the model answers. */
function waitForModel(state: ViewState): void {
  state.doing = { words: "Waiting for the model", since: state.setting.time };
}

/** Events that only an agent with a format of its own has. */
const understood: ReadonlySet<HarnessEvent["type"]> = new Set<HarnessEvent["type"]>([
  "session",
  "text",
  "agent",
  "thinking",
  "tool_start",
]);

export function addEvent(state: ViewState, event: HarnessEvent): void {
  const { setting, work } = state;
  const read = Date.parse(event.timestamp);
  if (read > setting.time) setting.time = read;
  state.startedAt ??= setting.time;
  state.summary.add(event);
  setting.refused.add(event);
  work.settle(event);
  state.isUnderstood ||= understood.has(event.type);
  switch (event.type) {
    case "started":
      state.agent = state.options.agentName ?? event.agent;
      setting.cwd = event.cwd || setting.cwd;
      state.doing = { words: `Starting ${cleanLine(state.agent)}` };
      break;
    case "session":
      state.model = event.model ?? state.model;
      setting.cwd = event.cwd || setting.cwd;
      waitForModel(state);
      break;
    case "text":
    case "agent":
      addMessage(state, event);
      break;
    case "thinking":
      addThought(state, event);
      break;
    case "tool_start":
      work.start(event);
      break;
    case "tool_end":
      work.end(event);
      waitForModel(state);
      break;
    case "edits":
      work.propose(event);
      break;
    case "usage":
    case "plan":
    case "turn":
    case "turn_end":
    case "request":
    case "request_end":
      addSessionEvent(state, event);
      break;
    case "warning":
    case "error":
      addNotice(state, event);
      break;
    case "unknown":
      addUnknown(state, event);
      break;
    case "result":
      addResult(state, event);
      break;
    case "exited":
      addExit(state);
      break;
    case "changes":
      break;
    default:
      work.add(event);
  }
  state.latest = event.type;
}

/** The header is the first row, and waits for the model's name as long as it can. */
function writeHeader(state: ViewState): void {
  if (state.hasHeader) return;
  state.hasHeader = true;
  const { agent, model, options, page, setting } = state;
  const cwd = withTilde(setting.cwd ?? "", options.home);
  page.begin("head");
  page.row(toHeader({ agentName: agent, model, cwd, permissions: options.permissions }, page.columns));
}

function beforeRows(state: ViewState): void {
  writeHeader(state);
  state.speaker.pause();
}

function addMessage(state: ViewState, event: EventOf<"text"> | EventOf<"agent">): void {
  if (event.type === "agent" && event.role !== undefined) return;
  if (event.parentCallId !== undefined) {
    state.reports.add(event, event.parentCallId);
    return;
  }
  writeHeader(state);
  state.speaker.say(event);
  if (event.type === "agent") waitForModel(state);
  else state.doing = { words: "Writing" };
}

function addThought(state: ViewState, event: EventOf<"thinking">): void {
  if (state.doing.words !== "Thinking") state.doing = { words: "Thinking", since: state.setting.time };
  if (!state.options.showsThinking) return;
  writeHeader(state);
  if (event.parentCallId === undefined) state.speaker.think(event);
  else state.reports.addThought(event, event.parentCallId);
}

function addSessionEvent(
  state: ViewState,
  event: EventOf<"usage" | "plan" | "turn" | "turn_end" | "request" | "request_end">,
): void {
  const { requests, speaker, turns } = state;
  switch (event.type) {
    case "usage":
      if (event.scope === "turn") turns.addUsage(event);
      return;
    case "plan":
      return state.writePlan(event);
    case "turn":
      beforeRows(state);
      speaker.beginTurn();
      waitForModel(state);
      return turns.start(event);
    case "turn_end":
      return endTurn(state, event);
    case "request":
      return requests.ask(event);
    case "request_end":
      return requests.decide(event);
  }
}

function endTurn(state: ViewState, event: EventOf<"turn_end">): void {
  const { notices, turns } = state;
  if (event.isSuccess) showAnswer(state, event.text);
  beforeRows(state);
  turns.end(event, notices.isShown(event.failure?.message));
  state.doing = { words: "Waiting for a prompt", since: state.setting.time };
}

/** An agent may report its answer with the end only. */
function showAnswer(state: ViewState, text: string | undefined): void {
  if (text === undefined || text.trim() === "") return;
  writeHeader(state);
  state.speaker.answer(text);
}

function addNotice(state: ViewState, event: EventOf<"warning"> | EventOf<"error">): void {
  const { notices, why, work } = state;
  if (event.type === "error" && why !== undefined && event.message.includes(why)) {
    state.why = event.message;
    return;
  }
  if (notices.isNews(event)) notices.write(event, work.begin(event.parentCallId));
}

/**
 * A line that is not a record is shown as it is, and so are the records of a program that harness does not know, in words. A record
 * that gave other events too (Codex's reasoning) is not counted.
 */
function addUnknown(state: ViewState, { raw }: EventOf<"unknown">): void {
  const { latest, page, work } = state;
  if (work.addUnknown() || latest === "tool_start" || latest === "thinking") return;
  const text = typeof raw === "string" ? raw : state.isUnderstood ? undefined : describeRecord(raw);
  if (text === undefined) {
    state.notUnderstood += 1;
    return;
  }
  beforeRows(state);
  page.begin("output");
  page.paragraph({ text });
}

function addResult(state: ViewState, event: EventOf<"result">): void {
  state.reports.end();
  state.doing = { words: "Ending" };
  if (event.isSuccess) showAnswer(state, event.text);
}

function addExit(state: ViewState): void {
  const { options, setting, startedAt } = state;
  beforeRows(state);
  writeClosing(state.page, state.summary.read(), {
    agentName: cleanLine(state.agent),
    home: options.home,
    recording: options.recording?.(),
    why: state.notices.isLast(state.why) ? undefined : state.why,
    observedMs: startedAt === undefined ? undefined : setting.time - startedAt,
    hiddenWarnings: state.notices.hidden,
    notUnderstood: state.notUnderstood,
  });
  state.isOver = true;
}
