import type { StreamedText } from "../streamed-text.js";

/** Each step has its own answer, in pieces. Other steps repeat what there is so far. */
export const antigravityStreamedText: StreamedText = {
  pieces: [
    {
      when: { event: "step_update" },
      text: ["step_update.text_delta", "step_update.thinking_delta"],
      key: ["step_update.step_index"],
    },
    { when: { event: "step_update" }, text: ["text_delta", "thinking_delta"], key: ["step_index"] },
  ],
  growing: [{ "step_update.state": "ACTIVE" }, { state: "ACTIVE" }],
};
