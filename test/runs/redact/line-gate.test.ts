import { describe, expect, it } from "vitest";
import { claude } from "../../../src/agents/claude/definition.js";
import { defineAgent } from "../../../src/agents/define-agent.js";
import { createMaskedRecords } from "../../../src/runs/masked-records.js";
import { createLineGate, type LineGate } from "../../../src/runs/redact/line-gate.js";
import { createRedactor } from "../../../src/runs/redact/redactor.js";

const secret = "tr0ub4dor-and-3-horses";
const redactor = createRedactor({ env: { MY_API_KEY: secret } });

function createGate(): LineGate<string> {
  return createLineGate<string>(redactor, claude.streamedText);
}

function delta(text: string, thread: string | null = null, index = 0): string {
  const event = { type: "content_block_delta", index, delta: { type: "text_delta", text } };
  return JSON.stringify({ type: "stream_event", event, parent_tool_use_id: thread });
}

const stop = JSON.stringify({
  type: "stream_event",
  event: { type: "content_block_stop", index: 0 },
  parent_tool_use_id: null,
});
const retry = JSON.stringify({ type: "system", subtype: "api_retry", attempt: 1 });

/** The names of the lines that are let through. */
function names(free: readonly { about: string }[]): string[] {
  return free.map(({ about }) => about);
}

describe("lines with pieces of a text", () => {
  it("go on at once when no secret can begin in them", () => {
    const gate = createGate();
    expect(names(gate.push("stdout", delta("Hello, world. "), "a"))).toEqual(["a"]);
  });

  it("wait for the next piece, which shows what it was, and keep their order", () => {
    const gate = createGate();
    expect(gate.push("stdout", delta("it is tr0ub"), "a")).toEqual([]);
    expect(gate.push("stdout", delta("4dor-and-3-"), "b")).toEqual([]);
    expect(gate.push("stdout", delta("horses, yes."), "c")).toEqual([
      { text: delta("it is [redacted MY_API_KEY]"), about: "a" },
      { text: delta(""), about: "b" },
      { text: delta(", yes."), about: "c" },
    ]);
  });

  it("go on unchanged when it was no secret, and when the text ends", () => {
    const gate = createGate();
    expect(gate.push("stdout", delta("it is tr0ub"), "a")).toEqual([]);
    expect(gate.push("stdout", delta("le."), "b").map(({ text }) => text)).toEqual([
      delta("it is tr0ub"),
      delta("le."),
    ]);
    expect(gate.push("stdout", delta("and a tr"), "c")).toEqual([]);
    expect(gate.push("stdout", stop, "d").map(({ text }) => text)).toEqual([delta("and a tr"), stop]);
  });

  it("of several threads are kept apart", () => {
    const gate = createGate();
    const free = [
      ...gate.push("stdout", delta("one tr0ub4dor-", "t1"), "a"),
      ...gate.push("stdout", delta("two tr0ub4dor-", "t2"), "b"),
      ...gate.push("stdout", delta("and-3-horses.", "t1"), "c"),
      ...gate.push("stdout", delta("and-4-horses.", "t2"), "d"),
    ];
    expect(free).toEqual([
      { text: delta("one [redacted MY_API_KEY]", "t1"), about: "a" },
      { text: delta("two tr0ub4dor-", "t2"), about: "b" },
      { text: delta(".", "t1"), about: "c" },
      { text: delta("and-4-horses.", "t2"), about: "d" },
    ]);
  });

  it("let standard error go first, and are not cut by it", () => {
    const gate = createGate();
    expect(gate.push("stdout", delta("it is tr0ub4dor-an"), "a")).toEqual([]);
    expect(gate.push("stderr", "a warning", "b")).toEqual([{ text: "a warning", about: "b" }]);
    expect(gate.push("stdout", delta("d-4-horses, yes."), "c")).toEqual([
      { text: delta("it is tr0ub4dor-an"), about: "a" },
      { text: delta("d-4-horses, yes."), about: "c" },
    ]);
  });

  it("do not hold up what is said besides, nor show more than a few characters then", () => {
    for (const line of [retry, "plain words"]) {
      const gate = createGate();
      expect(gate.push("stdout", delta("it is tr0ub4dor-an"), "a")).toEqual([]);
      const free = gate.push("stdout", line, "b");
      expect(names(free)).toEqual(["a", "b"]);
      expect(free[0]?.text).toBe(delta("it is [redacted secret]"));
      expect(gate.push("stdout", delta("d-3-horses, yes."), "c")[0]?.text).toBe(delta(", yes."));
    }
  });

  it("never hold up more than a few other lines", () => {
    const gate = createGate();
    expect(gate.push("stdout", delta("it is tr0ub4dor-", "t1"), "first")).toEqual([]);
    let count = 1;
    while (gate.push("stdout", delta("Hello. ", "t2"), "other").length === 0) count += 1;
    expect(count).toBeLessThan(100);
  });

  it("are let go by release and at the end of the stream, with what could be a secret masked", () => {
    for (const action of ["release", "end"] as const) {
      const gate = createGate();
      expect(gate.push("stdout", delta("it is tr0ub4dor-an"), "a")).toEqual([]);
      const free = action === "release" ? gate.release() : gate.end("stdout");
      expect(free).toEqual([{ text: delta("it is [redacted secret]"), about: "a" }]);
      expect(gate.end("stdout")).toEqual([]);
    }
  });
});

it("an agent that speaks like another has its pieces too", () => {
  expect(defineAgent({ id: "mine", translator: "claude" }).streamedText).toBe(claude.streamedText);
  const createMapping = () => ({ record: () => undefined });
  const own = defineAgent({ id: "mine", translator: "claude", createMapping });
  expect(own.streamedText).toBeUndefined();
});

describe("records of lines", () => {
  it("keep the times they came at, in order, and what is special about them", () => {
    const records = createMaskedRecords(redactor, claude.streamedText);
    const line = (text: string, timestamp: string) =>
      records.push({ stream: "stdout", timestamp, line: text, extra: undefined });
    expect(line(delta("it is tr0ub4dor"), "t1")).toEqual([]);
    expect(line(delta("."), "t2").map(({ timestamp }) => timestamp)).toEqual(["t1", "t2"]);
    const last = {
      stream: "stderr",
      timestamp: "t3",
      line: `x ${secret}`,
      extra: { newline: false },
    } as const;
    expect(records.push(last)).toEqual([
      { stream: "stderr", timestamp: "t3", line: "x [redacted MY_API_KEY]", newline: false },
    ]);
  });

  it("that are no valid text are masked byte by byte", () => {
    const records = createMaskedRecords(redactor, undefined);
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`the ${secret} ä`),
      Buffer.from([0xff]),
    ]);
    const [record] = records.push({
      stream: "stdout",
      timestamp: "t",
      line: bytes.toString(),
      extra: { bytes },
    });
    const expected = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from("the [redacted MY_API_KEY] ä"),
      Buffer.from([0xff]),
    ]);
    expect(record?.bytes).toBe(expected.toString("base64"));
  });

  it("that were cut off show no beginning of a secret at their end", () => {
    const records = createMaskedRecords(redactor, undefined);
    const line = `{"a":"it is ${secret.slice(0, 16)}`;
    const [record] = records.push({ stream: "stdout", timestamp: "t", line, extra: { droppedBytes: 9 } });
    expect(record?.line).toBe('{"a":"it is [redacted secret]');
  });
});
