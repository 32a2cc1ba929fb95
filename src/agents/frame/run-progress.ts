import type { ReportedFailure, RunState } from "../../events/run-state.js";
import { isSoundCost, soundUsage } from "../../events/sound-numbers.js";
import type { Draft } from "../contract.js";

/** What the stream has said about how the run is going. A success is withdrawn if the run goes on after it. */
export interface RunProgress {
  readonly run: RunState;
  /** An event of a line is emitted. Its line may come after the terminal record. */
  observe(draft: Draft): void;
  /** The process has ended: nothing follows. */
  settle(): void;
  /** The next turn of a live session begins with nothing said. Work in the background goes on as long as its process. */
  reset(about: { isProcessGone: boolean }): void;
}

const work: ReadonlySet<string> = new Set<Draft["type"]>(["text", "thinking", "agent", "tool_start"]);

/** True for events that only an agent at work causes. Messages of the user or the system are not. */
export function isWork(draft: Draft): boolean {
  return work.has(draft.type) && !(draft.type === "agent" && draft.role !== undefined);
}

/**
 * A success is final only if nothing follows it. If an error follows, the run failed. If work follows, the success was not
 * the end of the run, which then needs another terminal record. `line` returns the number of the current line.
 */
export function createRunProgress(line: () => number): RunProgress {
  let saidAt = 0;
  let later: ReportedFailure | undefined;

  const watched = new WatchedRun(() => {
    saidAt = line();
    later = undefined;
  });
  const run: RunState = watched;

  return {
    run,
    observe(draft) {
      // What a subagent does, or how it fails, does not change the run's outcome.
      if (run.terminal !== "success" || line() <= saidAt || draft.parentCallId !== undefined) return;
      if (draft.type === "error") later = { message: draft.message, code: draft.code, isReported: true };
      else if (isWork(draft)) watched.withdraw();
    },
    settle() {
      run.failure ??= later;
      if (!isSoundCost(run.costUsd)) run.costUsd = undefined;
      if (run.usage !== undefined) run.usage = soundUsage(run.usage);
    },
    reset({ isProcessGone }) {
      watched.reset();
      if (isProcessGone) run.openWork = undefined;
      later = undefined;
    },
  };
}

/** The state of a run that reports when `terminal` is set. A class, since a literal with accessors is slow (see `Writable`). */
class WatchedRun implements RunState {
  needsTerminal = true;
  terminalLine: number | undefined;
  failure: RunState["failure"];
  openWork: RunState["openWork"];
  abandoned: RunState["abandoned"];
  text: RunState["text"];
  output: RunState["output"];
  durationMs: RunState["durationMs"];
  costUsd: RunState["costUsd"];
  usage: RunState["usage"];
  #terminal: RunState["terminal"];
  readonly #onTerminal: () => void;

  constructor(onTerminal: () => void) {
    this.#onTerminal = onTerminal;
  }

  get terminal(): RunState["terminal"] {
    return this.#terminal;
  }

  set terminal(value: RunState["terminal"]) {
    this.#terminal = value;
    this.#onTerminal();
  }

  /** Empties the state, apart from what holds for the whole process. */
  reset(): void {
    this.withdraw();
    this.needsTerminal = true;
    this.failure = undefined;
    this.text = undefined;
    this.output = undefined;
    this.durationMs = undefined;
    this.costUsd = undefined;
    this.usage = undefined;
    this.abandoned = undefined;
  }

  /** The run goes on after its success. */
  withdraw(): void {
    this.#terminal = undefined;
    this.terminalLine = undefined;
  }
}
