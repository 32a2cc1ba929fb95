import { describe, expect, it } from "vitest";
import { remember } from "../../src/shell/remember.js";

describe("remember", () => {
  function counted(most: number) {
    const asked: string[] = [];
    const answer = remember((text) => {
      asked.push(text);
      return { text };
    }, most);
    return { asked, answer };
  }

  it("asks once about a text", () => {
    const { asked, answer } = counted(10_000);
    expect(answer("a")).toBe(answer("a"));
    expect(asked).toEqual(["a"]);
  });

  it("remembers all texts that take turns, as long as they fit", () => {
    const { asked, answer } = counted(300 * 1000);
    for (let turn = 0; turn < 5; turn++) for (let at = 0; at < 1000; at++) answer(`text ${at}`);
    expect(asked).toHaveLength(1000);
  });

  it("keeps a text that is asked for among many that are not", () => {
    const { asked, answer } = counted(300 * 100);
    for (let at = 0; at < 10_000; at++) {
      answer(`text ${at}`);
      if (at % 50 === 0) answer("often");
    }
    expect(asked.filter((text) => text === "often")).toHaveLength(1);
  });

  it("forgets texts that are not asked for", () => {
    const { asked, answer } = counted(300 * 100);
    for (let at = 0; at < 1000; at++) answer(`text ${at}`);
    answer("text 0");
    expect(asked.filter((text) => text === "text 0")).toHaveLength(2);
  });

  it("does not keep a long text", () => {
    const { asked, answer } = counted(1_000_000);
    const long = "x".repeat(5000);
    expect(answer(long)).toEqual(answer(long));
    expect(asked).toHaveLength(2);
  });
});
