#!/usr/bin/env node
/*
 * Speaks as Claude Code does in a live session (see test/fixtures/live/stream-json-claude-*). The first word of a prompt says what
 * it does:
 *   run COMMAND    asks to run the command
 *   edit           asks to replace a line of a file
 *   question       asks two questions
 *   plan           asks to carry out a plan
 *   wait           does nothing until it is interrupted
 *   anything else  answers with the words
 */
import { createInterface } from "node:readline";

if (process.argv.includes("--version")) {
  console.log("2.1.325 (Claude Code)");
  process.exit(0);
}
const resumed = process.argv[process.argv.indexOf("--resume") + 1];
const session_id = process.argv.includes("--resume") ? resumed : "11111111-2222-4333-8444-555555555555";
const say = (value) => process.stdout.write(`${JSON.stringify({ session_id, ...value })}\n`);
const waiting = new Map();
let count = 0;

function speak(text) {
  count += 1;
  const message = { id: `msg_${count}`, role: "assistant", model: "m", content: [{ type: "text", text }] };
  say({ type: "assistant", message, parent_tool_use_id: null });
  say({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    total_cost_usd: 0.01,
    num_turns: 1,
  });
}

/** Calls a tool, after it was allowed. */
function call(name, input, then) {
  count += 1;
  const id = `call_${count}`;
  const content = [{ type: "tool_use", id, name, input }];
  say({ type: "assistant", message: { id: `msg_${count}`, role: "assistant", model: "m", content } });
  const request = { subtype: "can_use_tool", tool_name: name, input, tool_use_id: id };
  waiting.set(`req_${id}`, (answer) => {
    const isAllowed = answer.behavior === "allow";
    const result = { type: "tool_result", tool_use_id: id, content: isAllowed ? "ok" : answer.message };
    say({ type: "user", message: { role: "user", content: [{ ...result, is_error: !isAllowed }] } });
    then(answer);
  });
  say({ type: "control_request", request_id: `req_${id}`, request });
}

const decided = ({ behavior, message }) => speak(behavior === "allow" ? "Allowed." : `Denied: ${message}`);

const ways = {
  run: (command) => call("Bash", { command, description: "Run it" }, decided),
  edit: () =>
    call(
      "Edit",
      { file_path: `${process.cwd()}/src/greet.ts`, old_string: "Hello", new_string: "Good morning" },
      decided,
    ),
  question: () =>
    call(
      "AskUserQuestion",
      {
        questions: [
          {
            question: "Which colour?",
            header: "Colour",
            options: [
              { label: "Red", description: "Warm" },
              { label: "Blue", description: "Cold" },
            ],
            multiSelect: false,
          },
          { question: "Which name?", header: "Name", options: [], multiSelect: false },
        ],
      },
      ({ behavior, updatedInput }) =>
        speak(behavior === "allow" ? `Answers: ${JSON.stringify(updatedInput.answers)}` : "No answer."),
    ),
  plan: () => call("ExitPlanMode", { plan: "# The plan\n\n1. Look\n2. Act" }, decided),
  wait: () => {},
};

const control = {
  initialize: () => ({ commands: [] }),
  interrupt: () => {
    waiting.clear();
    setImmediate(() =>
      say({ type: "result", subtype: "error_during_execution", is_error: true, errors: [] }),
    );
    return { still_queued: [] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, request_id, request, response, message } = JSON.parse(line);
  if (type === "control_request")
    return say({
      type: "control_response",
      response: { subtype: "success", request_id, response: control[request.subtype]?.() ?? {} },
    });
  if (type === "control_response") {
    const answered = waiting.get(response.request_id);
    waiting.delete(response.request_id);
    return answered?.(response.response);
  }
  if (type !== "user") return;
  const text = message.content.map((part) => part.text).join("");
  say({ type: "system", subtype: "init", cwd: process.cwd(), model: "claude-test", tools: [] });
  const [name, ...rest] = text.split(" ");
  if (Object.hasOwn(ways, name)) ways[name](rest.join(" "));
  else speak(text);
});
