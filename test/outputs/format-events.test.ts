import { describe, expect, it } from "vitest";
import { formatEvents } from "../../src/outputs/format-events.js";
import { formatNames, formats } from "../../src/outputs/formats.js";
import { rawFormat } from "../../src/outputs/raw/output.js";
import { toNdjson } from "../../src/text/to-json.js";
import { completed, eventsOf, exitedWithOne, failed, started, succeeded } from "./support.js";

describe("formats", () => {
  it("are known by name", () => {
    expect(formatNames).toEqual(Object.keys(formats));
    for (const name of formatNames) expect(formats[name].name).toBe(name);
  });

  it("have a fresh view for every run", () => {
    const events = eventsOf(started, { type: "session", model: "m" }, succeeded, completed);
    for (const name of formatNames) expect(formatEvents(name, events)).toEqual(formatEvents(name, events));
  });

  it("full is the events themselves", () => {
    const events = eventsOf(started, { type: "unknown", raw: {} }, succeeded, completed);
    expect(formatEvents("full", events)).toEqual(events);
  });
});

describe("formatEvents", () => {
  it("orders items within each line, not across lines", () => {
    const events = eventsOf(
      started,
      { type: "warning", message: "one", line: 1 },
      { type: "warning", message: "two", line: 2 },
      { type: "agent", message: "Hi", line: 2 },
    );
    const items = formatEvents("run-events", events);
    expect(items.map((item) => ("message" in item ? item.message : item.kind))).toEqual([
      "started",
      "one",
      "text",
      "two",
    ]);
  });

  it("takes what the end tells about earlier lines together", () => {
    const events = eventsOf(
      started,
      { type: "tool_start", callId: "c1", name: "shell", line: 1 },
      { type: "warning", message: "w", line: 2 },
      { type: "tool_end", callId: "c1", name: "shell", line: 1 },
      { type: "command", command: "sleep 9", callId: "c1", line: 1 },
      { type: "error", message: "boom" },
      { type: "usage", inputTokens: 1, scope: "run", line: 3 },
      { ...failed("boom"), line: 3 },
      exitedWithOne,
    );
    expect(formatEvents("run-events", events).map((item) => item.kind)).toEqual([
      "started",
      "toolStart",
      "activity",
      "toolEnd",
      "usage",
      "activity",
      "error",
      "exited",
    ]);
  });

  it("gives nothing for nothing", () => {
    for (const name of formatNames) expect(formatEvents(name, [])).toEqual([]);
  });
});

describe("toNdjson", () => {
  it("writes one line per item", () => {
    expect(toNdjson([{ a: "x\ny" }, null])).toBe('{"a":"x\\ny"}\nnull\n');
    expect(toNdjson([])).toBe("");
  });
});

describe("the raw format", () => {
  const timestamp = "2026-01-01T00:00:00.000Z";

  it("is the lines of standard output, as text or as bytes", () => {
    expect(rawFormat.toNativeLine({ timestamp, stream: "stdout", line: '{"a":1}' })).toEqual({
      text: '{"a":1}',
      hasLineFeed: true,
    });
    expect(rawFormat.toNativeLine({ timestamp, stream: "stdout", line: "", newline: false })).toEqual({
      text: "",
      hasLineFeed: false,
    });
    expect(rawFormat.toNativeLine({ timestamp, stream: "stdout", bytes: "/w==" })).toEqual({
      base64: "/w==",
      hasLineFeed: true,
    });
  });

  it("is nothing else", () => {
    expect(rawFormat.toNativeLine({ timestamp, stream: "stderr", line: "x" })).toBeUndefined();
    expect(rawFormat.toNativeLine({ timestamp, stream: "harness", message: "x", code: "y" })).toBeUndefined();
    expect(
      rawFormat.toNativeLine({ timestamp, stream: "exit", exitCode: 0, signal: null, reason: "completed" }),
    ).toBeUndefined();
  });
});
