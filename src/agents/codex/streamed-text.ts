import type { StreamedText } from "../streamed-text.js";

/** Texts come whole. What a command has printed so far may be told before it ends. */
export const codexStreamedText: StreamedText = {
  pieces: [],
  growing: [{ type: ["item.started", "item.updated"] }],
};
