import { expect, it } from "vitest";
import { bob } from "../../src/agents/bob/definition.js";
import { translate } from "../../src/agents/create-translator.js";

const lines = [
  { type: "message", role: "user", content: "The first task" },
  { type: "tool_use", tool_name: "list_files", tool_id: "a", parameters: { path: "." } },
  { type: "tool_result", tool_id: "a", status: "success", output: "Directory listing for .:\n\nx" },
  { type: "message", role: "user", content: "And now?\n" },
  { type: "tool_use", tool_name: "read_file", tool_id: "b", parameters: { path: "x" } },
  { type: "tool_result", tool_id: "b", status: "success", output: "Contents of file x:\n\n1 | y" },
  { type: "message", role: "assistant", content: "It is y." },
  { type: "result", status: "success", stats: { task_id: "t1" } },
].map((line) => JSON.stringify(line));

it("leaves out the history that a resumed run replays before its own prompt", () => {
  const events = [...translate(bob, lines, { cwd: "/repo", isResumed: true, prompt: "And now?" })];
  expect(events.map((event) => event.type)).toEqual([
    ...["started", "tool_start", "tool_end", "read", "text", "agent", "session", "result", "exited"],
  ]);
});

it("takes nothing for history in a run that was not resumed", () => {
  const events = [...translate(bob, lines, { cwd: "/repo", prompt: "And now?" })];
  expect(events.filter((event) => event.type === "tool_start")).toHaveLength(2);
});

it("does not count Bobcoins as dollars", () => {
  const result = JSON.stringify({
    type: "result",
    status: "success",
    stats: { session_costs: 0.5, input_tokens: 1 },
    cost: 0.5,
  });
  const events = [...translate(bob, [result])];
  expect(events.filter((event) => "costUsd" in event)).toEqual([]);
});
