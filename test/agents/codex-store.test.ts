import { expect, it } from "vitest";
import { codex } from "../../src/agents/codex/definition.js";
import { compareStoredRuns, questions, translateStored } from "../support/stored-runs.js";

/** `exec` prints the shell around a command, and no directories. */
function spell(line: string, scenario: string): string {
  return line
    .replaceAll(`/workspace/codex-${scenario}/`, "")
    .replace(`,"workingDirectory":"/workspace/codex-${scenario}"`, "")
    .replace(/"\/bin\/bash -lc '(.*)'"/, '"$1"')
    .replace(/"\/bin\/bash -lc \\"(.*)\\""/, '"$1"');
}

const cut = "the stream has tokens only at the end of a turn that was completed";
const noExit = "an exit code is not stored: the session was interrupted";
const whole = "the stream of a resumed session counts the whole session again";
const noItem = "the stream has no item for a tool that is not there, or was refused";
const inside = "the store also has what subagents did, and their tokens";

it("the store of every run gives what its stream gave", () => {
  expect(
    compareStoredRuns(
      codex,
      {
        api400: { tokens: cut },
        cancelled: { tokens: cut, outcome: noExit },
        compaction: { tokens: whole },
        killed: { tokens: cut, outcome: noExit },
        readonly: { calls: noItem, operations: noItem },
        resume: { tokens: whole },
        resumeafterstop: { tokens: cut },
        spoof: { calls: "the stream quotes the command for the shell around it" },
        subagent: { messages: inside, calls: inside, operations: inside, tokens: inside },
        todo: { calls: noItem },
        toolerror: { calls: noItem },
        twosubs: { messages: inside, calls: inside, operations: inside, tokens: inside },
      },
      spell,
    ),
  ).toEqual([]);
});

/** Lines of an older version, as they are publicly known. */
function olderEvents(lines: readonly object[]) {
  const records = lines.map((line) => ({
    line: JSON.stringify(line),
    timestamp: "2025-10-01T00:00:00.000Z",
  }));
  const { events, unaccounted } = translateStored(codex, records);
  expect(unaccounted).toEqual([]);
  return events;
}

const shellCall = {
  type: "function_call",
  name: "shell",
  arguments: '{"command":["bash","-lc","cat a.txt"],"workdir":"/workspace"}',
  call_id: "call_1",
};
const shellOutput = {
  type: "function_call_output",
  call_id: "call_1",
  output: '{"output":"text\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
};
const message = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: role === "user" ? "input_text" : "output_text", text }],
});

it("reads lines without items, and says nothing twice", () => {
  const item = (payload: object) => ({ type: "response_item", payload });
  const event = (payload: object) => ({ type: "event_msg", payload });
  const usage = { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2, reasoning_output_tokens: 1 };
  const count = event({ type: "token_count", info: { last_token_usage: usage, total_token_usage: usage } });
  const events = olderEvents([
    { type: "session_meta", payload: { id: "019a", cwd: "/workspace", cli_version: "0.42.0" } },
    item(message("user", "<environment_context>\n</environment_context>")),
    { type: "turn_context", payload: { cwd: "/workspace", model: "gpt-5-codex" } },
    item(message("user", "Read it.")),
    event({ type: "user_message", message: "Read it." }),
    event({ type: "agent_reasoning", text: "A file." }),
    item({ type: "reasoning", summary: [{ type: "summary_text", text: "A file." }] }),
    item(shellCall),
    item(shellOutput),
    count,
    count,
    event({ type: "agent_message", message: "Done." }),
    item(message("assistant", "Done.")),
    event({ type: "user_message", message: "Again." }),
    event({ type: "turn_aborted", reason: "interrupted" }),
  ]);
  expect(questions.prompts(events)).toEqual(["Read it.", "Again."]);
  expect(questions.messages(events)).toEqual(["Done."]);
  expect(questions.thinking(events)).toEqual(["A file."]);
  expect(questions.operations(events)).toEqual([
    '{"type":"read","path":"/workspace/a.txt","isSuccess":true}',
  ]);
  expect(questions.tokens(events)).toContain("totalTokens 12");
  expect(events.filter(({ type }) => type === "turn_end")).toMatchObject([
    { reason: "completed" },
    { reason: "interrupted" },
  ]);
});

it("reads lines without an envelope", () => {
  const events = olderEvents([
    { id: "019b", timestamp: "2025-06-01T00:00:00.000Z", instructions: null },
    message("user", "Read it."),
    shellCall,
    shellOutput,
    message("assistant", "Done."),
  ]);
  expect(questions.prompts(events)).toEqual(["Read it."]);
  expect(questions.outcome(events)).toEqual(["true undefined Done."]);
  expect(questions.operations(events)).toHaveLength(1);
});
