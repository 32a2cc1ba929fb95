import type { StreamedText } from "../streamed-text.js";

/** Each update carries a piece and, in 0.74, the whole message so far; a running call repeats its output so far. */
export const piStreamedText: StreamedText = {
  pieces: [
    {
      when: {
        type: "message_update",
        "assistantMessageEvent.type": ["text_delta", "thinking_delta", "toolcall_delta"],
      },
      text: ["assistantMessageEvent.delta"],
      key: ["assistantMessageEvent.type", "assistantMessageEvent.contentIndex"],
    },
  ],
  growing: [{ type: "message_update" }, { type: "tool_execution_update" }],
};
