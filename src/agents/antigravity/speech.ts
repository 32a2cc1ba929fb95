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
  let speakingStep: string | undefined;
  let spoken = "";

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
        spoken += withoutWhiteSpace(delta);
        message.add(delta, out, id);
      }
      if (step["state"] !== "ACTIVE") end(out);
    },
    end,
    restated(response, out) {
      // The messages of several steps are joined with different white space.
      if (response === undefined || spoken.includes(withoutWhiteSpace(response))) return;
      message.complete(out, response);
    },
  };
}
