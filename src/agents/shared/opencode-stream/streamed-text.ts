import type { StreamedText } from "../../streamed-text.js";

/**
 * A one-shot run prints texts whole. The server sends them in pieces, with other records in between, until their part is updated. A
 * running call may repeat its output so far.
 */
export const opencodeStreamedText: StreamedText = {
  pieces: [{ when: { type: "message.part.delta" }, text: ["properties.delta"], key: ["properties.partID"] }],
  ends: [{ when: { type: "message.part.updated" }, key: ["properties.part.id"] }],
  between: [{ type: ["server.heartbeat", "session.diff", "session.status", "session.updated", "sync"] }],
  growing: [
    { "part.state.status": ["pending", "running"] },
    { type: "message.part.updated", "properties.part.state.status": ["pending", "running"] },
  ],
};
