import { asNumber, asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { withoutWhiteSpace } from "../../text/white-space.js";
import type { Sink } from "../contract.js";
import { createStreamedMessage } from "../shared/streamed-message.js";

/** `agent_response` steps. Each step has its own message. The last piece of a step ends its message. */
export interface Speech {
  response(step: JsonObject, out: Sink): void;
  /** Something else begins: the open message is complete. */
  end(out: Sink): void;
  /** `response` of the result. It repeats what was streamed, or a part of it. Otherwise it is a message. */
  restated(response: string | undefined, out: Sink): void;
}

export function createSpeech(): Speech {
  const message = createStreamedMessage();
  const said = createSpokenText();
  let speakingStep: string | undefined;

  function end(out: Sink): void {
    message.complete(out);
    speakingStep = undefined;
  }

  return {
    response(step, out) {
      const id = `step-${asNumber(step["step_index"]) ?? 0}`;
      if (id !== speakingStep) end(out);
      speakingStep = id;
      const thought = asText(step["thinking_delta"]);
      const delta = asText(step["text_delta"]);
      if (thought !== undefined) out.emit({ type: "thinking", delta: thought });
      if (delta !== undefined) {
        said.add(delta);
        message.add(delta, out, id);
      }
      if (step["state"] !== "ACTIVE") end(out);
    },
    end,
    restated(response, out) {
      if (response !== undefined && !said.has(response)) message.complete(out, response);
      said.turnEnded();
    },
  };
}

/** At least so much of a turn is remembered, its end. */
const mostOfTurn = 100_000;
/** So much of the turns before it. A one-shot run has one turn. */
const mostBefore = 65_536;

/** What was streamed, to recognise it in a result. */
function createSpokenText() {
  let before = "";
  let spoken = "";
  return {
    add(delta: string): void {
      spoken += withoutWhiteSpace(delta);
      if (spoken.length > 2 * mostOfTurn) spoken = spoken.slice(-mostOfTurn);
    },
    /** The messages of several steps are joined with different white space. */
    has(response: string): boolean {
      const text = withoutWhiteSpace(response);
      if (spoken.includes(text) || (before + spoken).includes(text)) return true;
      // A result that is longer than what is remembered ends with it.
      return spoken.length >= mostOfTurn && text.endsWith(spoken);
    },
    turnEnded(): void {
      before += spoken;
      if (before.length > 2 * mostBefore) before = before.slice(-mostBefore);
      spoken = "";
    },
  };
}
