import { expect, it } from "vitest";
import { geminiStore } from "../../src/agents/gemini/store/store.js";
import { mergeByTime } from "../../src/agents/shared/stored-lines.js";
import type { StoredRecord, StoreReader } from "../../src/agents/store-contract.js";

it("a session of which only the beginning is read leaves no file open", () => {
  let open = 0;
  function* file(second: number): Generator<StoredRecord> {
    open += 1;
    try {
      for (;;) yield { line: "{}", timestamp: `2026-01-01T00:00:0${second}.000Z` };
    } finally {
      open -= 1;
    }
  }
  for (const _ of mergeByTime([file(2), file(1), file(3)])) break;
  expect(open).toBe(0);
});

it("a document that is nested too deeply to be written again is still a session", () => {
  const path = "x/chats/session-2026-01-01T00-00-aaaa.json";
  const messages = [{ id: "1", timestamp: "2026-01-01T00:00:00.000Z", type: "user", content: "hi" }];
  const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const text = `{"sessionId":"aaaa","nested":${nested},"messages":${JSON.stringify(messages)},"number":1}`;
  const files = [{ path, bytes: text.length, modifiedAt: 0 }];
  const reader: StoreReader = { files, lines: () => [], text: () => text, bytes: () => new Uint8Array() };
  const [session] = [...geminiStore.sessions(reader)];
  const records = session === undefined ? [] : [...geminiStore.records(session, reader)];
  expect(records.map(({ line = "" }) => line)).toEqual([
    expect.stringContaining("nested too deeply"),
    JSON.stringify(messages[0]),
  ]);
});
