import { describe, expect, it } from "vitest";
import { createJudge } from "../../../src/live/rules/judge.js";
import { example } from "./cases.js";
import { commandTopics } from "./command-cases.js";
import { otherTopics } from "./other-cases.js";
import { pathTopics } from "./path-cases.js";
import { places, toRequest } from "./places.js";

describe.each([...commandTopics, ...pathTopics, ...otherTopics])("$about", ({ rules, cases }) => {
  const judge = createJudge(rules, places);
  it.each(cases)("%j: %s", (asked, decision) => {
    expect(judge(toRequest(asked))).toMatchObject({ decision });
  });
});

describe("a request", () => {
  const judge = createJudge(example, places);

  it("of several operations is as permitted as the least permitted of them", () => {
    const read = { type: "read", path: "a" } as const;
    const denied = { type: "read", path: ".env" } as const;
    const asked = { type: "fetch", url: "https://a.test" } as const;
    const decide = (...operations: (typeof read | typeof denied | typeof asked)[]) =>
      judge({ name: "Many", operations }).decision;
    expect(decide(read, read)).toBe("allow");
    expect(decide(read, asked)).toBe("ask");
    expect(decide(asked, read, denied)).toBe("deny");
  });

  it("of which nothing is known is asked, unless a rule names the tool", () => {
    expect(judge({ name: "Mystery" })).toEqual({ decision: "ask", reason: "no rule names the tool Mystery" });
    expect(judge({ name: "Mystery", operations: [] }).decision).toBe("ask");
    const named = createJudge({ allow: ["tool: Mystery"], deny: ["tool: Worse"] }, places);
    expect(named({ name: "Mystery" })).toEqual({ decision: "allow", rule: "tool: Mystery" });
    expect(named({ name: "worse" }).decision).toBe("deny");
    expect(named({ name: "Worse", operations: [{ type: "read", path: "a" }] }).decision).toBe("deny");
    // A tool whose operations are known is judged by them.
    expect(named({ name: "Mystery", operations: [{ type: "read", path: "a" }] }).decision).toBe("ask");
  });

  it("gets the rule that decided, and a sentence", () => {
    expect(judge(toRequest("npm test && git push origin"))).toEqual({
      decision: "deny",
      rule: "command: git push *",
      reason: 'the rule "command: git push *" denies `git push origin`',
    });
    expect(judge(toRequest("npm test"))).toEqual({ decision: "allow", rule: "command: npm test" });
    expect(judge(toRequest("make"))).toEqual({
      decision: "ask",
      rule: "command",
      reason: 'the rule "command" asks about `make`',
    });
    expect(judge(toRequest("npm test; $x")).reason).toBe(
      "no rule can allow `…`: only the shell knows which program it runs",
    );
  });
});
