import type { StreamedText } from "../../streamed-text.js";

const update = "params.update";

/** Where ACP carries texts in pieces: messages, reasoning, and the output of commands (codex-acp, Goose). */
export const acpStreamedText: StreamedText = {
  pieces: [
    {
      when: { [`${update}.sessionUpdate`]: ["agent_message_chunk", "agent_thought_chunk"] },
      text: [`${update}.content.text`],
      key: [`${update}.sessionUpdate`, `${update}.messageId`],
    },
    {
      when: { [`${update}.sessionUpdate`]: "tool_call_update" },
      text: [
        `${update}._meta.terminal_output_delta.data`,
        `${update}._meta.toolNotification.params.chunks.*.output`,
      ],
      key: [`${update}.toolCallId`],
    },
  ],
  /** The output so far (OpenCode, Copilot). */
  growing: [{ [`${update}.sessionUpdate`]: "tool_call_update", [`${update}.status`]: ["in_progress"] }],
};
