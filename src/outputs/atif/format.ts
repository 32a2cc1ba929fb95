import type { HarnessEvent } from "../../events/event.js";
import { ndjsonPieces } from "../../text/json-pieces.js";
import { spellSafely, toPrettyJson } from "../../text/to-json.js";
import type { Format, FormatOptions, Output, OutputOptions, Piece, View } from "../contract.js";
import type { AtifTrajectory } from "./schema.js";
import { toTrajectory } from "./trajectory.js";

/** The run as an ATIF trajectory: one item, when the run has ended, or when there are no more events of it. */
export const atifFormat: Format<AtifTrajectory> = { name: "atif", create: createAtifView };

function createAtifView(options: FormatOptions = {}): View<AtifTrajectory> {
  let events: HarnessEvent[] = [];
  let isOver = false;

  function finish(): AtifTrajectory[] {
    if (isOver || events.length === 0) return [];
    const whole = toTrajectory(events, options);
    isOver = true;
    events = [];
    return [whole];
  }

  return {
    push(added) {
      for (const event of added) {
        if (isOver) break;
        events.push(event);
        if (event.type === "exited" && event.parentCallId === undefined) return finish();
      }
      return [];
    },
    end: finish,
  };
}

/** On a terminal, where a person reads it, the object has line breaks. */
export function openAtif(options: OutputOptions): Output {
  const view = createAtifView(options);
  const toPiece = (whole: AtifTrajectory): Piece =>
    options.columns === undefined
      ? { pieces: { [Symbol.iterator]: () => ndjsonPieces([whole]) } }
      : `${spellSafely(toPrettyJson(whole))}\n`;
  return {
    push: (steps) => steps.flatMap(({ events }) => view.push(events).map(toPiece)),
    end: () => (view.end?.() ?? []).map(toPiece),
  };
}
