import type { StreamedText } from "../../streamed-text.js";

/** Texts come whole. A running call may repeat its output so far. */
export const opencodeStreamedText: StreamedText = {
  pieces: [],
  growing: [{ "part.state.status": ["pending", "running"] }],
};
