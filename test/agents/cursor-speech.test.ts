import { describe, expect, it } from "vitest";
import { translate } from "../../src/agents/create-translator.js";
import { cursor } from "../../src/agents/cursor/definition.js";

interface Said {
  text: string;
  ts?: boolean;
  call?: boolean;
}

/** What these `assistant` records give, as `delta` and `whole` words. */
function hear(records: readonly (Said | "tool")[]): string[] {
  const lines = records.map((record) => {
    if (record === "tool")
      return {
        type: "tool_call",
        subtype: "started",
        call_id: "a",
        tool_call: { readToolCall: { args: { path: "x" } } },
      };
    const { text, ts, call } = record;
    const message = { role: "assistant", content: [{ type: "text", text }] };
    return {
      type: "assistant",
      message,
      ...(ts && { timestamp_ms: 1 }),
      ...(call && { model_call_id: "m" }),
    };
  });
  return [
    ...translate(
      cursor,
      lines.map((line) => JSON.stringify(line)),
    ),
  ].flatMap((event) => {
    if (event.type === "text") return [`delta ${event.delta}`];
    return event.type === "agent" ? [`whole ${event.message}`] : [];
  });
}

describe("Cursor's text is one message, however often it is printed", () => {
  it("with partial output: pieces, and the whole before a tool call", () => {
    const records = [
      { text: "a", ts: true },
      { text: "b", ts: true },
      { text: "ab", ts: true, call: true },
      "tool" as const,
    ];
    expect(hear(records)).toEqual(["delta a", "delta b", "whole ab"]);
  });

  it("with partial output: all messages again at the end, joined", () => {
    const records = [
      { text: "Reading it.", ts: true },
      { text: "Reading it.", ts: true, call: true },
      "tool" as const,
      { text: "Done.", ts: true },
      { text: "Reading it.Done." },
    ];
    expect(hear(records)).toEqual(["delta Reading it.", "whole Reading it.", "delta Done.", "whole Done."]);
  });

  it("with partial output: pieces, and the whole at the end", () => {
    expect(hear([{ text: "a", ts: true }, { text: "b", ts: true }, { text: "ab" }])).toEqual([
      "delta a",
      "delta b",
      "whole ab",
    ]);
  });

  it("with partial output: pieces that are never restated", () => {
    expect(hear([{ text: "a", ts: true }, "tool"])).toEqual(["delta a", "whole a"]);
  });

  it("without it: the same fields mark new text", () => {
    expect(hear([{ text: "a", ts: true, call: true }, "tool", { text: "b" }])).toEqual([
      "whole a",
      "whole b",
    ]);
  });

  it("a whole that is not what was streamed is another message", () => {
    expect(hear([{ text: "a", ts: true }, { text: "other" }])).toEqual(["delta a", "whole a", "whole other"]);
  });

  it("the same message twice in a row is emitted once, but again after something else", () => {
    expect(hear([{ text: "ok" }, { text: "ok" }])).toEqual(["whole ok"]);
    expect(hear([{ text: "ok" }, "tool", { text: "ok" }])).toEqual(["whole ok", "whole ok"]);
  });

  it("all messages again are not another one, however long they are", () => {
    const long = (letter: string) => `${letter} `.repeat(400_000);
    const texts = [long("a"), long("b"), long("c")];
    const said = texts.flatMap((text): (Said | "tool")[] => [{ text }, "tool"]);
    expect(hear([...said, { text: texts.join("\n") }])).toHaveLength(3);
    expect(hear([...said, { text: texts.join("\n").replace("a", "x") }])).toHaveLength(4);
    expect(hear([...said, { text: `${texts.join("\n")}x` }])).toHaveLength(4);
  });
});
