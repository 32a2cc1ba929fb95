import { describe, expect, it } from "vitest";
import { describeRecord } from "../../src/story/describe-record.js";

describe("a record of an unknown program", () => {
  it.each([
    [{ message: "reading", step: 1 }, "reading"],
    [{ level: "info", msg: "starting" }, "starting"],
    [{ level: "ERROR", message: "it broke" }, "error: it broke"],
    [{ level: 40, msg: "slow", pid: 3 }, "warn: slow"],
    [{ severity: "debug", text: "x" }, "debug: x"],
    [{ role: "assistant", content: [{ type: "text", text: "Hello" }] }, "Hello"],
    [{ role: "user", content: "Hi" }, "user: Hi"],
    [{ message: { content: [{ text: "a" }, { text: "b" }] } }, "a\nb"],
    [{ event: "x", n: 3, deep: { a: [1, 2] } }, 'event: x  n: 3  deep: {"a":[1,2]}'],
    [{ message: "", code: 3 }, "message:   code: 3"],
    [{ content: [{ type: "image" }], id: "i" }, 'content: [{"type":"image"}]  id: i'],
    [{}, "{}"],
    [[1, null], "[1,null]"],
    [42, "42"],
    ["words", "words"],
    [Array.from({ length: 300 }, () => 1), undefined],
  ])("%j is shown as %j", (record, shown) => {
    expect(describeRecord(record)).toBe(shown);
  });
});
