import type { StreamedText } from "../../streamed-text.js";

/** A message is what the model says until something else comes. Bob marks what is reasoning. */
export const geminiStreamedText: StreamedText = {
  pieces: [{ when: { type: "message", role: "assistant" }, text: ["content"], key: ["isReasoning"] }],
};
