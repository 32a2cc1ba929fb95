import type { StreamedText } from "../streamed-text.js";

const pieces = ["text", "reasoning", "thinking"];
const ends = ["content_end", "iteration_start", "iteration_end", "done", "error"];

/** The lead and its team speak at the same time. `accumulated` grows with each piece, and so do messages before 3.0. */
export const clineStreamedText: StreamedText = {
  pieces: [
    {
      when: { type: "agent_event", "event.type": "content_start", "event.contentType": pieces },
      text: ["event.text", "event.reasoning"],
      key: ["type", "event.agentId"],
    },
    {
      when: { type: "agent_event", "event.type": "content_update" },
      text: ["event.update.chunk"],
      key: ["type", "event.agentId", "event.toolCallId", "event.update.stream"],
    },
    {
      when: { type: "team_event", "event.event.type": "content_start", "event.event.contentType": pieces },
      text: ["event.event.text", "event.event.reasoning"],
      key: ["type", "event.agentId"],
    },
    {
      when: { type: "team_event", "event.event.type": "content_update" },
      text: ["event.event.update.chunk"],
      key: ["type", "event.agentId", "event.event.toolCallId", "event.event.update.stream"],
    },
  ],
  ends: [
    { when: { type: "agent_event", "event.type": ends }, key: ["type", "event.agentId"] },
    { when: { type: "team_event", "event.event.type": ends }, key: ["type", "event.agentId"] },
    { when: { type: "run_result" } },
  ],
  growing: [{ partial: true }],
};
