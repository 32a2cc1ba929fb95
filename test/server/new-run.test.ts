import { describe, expect, it } from "vitest";
import { parseNewRun } from "../../src/server/new-task.js";

const good = { agent: "claude", prompt: "x" };

describe("what the page asks for", () => {
  it("is taken as it is when it is right", () => {
    expect(parseNewRun({ ...good, permissions: "read-only", model: "opus" })).toEqual({
      ...good,
      permissions: "read-only",
      model: "opus",
    });
  });

  it.each([
    [undefined, "bad_request", /^run must be an object/],
    ["x", "bad_request", /^run must be an object/],
    [{ prompt: "x" }, "bad_request", /^run\.agent is missing$/],
    [{ ...good, agent: "" }, "bad_request", /^run\.agent must not be empty/],
    [
      { ...good, permissions: "readonly" },
      "bad_request",
      /^run\.permissions must be .*did you mean "read-only"/,
    ],
    [{ ...good, permissions: null }, "bad_request", /^run\.permissions must be/],
    [
      { ...good, permission: "read-only" },
      "bad_request",
      /^run\.permission is not known; did you mean "permissions"/,
    ],
    [{ ...good, env: { A: "b" } }, "bad_request", /^run\.env is not known/],
    [{ ...good, cwd: 5 }, "bad_request", /^run\.cwd must be a string, not 5/],
    [{ ...good, prompt: " " }, "empty_prompt", /empty/],
  ])("is refused by name: %j", (body, code, message) => {
    expect(() => parseNewRun(body)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
