import type { EventOf } from "../../events/event.js";
import { tokenCountsOf } from "../../story/spending.js";
import type { JsonObject } from "../../text/json.js";
import type { AcpUpdate } from "./schema.js";
import { asEvent } from "./whole-updates.js";

/** Which prompt is open, and the number of the request that asked it. A turn that the agent began itself was not asked for. */
export interface AcpTurns {
  /** A turn begins. Returns what is said about it besides its prompt. */
  begin(event: EventOf<"turn">): AcpUpdate[];
  /** A prompt is open. */
  readonly isAsked: boolean;
  /** True if the numbers are those of the open prompt: its answer has them. */
  note(event: EventOf<"usage">): boolean;
  usageOf(): JsonObject;
  /** The run has ended. A run without turns has one prompt. */
  endRun(): void;
  /** The id of the answer to the open prompt. Undefined: none is open. */
  answer(): number | undefined;
}

export function createAcpTurns(): AcpTurns {
  let nextId = 2;
  let hasTurns = false;
  let isAsked = false;
  let usage: EventOf<"usage"> | undefined;
  return {
    begin(event) {
      hasTurns = true;
      isAsked = event.origin === "user";
      usage = undefined;
      return isAsked ? [] : [asEvent(event)];
    },
    get isAsked() {
      return isAsked;
    },
    note(event) {
      if (isAsked) usage = event;
      return isAsked;
    },
    usageOf: () => (usage === undefined ? {} : { usage: { ...tokenCountsOf(usage) } }),
    endRun() {
      isAsked ||= !hasTurns;
    },
    answer() {
      if (!isAsked) return undefined;
      isAsked = false;
      return nextId++;
    },
  };
}
