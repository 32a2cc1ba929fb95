import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Answer, SessionRequest } from "../../../src/agents/live-contract.js";
import { createDesk, type DeskOptions } from "../../../src/cli/chat/desk.js";
import { toRequestRows } from "../../../src/cli/chat/request-rows.js";
import { HarnessError } from "../../../src/errors.js";
import { plainTextOf } from "../../../src/outputs/text/line.js";

const common = {
  type: "request",
  seq: 1,
  timestamp: "2026-01-01T00:00:00.000Z",
  agent: "x",
  runId: "r",
} as const;

function request(given: Partial<SessionRequest>): SessionRequest {
  return {
    ...common,
    requestId: "r1",
    kind: "permission",
    name: "shell",
    choices: ["allow", "deny"],
    ...given,
  } as SessionRequest;
}

const command = request({ operations: [{ type: "command", command: "npm test" }] });

function desk(options: Partial<DeskOptions> = {}) {
  const sent: [string, Answer][] = [];
  const said: string[] = [];
  const made = createDesk({
    control: { answer: async (id, answer) => void sent.push([id, answer]) },
    hasRules: false,
    agentName: "Claude Code",
    cwd: "/repo",
    canReason: () => true,
    onAsked: () => undefined,
    say: (text) => void said.push(text),
    onChange: () => undefined,
    ...options,
  });
  return { desk: made, sent, said };
}

describe("a permission", () => {
  it("takes one key, and an answered request is not asked again", () => {
    const { desk: at, sent } = desk();
    at.update([command, request({ requestId: "r2" })]);
    expect(at.key("x")).toBe(false);
    expect(at.key("constructor")).toBe(false);
    expect(at.key("y")).toBe(true);
    at.update([command, request({ requestId: "r2" })]);
    expect(at.asked?.requestId).toBe("r2");
    at.key("n");
    expect(sent).toEqual([
      ["r1", { allow: true }],
      ["r2", { allow: false }],
    ]);
    expect(at.key("y")).toBe(false);
  });

  it("is always allowed only where that can be kept", async () => {
    const plain = desk();
    plain.desk.update([command]);
    expect(plain.desk.hint).not.toContain("always");
    expect(plain.desk.key("a")).toBe(false);
    const ruled = desk({ hasRules: true });
    ruled.desk.update([command]);
    expect(ruled.desk.hint).toContain("a always in this session: command: npm test");
    expect(ruled.desk.key("a")).toBe(true);
    await setImmediate();
    expect(ruled.sent).toEqual([["r1", { allow: true, always: true }]]);
    expect(ruled.desk.granted).toEqual([{ what: "command: npm test", note: "" }]);
    expect(ruled.said).toEqual(["Added until the session ends: allow command: npm test"]);
  });

  it("is denied with a reason where the model gets it, and Esc goes back", () => {
    const { desk: at, sent } = desk();
    at.update([command]);
    at.key("e");
    expect(at.phase).toBe("reason");
    expect(at.key("y")).toBe(false);
    expect(at.back()).toBe(true);
    expect(at.back()).toBe(false);
    at.key("e");
    at.line("  use make ");
    expect(sent).toEqual([["r1", { allow: false, message: "use make" }]]);
    const mute = desk({ canReason: () => false });
    mute.desk.update([command]);
    expect(mute.desk.key("e")).toBe(false);
  });

  it.each([
    ["yes", { allow: true }],
    ["n", { allow: false }],
    ["no not that", { allow: false, message: "not that" }],
  ])("is answered by the line %s where there are no keys", (line, answer) => {
    const { desk: at, sent } = desk();
    at.update([command]);
    at.line(line);
    expect(sent).toEqual([["r1", answer]]);
  });

  it("that somebody else has answered is gone; an answer that does not fit is asked again", async () => {
    const codes = ["invalid_answer", "request_gone"] as const;
    let count = 0;
    const { desk: at, said } = desk({
      control: { answer: () => Promise.reject(new HarnessError(codes[count++] ?? "request_gone", "no")) },
    });
    for (const isAskedAgain of [true, false]) {
      at.update([command]);
      at.key("y");
      await setImmediate();
      at.update([command]);
      expect(at.asked !== undefined).toBe(isAskedAgain);
    }
    expect(said).toEqual(["no", "no"]);
  });
});

describe("a question", () => {
  const options = [{ label: "Red" }, { label: "Blue" }];
  const asked = request({
    kind: "question",
    questions: [
      { id: "a", question: "Which?", options },
      { id: "b", question: "Which ones?", options, isMultiple: true },
    ],
  });

  it("takes numbers, several numbers and words", () => {
    const { desk: at, sent } = desk();
    for (const [first, second] of [
      ["2", "1, 2"],
      ["3", "1, red"],
    ] as const) {
      at.update([{ ...asked, requestId: `${first}` }]);
      at.line("");
      at.line(first);
      expect(at.hint).toContain("Answer 2 of 2");
      at.line(second);
    }
    expect(sent.map(([, answer]) => answer)).toEqual([
      { answers: { a: ["Blue"], b: ["Red", "Blue"] } },
      { answers: { a: ["3"], b: ["1, red"] } },
    ]);
  });

  it("can be declined, and a form takes a JSON object", () => {
    const { desk: at, sent, said } = desk();
    at.update([asked]);
    expect(at.skip()).toBe(true);
    expect(at.skip()).toBe(false);
    at.update([request({ kind: "form", requestId: "f" })]);
    at.line("[1]");
    expect(said).toHaveLength(1);
    at.line('{"name":"me"}');
    expect(sent.map(([, answer]) => answer)).toEqual([{ decline: true }, { content: { name: "me" } }]);
  });
});

describe("what is shown of a request", () => {
  const rowsOf = (given: Partial<SessionRequest>) =>
    toRequestRows(request(given), "/repo", 40).map((row) => plainTextOf(row).trimEnd());

  it("is the whole command and the whole diff, as plain text", () => {
    const long = `echo ${"x".repeat(60)} && git push`;
    expect(rowsOf({ operations: [{ type: "command", command: long }] }).join("")).toContain("git push");
    const rows = rowsOf({
      operations: [{ type: "write", path: "/repo/a.ts" }],
      input: { old_string: "one\ntwo", new_string: `one\n\u001b[2J${"y".repeat(50)}` },
    });
    expect(rows).toEqual([
      "",
      "? wants to edit a.ts",
      "   one",
      "  -two",
      `  +${"y".repeat(36)}`,
      `  ${"y".repeat(14)}`,
    ]);
  });
});
