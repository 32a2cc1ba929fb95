import type { StreamedText } from "../../streamed-text.js";

/** A message goes on until a record of another type comes. Bob marks reasoning. */
export const geminiStreamedText: StreamedText = {
  pieces: [{ when: { type: "message", role: "assistant" }, text: ["content"], key: ["isReasoning"] }],
};
