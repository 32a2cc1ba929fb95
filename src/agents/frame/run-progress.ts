import type { ReportedFailure, RunState } from "../../events/run-state.js";
import { isSoundCost, soundUsage } from "../../events/sound-numbers.js";
import type { Draft } from "../contract.js";

/** What the stream has said about how the run is going, kept true to what follows an agent's success. */
export interface RunProgress {
  readonly run: RunState;
  /** An event goes out that a later line than the one of the agent's last word may have given. */
  told(draft: Draft): void;
  /** The process is gone: nothing follows. */
  settle(): void;
}

/** What only an agent at work says. */
const work: ReadonlySet<string> = new Set<Draft["type"]>(["text", "thinking", "agent", "tool_start"]);

/**
 * A success is the last word only if nothing else comes after it. An error that does makes the run a failure, and work that
 * goes on makes the success one of something else: the run has no last word then until there is another. `line`: the number of
 * the line at hand.
 */
export function createRunProgress(line: () => number): RunProgress {
  let terminal: RunState["terminal"];
  let saidAt = 0;
  let later: ReportedFailure | undefined;

  const run: RunState = {
    needsTerminal: true,
    get terminal() {
      return terminal;
    },
    set terminal(value) {
      terminal = value;
      saidAt = line();
      later = undefined;
    },
  };

  return {
    run,
    told(draft) {
      // What a subagent does, or how it fails, is not the run's.
      if (terminal !== "success" || line() <= saidAt || draft.parentCallId !== undefined) return;
      if (draft.type === "error") later = { message: draft.message, code: draft.code, isReported: true };
      else if (work.has(draft.type) && !isOfOthers(draft)) terminal = run.terminalLine = undefined;
    },
    settle() {
      run.failure ??= later;
      if (!isSoundCost(run.costUsd)) run.costUsd = undefined;
      if (run.usage !== undefined) run.usage = soundUsage(run.usage);
    },
  };
}

/** A message that is not the assistant's. */
function isOfOthers(draft: Draft): boolean {
  return draft.type === "agent" && draft.role !== undefined;
}
