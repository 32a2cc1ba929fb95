import type { StreamedText } from "../../streamed-text.js";

/** Texts come whole. A call that is under way may tell its output so far. */
export const opencodeStreamedText: StreamedText = {
  pieces: [],
  growing: [{ "part.state.status": ["pending", "running"] }],
};
