import { expect, it } from "vitest";
import { claude } from "../../src/agents/claude/definition.js";
import { compareStoredRuns, questions, translateStored } from "../support/stored-runs.js";

const noRequest = "a run without an answer has counts of 0 in its stream, and none in its store";
const noCost = "only newer versions store the cost; harness estimates it with its prices";
const answers =
  "the store also has the last message of a subagent, which the stream has as the result of its call";

it("the store of every run gives what its stream gave", () => {
  expect(
    compareStoredRuns(claude, {
      api401: { tokens: noRequest },
      killed: {
        tokens: "the stream has tokens only at its end",
        outcome: "an exit code is not stored: the session was interrupted",
      },
      subagent: { messages: answers },
      twosubs: { messages: answers },
      "2.1.197-api401": { tokens: noRequest, cost: noCost },
      "2.1.197-cancelled": { cost: noCost },
      "2.1.197-files": { cost: noCost },
      "2.1.197-resume": { cost: noCost },
      "2.1.197-subagent": { messages: answers, cost: noCost },
      "2.1.197-text": { cost: noCost },
      "2.1.197-thinking": { cost: noCost },
    }),
  ).toEqual([]);
});

it("reads lines of older versions: no stop reason, and subagents in the file of the session", () => {
  const lines = [
    { type: "summary", summary: "A title", leafUuid: "u9" },
    user("u1", null, "Delegate it."),
    assistant("u2", "u1", [call("t1", "Task", { prompt: "Look.", subagent_type: "general-purpose" })]),
    { ...user("s1", null, "Look."), isSidechain: true },
    { ...assistant("s2", "s1", [call("t2", "Read", { file_path: "/workspace/a.txt" })]), isSidechain: true },
    { ...user("s3", "s2", [result("t2", "text")]), isSidechain: true },
    { ...assistant("s4", "s3", [{ type: "text", text: "Seen." }]), isSidechain: true },
    user("u3", "u2", [result("t1", "Seen.")]),
    assistant("u4", "u3", [{ type: "text", text: "Done." }]),
    user("u5", "u4", "<command-name>/clear</command-name>\n<command-args></command-args>"),
    user("u6", "u5", "<local-command-stdout></local-command-stdout>"),
    user("b1", "u6", "<bash-input> echo mine</bash-input>"),
    user("b2", "b1", "<bash-stdout>mine</bash-stdout><bash-stderr></bash-stderr>"),
    assistant("b3", "b2", [{ type: "text", text: "It was printed." }]),
    user("u7", "u6", "And now?"),
    {
      ...assistant("u8", "u7", [{ type: "text", text: "API Error: 529 Overloaded" }]),
      isApiErrorMessage: true,
    },
  ];
  const records = lines.map((line) => ({
    line: JSON.stringify(line),
    timestamp: "2025-07-01T00:00:00.000Z",
  }));
  const { events, unaccounted } = translateStored(claude, records);
  expect(unaccounted).toEqual([]);
  expect(questions.prompts(events)).toEqual(["Delegate it.", "! echo mine", "And now?"]);
  expect(questions.messages(events)).toEqual(["  Seen.", "Done.", "It was printed."]);
  expect(questions.operations(events)).toEqual([
    '  {"type":"read","path":"/workspace/a.txt","isSuccess":true}',
    expect.stringContaining('"action":"subagent_completed"'),
    expect.stringContaining('"action":"subagent_started"'),
  ]);
  expect(events.findLast(({ type }) => type === "result")).toMatchObject({
    isSuccess: false,
    failure: { kind: "provider" },
  });
  expect(events.filter(({ type }) => type === "unknown")).toEqual([]);
});

function line(uuid: string, parentUuid: string | null) {
  return { uuid, parentUuid, isSidechain: false, sessionId: "s", cwd: "/workspace", version: "1.0.65" };
}

function user(uuid: string, parentUuid: string | null, content: unknown) {
  return { ...line(uuid, parentUuid), type: "user", message: { role: "user", content } };
}

function assistant(uuid: string, parentUuid: string, content: unknown[]) {
  const message = {
    id: `msg_${uuid}`,
    role: "assistant",
    model: "claude-sonnet-4",
    stop_reason: null,
    content,
  };
  return { ...line(uuid, parentUuid), type: "assistant", message };
}

function call(id: string, name: string, input: object) {
  return { type: "tool_use", id, name, input };
}

function result(id: string, content: string) {
  return { type: "tool_result", tool_use_id: id, content };
}
