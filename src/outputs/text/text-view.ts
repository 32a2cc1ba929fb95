import type { HarnessEvent } from "../../events/event.js";
import type { RunCheck } from "../../events/run-check.js";
import { type Activity, addEvent, createViewState, type ViewState } from "./add-event.js";
import { writeCheck } from "./closing.js";
import type { Line } from "./line.js";
import type { Progress } from "./progress.js";
import type { CreateRowMaker } from "./row-maker.js";

export interface TextViewOptions {
  /** The width of the terminal; Infinity where there is none. */
  columns: number;
  /** The agent's name for people. Default: its id. */
  agentName?: string | undefined;
  /** The user's directory, shown as `~`. */
  home?: string | undefined;
  /** What the run was started with, if it was started with a prompt. */
  prompt?: string | undefined;
  /** What the agent may do, if that is known. */
  permissions?: string | undefined;
  /** How the text of messages becomes rows. Default: as it is. */
  createRows?: CreateRowMaker | undefined;
  /** Show what the model thinks, dimmed. */
  showsThinking?: boolean | undefined;
  /** Returns where the recording is; called at the end. */
  recording?: (() => string | undefined) | undefined;
  /** Returns what the check after the run found out; called when no more events come. */
  check?: (() => RunCheck | undefined) | undefined;
}

/**
 * `--format text`: a run as rows for people. A pure state machine: it reads no clock and writes nowhere. Agent output is
 * always shown as plain text.
 */
export interface TextView {
  /** The events of ONE native line, in order. Returns the rows that are finished now. */
  push(events: readonly HarnessEvent[]): Line[];
  /** The row that is being written. */
  readonly open: Line | undefined;
  /** What is going on, so many milliseconds after the latest event. Undefined before the start and after the end. */
  progress(sinceLatest: number): Progress | undefined;
  resize(columns: number): Line[];
  /** No more events. Returns what is known only now: how the check after the run ended. */
  end(): Line[];
}

/** Narrower terminals break rows themselves. */
const fewestColumns = 20;

export function createTextView(options: TextViewOptions): TextView {
  const state = createViewState(options, Math.max(options.columns, fewestColumns));
  const { page, setting, speaker, summary, work } = state;
  return {
    push(events) {
      foreseeEnd(state, events);
      state.latest = undefined;
      for (const event of events) if (!state.isOver) addEvent(state, event);
      work.settle();
      setting.isClosing = state.isEnding;
      return page.take();
    },
    get open() {
      return speaker.open;
    },
    progress(sinceLatest) {
      const { startedAt } = state;
      if (startedAt === undefined || state.isOver) return undefined;
      const now = setting.time + sinceLatest;
      const { words, since } = activityOf(state);
      const lasts = since === undefined ? undefined : now - since;
      return { elapsed: now - startedAt, activity: words, lasts, spent: summary.spent };
    },
    resize(columns) {
      page.columns = Math.max(columns, fewestColumns);
      speaker.resize();
      return page.take();
    },
    end() {
      const check = options.check?.();
      if (check !== undefined) writeCheck(page, check);
      return page.take();
    },
  };
}

/**
 * The last events of a turn or of the run come together. Calls that are open come before the end, and so do errors that repeat
 * the failure.
 */
function foreseeEnd(state: ViewState, events: readonly HarnessEvent[]): void {
  if (state.isEnding) return;
  const result = events.find((event) => event.type === "result");
  state.setting.isClosing = result !== undefined || events.some((event) => event.type === "turn_end");
  if (result === undefined) return;
  state.isEnding = true;
  state.why = result.failure?.message;
}

/** What is waited for: an answer, the call that was started last, or the model. */
function activityOf({ requests, work, doing }: ViewState): Activity {
  if (requests.waitsFor !== undefined) return requests.waitsFor;
  const { latest: call, others, subagent } = work.running;
  if (call === undefined) return doing;
  const more = others > 0 ? ` and ${others} more` : "";
  if (call.isSubagent) return { words: `Subagent ${call.preview}${more}`, since: call.startedAt };
  const inside = subagent === undefined ? "" : "Subagent: ";
  return { words: inside + call.doing + more, since: call.startedAt };
}
