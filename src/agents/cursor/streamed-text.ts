import type { StreamedText } from "../streamed-text.js";

/** `--stream-partial-output`: pieces, and then the whole once more. */
export const cursorStreamedText: StreamedText = {
  pieces: [
    {
      when: { type: "assistant", timestamp_ms: "*", model_call_id: null },
      text: ["message.content.*.text"],
    },
    { when: { type: "thinking", subtype: "delta" }, text: ["text"] },
  ],
};
