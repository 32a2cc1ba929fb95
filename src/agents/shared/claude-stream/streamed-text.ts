import type { StreamedText } from "../../streamed-text.js";

const thread = "parent_tool_use_id";

/** `--include-partial-messages`. Subagents speak at the same time: a message of one does not end a message of another. */
export const claudeStreamedText: StreamedText = {
  pieces: [
    {
      when: { type: "stream_event", "event.type": "content_block_delta" },
      text: ["event.delta.text", "event.delta.thinking", "event.delta.partial_json"],
      key: [thread, "event.index"],
    },
  ],
  ends: [
    { when: { type: "stream_event", "event.type": "content_block_stop" }, key: [thread, "event.index"] },
    { when: { type: "stream_event", "event.type": ["message_start", "message_stop"] }, key: [thread] },
    { when: { type: "assistant" }, key: [thread] },
    { when: { type: "result" } },
  ],
  between: [
    { type: "system", subtype: ["thinking_tokens", "status"] },
    { type: "stream_event", "event.type": "ping" },
    { type: "stream_event", "event.delta.type": "signature_delta" },
  ],
};
