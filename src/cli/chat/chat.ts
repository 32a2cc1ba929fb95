import type { SessionRequest } from "../../agents/live-contract.js";
import { messageOf } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { ControlState, SessionControl } from "../../live/control/session-control.js";
import type { Line } from "../../outputs/text/line.js";
import { wrapText } from "../../outputs/text/wrap.js";
import { createSummary, type Summary } from "../../story/create-summary.js";
import { cleanText } from "../../text/clean-text.js";
import { cleanLine } from "../../text/cut.js";
import { type CommandHost, describeChanges, runCommand } from "./commands.js";
import { createDesk, type Desk } from "./desk.js";
import { toRequestRows } from "./request-rows.js";

/** A conversation, without the terminal: what lines and keys mean, and what is asked. */
export interface Chat {
  readonly desk: Desk;
  /** The session as it was last known. */
  readonly state: ControlState | undefined;
  /** A sentence about what the next key would do. */
  readonly notice: string;
  readonly isBusy: boolean;
  readonly isLeaving: boolean;
  /** The session to go on with after this one. */
  readonly next: string | undefined;
  /** A line was entered: a prompt, a command, or an answer. */
  submit(text: string): void;
  /** Events of the session, after they were shown. */
  push(events: readonly HarnessEvent[]): void;
  /** Ctrl-C with nothing typed: interrupts the turn, and ends the chat the second time. */
  interrupt(): void;
  /** A key was typed: what Ctrl-C has announced is off. */
  typed(): void;
  leave(): void;
  /** Asks the session how it is. */
  sync(): Promise<void>;
}

export interface ChatOptions
  extends Pick<CommandHost, "agentName" | "runId" | "permissions" | "models" | "resolveModel" | "resumable"> {
  control: SessionControl;
  hasRules: boolean;
  cwd: string;
  columns(): number;
  /** Rows above the prompt. */
  print(lines: readonly Line[]): void;
  /** A request is asked now: a half-typed line makes room. */
  onAsked(): void;
  /** Something that is shown has changed. */
  onChange(): void;
  /** Checks that a session can be gone on with. */
  checkResume(id: string): Promise<void>;
  /** Ends the session in order, or leaves it to its owner. */
  end(): void;
  /** Stops everything at once. */
  stop(): void;
}

const leaveHint = "Ctrl-C again, or Ctrl-D, ends the chat";

interface ChatState {
  readonly options: ChatOptions;
  readonly summary: Summary;
  readonly desk: Desk;
  sync(): Promise<void>;
  known: ControlState | undefined;
  notice: string;
  isInterrupting: boolean;
  isLeaving: boolean;
  next: string | undefined;
}

export function createChat(options: ChatOptions): Chat {
  const { control, print, onChange } = options;
  const desk = createDesk({
    control,
    hasRules: options.hasRules,
    agentName: options.agentName,
    cwd: options.cwd,
    canReason: () => state.known?.can.denyReason ?? false,
    say: (text) => say(options, text),
    onChange,
    onAsked(request: SessionRequest) {
      options.onAsked();
      print(toRequestRows(request, options.cwd, options.columns()));
    },
  });
  const state: ChatState = {
    options,
    summary: createSummary(),
    desk,
    sync: coalesced(async () => {
      state.known = await control.state();
      desk.update(state.known.requests);
      onChange();
    }),
    known: undefined,
    notice: "",
    isInterrupting: false,
    isLeaving: false,
    next: undefined,
  };
  return {
    desk,
    get state() {
      return state.known;
    },
    get notice() {
      return state.notice;
    },
    get isBusy() {
      return isBusy(state);
    },
    get isLeaving() {
      return state.isLeaving;
    },
    get next() {
      return state.next;
    },
    submit: (text) => submit(state, text),
    push: (events) => push(state, events),
    interrupt: () => interrupt(state),
    typed() {
      if (!state.isInterrupting && !state.isLeaving) state.notice = "";
    },
    leave: () => leave(state),
    sync: state.sync,
  };
}

function say({ print, columns }: ChatOptions, text: string): void {
  if (text === "") return;
  print(wrapText(cleanText(text), columns() - 3).map((row) => [{ text: `  ${row}`, style: "dim" }]));
}

function complainOf(options: ChatOptions, error: unknown): void {
  const rows = wrapText(cleanText(messageOf(error)), options.columns() - 3);
  options.print(rows.map((row, index) => [{ text: `${index === 0 ? "!" : " "} ${row}`, style: "warning" }]));
}

function isBusy({ known }: ChatState): boolean {
  return known !== undefined && (known.isBusy || known.queue.length > 0);
}

function submit(state: ChatState, text: string): void {
  const { options, desk, sync } = state;
  if (text.startsWith("/") && !text.startsWith("//")) return carryOut(state, text.slice(1));
  if (desk.asked !== undefined) return desk.line(text);
  if (text.trim() === "") return;
  options.control
    .send(text.startsWith("//") ? text.slice(1) : text)
    .catch((error: unknown) => complainOf(options, error))
    .finally(sync);
}

function carryOut(state: ChatState, text: string): void {
  const { options, summary, desk, known } = state;
  options.print([[], [{ text: `> /${cleanLine(text)}`, style: "dim" }]]);
  const host: CommandHost = {
    ...options,
    state: known,
    summary,
    desk,
    async resume(id) {
      await options.checkResume(id);
      state.next = id;
      leave(state);
    },
    leave: () => leave(state),
  };
  runCommand(text, host)
    .then(
      (shown) => say(options, shown),
      (error: unknown) => complainOf(options, error),
    )
    .finally(state.sync);
}

function push({ summary, options, sync }: ChatState, events: readonly HarnessEvent[]): void {
  for (const event of events) summary.add(event);
  const rows = changeRows(events, summary);
  if (rows.length > 0) options.print(rows);
  if (events.some(({ type }) => telling.has(type))) void sync();
}

function interrupt(state: ChatState): void {
  const { options, desk, sync } = state;
  if (state.isLeaving) return options.stop();
  if (desk.back()) return;
  if (state.notice !== "") return leave(state);
  if (!isBusy(state)) state.notice = leaveHint;
  else {
    state.isInterrupting = true;
    state.notice = "Interrupting… Ctrl-C again ends the chat";
    options.control
      .interrupt()
      .catch((error: unknown) => complainOf(options, error))
      .finally(() => {
        state.isInterrupting = false;
        if (!state.isLeaving) state.notice = "";
        void sync();
      });
  }
  options.onChange();
}

function leave(state: ChatState): void {
  const { options } = state;
  if (state.isLeaving) return options.stop();
  state.isLeaving = true;
  state.notice = "Ending… Ctrl-C again stops the agent at once";
  options.end();
  options.onChange();
}

/** After these the queue, the requests or the model may be others. */
const telling: ReadonlySet<string> = new Set<HarnessEvent["type"]>([
  "session",
  "turn",
  "turn_end",
  "request",
  "request_end",
  "warning",
]);

/** What the session has changed so far, once for each turn that changed something. */
function changeRows(events: readonly HarnessEvent[], summary: Summary): Line[] {
  const isNew = events.some(({ type, turnId }) => type === "changes" && turnId !== undefined);
  const { changes } = isNew ? summary.read() : {};
  if (changes === undefined || changes.files.length === 0) return [];
  return [[{ text: `  ${describeChanges(changes)} since the start (/diff)`, style: "dim" }]];
}

/** Runs one at a time. What is asked for meanwhile runs once more. */
function coalesced(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isStale = false;
  async function run(): Promise<void> {
    do {
      isStale = false;
      // A session that has ended says nothing more: its last events do.
      await action().catch(() => undefined);
    } while (isStale);
    running = undefined;
  }
  return () => {
    if (running === undefined) running = run();
    else isStale = true;
    return running;
  };
}
