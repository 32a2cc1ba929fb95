import { describe, expect, it } from "vitest";
import { translate } from "../../src/agents/create-translator.js";
import { gemini } from "../../src/agents/gemini/definition.js";
import type { HarnessEvent } from "../../src/events/event.js";

/** The events of one shell call with this display text. */
function shell(command: string, output: string, more: object = {}): HarnessEvent[] {
  const lines = [
    { type: "tool_use", tool_name: "run_shell_command", tool_id: "a", parameters: { command, ...more } },
    { type: "tool_result", tool_id: "a", status: "success", output },
  ];
  return [
    ...translate(
      gemini,
      lines.map((line) => JSON.stringify(line)),
      { cwd: "/repo" },
    ),
  ];
}

const find = (events: HarnessEvent[], type: string) => events.find((event) => event.type === type);

describe("Gemini reports no exit code", () => {
  it("so a command that printed something is told without success", () => {
    const events = shell("npm test", "1 test failed");
    expect(find(events, "tool_end")).toMatchObject({ isSuccess: true, output: "1 test failed" });
    expect(find(events, "command")).toMatchObject({ command: "npm test", callId: "a" });
    expect(find(events, "command")).not.toHaveProperty("isSuccess");
  });

  it("but one that printed nothing exited with 0", () => {
    expect(find(shell("true", ""), "command")).toMatchObject({ isSuccess: true });
  });

  it("unless it goes on in the background", () => {
    expect(find(shell("npm start", "", { is_background: true }), "command")).not.toHaveProperty("isSuccess");
  });

  it("and its own sentence tells any other code", () => {
    expect(find(shell("false", "Command exited with code: 1"), "command")).toMatchObject({
      exitCode: 1,
      isSuccess: false,
    });
    expect(find(shell("grep x y", "Command exited with code: 1"), "search")).toMatchObject({
      isSuccess: true,
    });
  });

  it.each([
    "Command terminated by signal: SIGKILL",
    "Command cancelled by user.",
    "Blocked: command substitution detected in shell command.",
  ])("%s is a failure", (output) =>
    expect(find(shell("sleep 9", output), "command")).toMatchObject({ isSuccess: false }),
  );
});

it("keeps a record that it does not understand, also when it ends a message", () => {
  const lines = [
    '{"type":"message","role":"assistant","content":"Hi","delta":true}',
    '{"type":"tool_result","tool_id":"nobody","status":"success"}',
  ];
  const types = [...translate(gemini, lines)].map((event) => event.type);
  expect(types.slice(0, 4)).toEqual(["started", "text", "agent", "unknown"]);
});
