import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toRawLine } from "../../src/events/raw-jsonl.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import type { RunRow } from "../../src/server/protocol.js";
import { createRawReader } from "../../src/server/raw-lines.js";
import { withSummary } from "../../src/server/run-row.js";
import { slimEvent } from "../../src/server/slim-event.js";
import { createSummary } from "../../src/story/create-summary.js";
import { eventsOf, type Given } from "../outputs/support.js";

const timestamp = "2026-01-01T00:00:00.000Z";

function recordingOf(...records: RawRecord[]): string {
  const path = join(mkdtempSync(join(tmpdir(), "harness-test-")), "raw.jsonl");
  writeFileSync(path, records.map(toRawLine).join(""));
  return path;
}

describe("the raw lines of a live session", () => {
  it("have their direction", async () => {
    const path = recordingOf(
      { timestamp, stream: "sent", line: "a prompt", turnId: "t1" },
      { timestamp, stream: "received", line: "an answer" },
      { timestamp, stream: "process", exitCode: 0, signal: null },
    );
    const { lines, total } = await createRawReader().read(path, 1, 10);
    expect(total).toBe(3);
    expect(lines.map(({ stream, text }) => `${stream} ${text}`)).toEqual([
      "sent a prompt",
      "received an answer",
      'process {"exitCode":0,"signal":null}',
    ]);
  });

  it("have it also if they are too long to be parsed", async () => {
    const line = `"${"x".repeat(100_000)}`;
    const path = recordingOf({ timestamp, stream: "sent", line }, { timestamp, stream: "received", line });
    const reader = createRawReader();
    const { lines } = await reader.read(path, 1, 10);
    expect(lines.map(({ stream, isCut }) => [stream, isCut])).toEqual([
      ["sent", true],
      ["received", true],
    ]);
    for (const shown of lines) expect(shown.text).toMatch(/^"x{3000}/);
    expect(await reader.readWhole(path, 1)).toBe(line);
  });
});

describe("the events of a live session, as they are sent to the page", () => {
  const long = "x".repeat(100_000);
  const cases: readonly [string, Given][] = [
    ["a prompt", { type: "turn", turnId: "t1", origin: "user", prompt: long }],
    ["an answer", { type: "turn_end", turnId: "t1", isSuccess: true, reason: "completed", text: long }],
    [
      "an input",
      {
        type: "request",
        requestId: "q",
        kind: "permission",
        name: "Write",
        input: { content: long },
        choices: [],
      },
    ],
    ["a plan", { type: "request", requestId: "q", kind: "plan", name: "Plan", message: long, choices: [] }],
  ];

  it.each(cases)("are cut if %s is long", (_name, given) => {
    const [event] = eventsOf(given);
    if (event === undefined) throw new Error("no event");
    const slim = slimEvent(event);
    expect(slim.isCut).toBe(true);
    expect(JSON.stringify(slim.event).length).toBeLessThan(30_000);
    expect(slim.event).toMatchObject({ type: given.type });
  });

  it("are whole if nothing in them is long", () => {
    const [event] = eventsOf({
      type: "request",
      requestId: "q",
      kind: "permission",
      name: "Bash",
      input: { command: "ls" },
      message: "to look around",
      choices: ["allow"],
    });
    expect(event && slimEvent(event)).toEqual({ event, isCut: false });
  });
});

describe("a live session in the list of runs", () => {
  const row: RunRow = {
    id: "r1",
    outcome: "running",
    agent: "claude",
    prompt: "",
    cwd: "/repo",
    startedAt: timestamp,
  };

  function rowOf(before: RunRow, ...given: Given[]): RunRow {
    const summary = createSummary();
    for (const event of eventsOf(...given)) summary.add(event);
    return withSummary(before, summary.read(), summary.spent);
  }

  it("is named by its first prompt, unless the run has one of its own", () => {
    const turn: Given = { type: "turn", turnId: "t1", origin: "user", prompt: "Fix\nthe test" };
    const next: Given = { type: "turn", turnId: "t2", origin: "user", prompt: "Go on" };
    expect(rowOf(row, turn, next).prompt).toBe("Fix the test");
    expect(rowOf({ ...row, prompt: "Own" }, turn).prompt).toBe("Own");
  });

  it("says that its cost so far is estimated", () => {
    const usage: Given = { type: "usage", turnId: "t1", scope: "turn", costUsd: 1, costSource: "estimated" };
    expect(rowOf(row, usage)).toMatchObject({ costUsd: 1, costSource: "estimated" });
  });
});
