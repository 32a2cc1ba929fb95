import { expect, it } from "vitest";
import { opencode } from "../../../src/agents/opencode/definition.js";
import { createLineGate } from "../../../src/runs/redact/line-gate.js";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

const secret = 'tr0ub4dor-and-"3"-horses';
const gate = () =>
  createLineGate<undefined>(createRedactor({ env: { MY_API_KEY: secret } }), opencode.streamedText);

const sse = (type: string, properties: object): string => `SSE ${JSON.stringify({ type, properties })}`;
const piece = (delta: string, partID = "prt_1"): string =>
  sse("message.part.delta", { partID, field: "text", delta });
const whole = (text: string): string => sse("message.part.updated", { part: { id: "prt_1", text } });

function masked(lines: readonly string[]): string[] {
  const made = gate();
  return [...lines.flatMap((line) => made.push("received", line, undefined)), ...made.end("received")].map(
    ({ text }) => text,
  );
}

it("masks a secret in an event and in an answer, also one that JSON spells differently", () => {
  const body = JSON.stringify([{ text: secret }]);
  expect(masked([whole(`it is ${secret}`), `HTTP 200 ${body}`])).toEqual([
    whole("it is [redacted MY_API_KEY]"),
    'HTTP 200 [{"text":"[redacted MY_API_KEY]"}]',
  ]);
});

it("masks a secret that comes in pieces, with other records in between", () => {
  const status = sse("session.status", { status: { type: "busy" } });
  const other = piece("tr0ub", "prt_2");
  expect(masked([piece("it is tr0ub"), status, other, piece('4dor-and-"3"-horses.'), whole("…")])).toEqual([
    piece("it is [redacted MY_API_KEY]"),
    status,
    other,
    piece("."),
    whole("…"),
  ]);
});

it("lets lines go that are not JSON, and pieces without secrets", () => {
  expect(masked(["HTTP 204 ", "SSE nonsense", piece("Hello")])).toEqual([
    "HTTP 204 ",
    "SSE nonsense",
    piece("Hello"),
  ]);
});
