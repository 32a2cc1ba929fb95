import { expect, it } from "vitest";
import { createLogInput } from "../../src/cli/log-input.js";
import type { RawRecord } from "../../src/events/raw-record.js";

const timestamp = "2026-01-01T00:00:00.000Z";

function read(bytes: Buffer, chunkBytes: number): { records: RawRecord[]; isRecording: boolean } {
  const input = createLogInput(() => timestamp);
  const records: RawRecord[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    records.push(...input.push(bytes.subarray(at, at + chunkBytes)));
  records.push(...input.end());
  return { records, isRecording: input.isRecording };
}

it.each([1, 7, 1000])("tells a recording from native lines, in chunks of %d bytes", (chunkBytes) => {
  const recorded: RawRecord[] = [
    { timestamp, stream: "stderr", line: "one" },
    { timestamp, stream: "stdout", line: '{"two":2}' },
  ];
  const text = recorded.map((record) => `${JSON.stringify(record)}\n`).join("");
  expect(read(Buffer.from(text), chunkBytes)).toEqual({ records: recorded, isRecording: true });
  const sorted = recorded
    .map(({ timestamp, ...rest }) => `${JSON.stringify({ ...rest, timestamp })}\n`)
    .join("");
  expect(read(Buffer.from(sorted), chunkBytes)).toEqual({ records: recorded, isRecording: true });
  const native = '{"timestamp":"x","type":"init"}\nplain\n';
  expect(read(Buffer.from(native), chunkBytes)).toMatchObject({
    records: [{ stream: "stdout", line: '{"timestamp":"x","type":"init"}' }, { line: "plain" }],
    isRecording: false,
  });
});

it("reads a record that is longer than any line may be: escapes make it so", () => {
  const line = '\\"'.repeat(17_000_000);
  const bytes = Buffer.from(`${JSON.stringify({ timestamp, stream: "stdout", line })}\n`);
  expect(bytes.length).toBeGreaterThan(64 * 1024 * 1024);
  const { records, isRecording } = read(bytes, 1024 * 1024);
  expect(isRecording).toBe(true);
  expect(records).toHaveLength(1);
  expect(records[0]?.stream === "stdout" && records[0].line === line).toBe(true);
});

it.each(["sent", "received"] as const)(
  "recognises a recording whose first record is %s, and long",
  (stream) => {
    const line = "x".repeat(200_000);
    const bytes = Buffer.from(`${JSON.stringify({ timestamp, stream, line })}\n`);
    expect(read(bytes, 16 * 1024)).toEqual({ records: [{ timestamp, stream, line }], isRecording: true });
  },
);
