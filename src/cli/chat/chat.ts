import type { SessionRequest } from "../../agents/live-contract.js";
import { messageOf } from "../../errors.js";
import type { HarnessEvent } from "../../events/event.js";
import type { SessionControl, SessionState } from "../../live/control/session-control.js";
import type { Line } from "../../outputs/text/line.js";
import { createSummary, type Summary } from "../../story/create-summary.js";
import { type CommandHost, describeChanges, runCommand } from "./commands.js";
import { createDesk, type Desk } from "./desk.js";
import { toRequestRows } from "./request-rows.js";

/** A conversation, without the terminal: what lines and keys mean, and what is asked. */
export interface Chat {
  readonly desk: Desk;
  /** The session as it was last known. */
  readonly state: SessionState | undefined;
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
  extends Pick<CommandHost, "agentName" | "runId" | "permissions" | "resolveModel" | "resumable"> {
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

export function createChat(options: ChatOptions): Chat {
  const { control, print, onChange } = options;
  const summary = createSummary();
  let state: SessionState | undefined;
  let notice = "";
  let isInterrupting = false;
  let isLeaving = false;
  let next: string | undefined;

  const say = (text: string): void => {
    if (text !== "") print(text.split("\n").map((row) => [{ text: `  ${row}`, style: "dim" }]));
  };
  const complain = (error: unknown): void => {
    print([[{ text: `! ${messageOf(error)}`, style: "warning" }]]);
  };

  const desk = createDesk({
    control,
    hasRules: options.hasRules,
    say,
    onChange,
    onAsked(request: SessionRequest) {
      options.onAsked();
      print(toRequestRows(request, options.cwd, options.columns()));
    },
  });
  const sync = coalesced(async () => {
    state = await control.state();
    desk.update(state.requests);
    onChange();
  });

  function isBusy(): boolean {
    return state !== undefined && (state.isBusy || state.queue.length > 0);
  }

  function leave(): void {
    if (isLeaving) return options.stop();
    isLeaving = true;
    notice = "Ending… Ctrl-C again stops the agent at once";
    options.end();
    onChange();
  }

  async function resume(id: string): Promise<void> {
    await options.checkResume(id);
    next = id;
    leave();
  }

  function command(text: string): void {
    const host: CommandHost = { ...options, state, summary, desk, resume, leave };
    runCommand(text, host).then(say, complain).finally(sync);
  }

  return {
    desk,
    get state() {
      return state;
    },
    get notice() {
      return notice;
    },
    get isBusy() {
      return isBusy();
    },
    get isLeaving() {
      return isLeaving;
    },
    get next() {
      return next;
    },
    submit(text) {
      if (text.startsWith("/") && !text.startsWith("//")) return command(text.slice(1));
      if (desk.asked !== undefined) return desk.line(text);
      if (text.trim() === "") return;
      control
        .send(text.startsWith("//") ? text.slice(1) : text)
        .catch(complain)
        .finally(sync);
    },
    push(events) {
      for (const event of events) summary.add(event);
      const rows = changeRows(events, summary);
      if (rows.length > 0) print(rows);
      if (events.some(({ type }) => telling.has(type))) void sync();
    },
    interrupt() {
      if (isLeaving) return options.stop();
      if (desk.back()) return;
      if (notice !== "") return leave();
      if (!isBusy()) notice = leaveHint;
      else if (!isInterrupting) {
        isInterrupting = true;
        notice = "Interrupting… Ctrl-C again ends the chat";
        control
          .interrupt()
          .catch(complain)
          .finally(() => {
            isInterrupting = false;
            if (!isLeaving) notice = "";
            void sync();
          });
      }
      onChange();
    },
    typed() {
      if (!isInterrupting && !isLeaving) notice = "";
    },
    leave,
    sync,
  };
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
