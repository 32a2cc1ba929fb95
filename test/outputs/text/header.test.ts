import { describe, expect, it } from "vitest";
import { toHeader } from "../../../src/outputs/text/header.js";
import { plainTextOf } from "../../../src/outputs/text/line.js";
import { widthOf } from "../../../src/outputs/text/width.js";

const facts = { agentName: "Claude Code", model: "opus", cwd: "~/src/app", permissions: "full-access" };

describe("the first row of a run", () => {
  it("says what the agent may do", () => {
    expect(plainTextOf(toHeader(facts, 80))).toBe("Claude Code · opus · ~/src/app · full access");
    expect(plainTextOf(toHeader({ ...facts, permissions: "read-only" }, 80))).toMatch(/ · read only$/);
  });

  it("says so before all else when there is little room", () => {
    expect(plainTextOf(toHeader(facts, 32))).toBe("Claude Code · opus · full access");
    expect(plainTextOf(toHeader(facts, 26))).toBe("Claude Code · full access");
    for (let columns = 20; columns < 100; columns++)
      expect(widthOf(plainTextOf(toHeader(facts, columns)))).toBeLessThanOrEqual(columns);
  });

  it("says nothing where it is not known, and shows nothing but text", () => {
    expect(plainTextOf(toHeader({ ...facts, permissions: undefined }, 80))).toBe(
      "Claude Code · opus · ~/src/app",
    );
    expect(plainTextOf(toHeader({ ...facts, permissions: "\u001b[2Jx\u202e" }, 80))).toMatch(
      / · x\[U\+202E\]$/,
    );
  });
});
