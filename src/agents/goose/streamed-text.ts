import type { StreamedText } from "../streamed-text.js";

/** The records of a message share its id. */
export const gooseStreamedText: StreamedText = {
  pieces: [
    {
      when: { type: "message", "message.role": "assistant" },
      text: ["message.content.*.text", "message.content.*.thinking", "message.content.*.reasoning"],
      key: ["message.id"],
    },
  ],
};
