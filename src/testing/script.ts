import type { Entry, Fault, Piece, Turn } from "./scenario.js";

/** The answer to a request. `over`: the script has no more turns. */
export type Played = { readonly kind: "turn"; readonly turn: Turn } | { readonly kind: "over" } | Fault;

/** Plays one script in one conversation. Its only state is the number of faults played at the current step. */
export interface ScriptPlayer {
  /** `step` is the number of completed turns in the conversation. */
  play(step: number): Played;
}

export function createScriptPlayer(entries: readonly Entry[]): ScriptPlayer {
  const steps = toSteps(entries);
  let current = -1;
  let faultsMet = 0;

  return {
    play(step) {
      if (step !== current) faultsMet = 0;
      current = step;
      const { faults, turn } = steps[step] ?? { faults: [] };
      const fault = faultAt(faults, faultsMet);
      if (fault !== undefined) {
        faultsMet += 1;
        return fault;
      }
      return turn === undefined ? { kind: "over" } : { kind: "turn", turn };
    },
  };
}

interface Step {
  faults: Fault[];
  turn?: Turn;
}

/** A fault does not advance the conversation: it belongs to the turn after it. */
function toSteps(entries: readonly Entry[]): Step[] {
  const steps: Step[] = [];
  let faults: Fault[] = [];
  for (const entry of entries) {
    if (isFault(entry)) {
      faults.push(entry);
      continue;
    }
    steps.push({ faults, turn: isPieces(entry) ? { kind: "turn", pieces: entry } : entry });
    faults = [];
  }
  return faults.length === 0 ? steps : [...steps, { faults }];
}

function faultAt(faults: readonly Fault[], met: number): Fault | undefined {
  let before = 0;
  for (const fault of faults) {
    before += fault.times;
    if (met < before) return fault;
  }
  return undefined;
}

function isPieces(entry: Entry): entry is readonly Piece[] {
  return Array.isArray(entry);
}

function isFault(entry: Entry): entry is Fault {
  return !isPieces(entry) && entry.kind !== "turn";
}
