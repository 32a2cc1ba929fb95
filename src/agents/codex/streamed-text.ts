import type { StreamedText } from "../streamed-text.js";

/** Texts come whole. The output of a command so far may be repeated before it ends. */
export const codexStreamedText: StreamedText = {
  pieces: [],
  growing: [{ type: ["item.started", "item.updated"] }],
};
