import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pi } from "../../src/agents/pi/definition.js";
import { readUpdate, updateOf } from "../../src/agents/pi/updates.js";
import { captureNames, readCapture } from "../support/captures.js";
import { translateRun } from "../support/translated-run.js";

const lines = captureNames("pi")
  .flatMap((scenario) => readCapture("pi", scenario).stdout)
  .filter((line) => line.includes('"message_update"'));

/** Text that could mislead a reader that does not parse: quotes, backslashes, the names of the fields. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom('"', "\\", "\\\\", '","partial":{', '"}', "}}", "\n", "\u2028", "\ud83d", "é"))
    .map((parts) => parts.join("")),
);

const fields: Record<string, (text: string) => object> = {
  text_start: () => ({}),
  text_delta: (delta) => ({ delta }),
  text_end: (content) => ({ content }),
  thinking_delta: (delta) => ({ delta }),
  toolcall_start: () => ({}),
  toolcall_delta: (delta) => ({ delta }),
  toolcall_end: (text) => ({ toolCall: { type: "toolCall", id: "c", name: "write", arguments: { text } } }),
};

/** A line as 0.74 writes it, around any text. */
const anyLine = fc
  .record({ type: fc.constantFrom(...Object.keys(fields)), index: fc.nat(12), text: anyText, so: anyText })
  .map(({ type, index, text, so }) => {
    const partial = {
      role: "assistant",
      content: [{ type: "text", text: so }],
      usage: { cost: { total: 0 } },
    };
    const event = { type, contentIndex: index, ...fields[type]?.(text), partial };
    return JSON.stringify({ type: "message_update", assistantMessageEvent: event, message: partial });
  });

/** What both readings come to: only a delta says anything. */
const parsed = (line: string) => updateOf(JSON.parse(line));

describe("pi: updates are read without parsing the message that they repeat", () => {
  it("gives what parsing gives for every recorded update of 0.74", () => {
    const old = lines.filter((line) => line.includes('"partial":{'));
    expect(old.length).toBeGreaterThan(400);
    for (const line of old) expect(readUpdate(line)).toEqual(stripped(parsed(line)));
  });

  it("gives what parsing gives for any text", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        expect(readUpdate(line)).toEqual(stripped(parsed(line)));
      }),
      { numRuns: 2000 },
    );
  });

  it("never says what parsing would not, for lines that are cut or changed", () => {
    const changed = anyLine.chain((line) =>
      fc
        .tuple(fc.nat(line.length), fc.nat(4), fc.constantFrom("", '"', "\\", "}", "x"))
        .map(([at, drop, insert]) => {
          return line.slice(0, at) + insert + line.slice(at + drop);
        }),
    );
    fc.assert(
      fc.property(changed, (line) => {
        const update = readUpdate(line);
        if (update === undefined) return;
        let record: unknown;
        try {
          record = JSON.parse(line);
        } catch {
          return;
        }
        expect(update).toEqual(stripped(parsed(JSON.stringify(record))));
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves a line to the parser that was cut while it repeated the message", () => {
    for (const line of lines.slice(0, 20)) expect(readUpdate(line.slice(0, -1))).toBeUndefined();
  });

  it("leaves lines of any other shape to the parser", () => {
    const partial = { role: "assistant" };
    for (const record of [
      {
        type: "message_update",
        assistantMessageEvent: { contentIndex: 0, type: "text_delta", delta: "a", partial },
      },
      {
        type: "message_update",
        assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: 5, partial },
        message: {},
      },
      {
        type: "message_update",
        assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "a" },
        message: {},
      },
      {
        type: "message_update",
        assistantMessageEvent: { type: "levitate", contentIndex: 0, partial },
        message: {},
      },
      { type: "message_end", message: { role: "assistant" } },
    ]) {
      expect(readUpdate(JSON.stringify(record))).toBeUndefined();
    }
    expect(
      readUpdate(
        '{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"cut',
      ),
    ).toBeUndefined();
  });

  it("tells the pieces of 0.87, which repeat nothing", () => {
    const event = { type: "text_delta", contentIndex: 0, delta: "Hi" };
    const told = translateRun(pi, [{ type: "message_update", usage: {}, assistantMessageEvent: event }]);
    expect(told.of("text").map(({ delta }) => delta)).toEqual(["Hi"]);
  });

  it("keeps an update of a new type", () => {
    const record = { type: "message_update", assistantMessageEvent: { type: "image_delta", data: "x" } };
    expect(
      translateRun(pi, [record])
        .of("unknown")
        .map(({ raw }) => raw),
    ).toEqual([record]);
  });
});

/** Reading stops at what is told: the content of an end and of a tool call is of no interest. */
function stripped(update: { type: string; delta?: string | undefined } | undefined) {
  return update?.delta === undefined ? update && { type: update.type } : update;
}
