import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestedOperation } from "../../../src/events/live-event.js";
import { parseRules, ruleOperations } from "../../../src/live/rules/parse-rules.js";
import { unenforceable } from "../../../src/live/rules/unenforceable.js";

const types = RequestedOperation.options.flatMap(({ entries }) =>
  "literal" in entries.type ? [entries.type.literal] : [...entries.type.options],
);

describe("a rule", () => {
  it("is an operation, or an operation and a pattern", () => {
    expect(
      parseRules({ allow: ["read", " write :  src/** "], deny: ["command: git push *"], ask: ["mcp: *"] }),
    ).toEqual([
      {
        list: "deny",
        text: "command: git push *",
        operation: "command",
        pattern: "git push *",
      },
      { list: "ask", text: "mcp: *", operation: "mcp" },
      { list: "allow", text: "read", operation: "read" },
      { list: "allow", text: " write :  src/** ", operation: "write", pattern: "src/**" },
    ]);
  });

  it("may be about every operation that an agent can ask for, and about tools", () => {
    expect([...ruleOperations].sort()).toEqual([...types, "tool"].sort());
    for (const operation of ruleOperations) expect(parseRules({ allow: [operation] })).toHaveLength(1);
  });

  it.each([
    ["", /must not be empty; begin with an operation: read, write/],
    ["  ", /must not be empty/],
    ["reed", /must begin with an operation .*; did you mean "read"\?/],
    ["reed: x", /did you mean "read"\?/],
    ["READ: x", /did you mean "read/],
    ["read src/**", /did you mean "read: src\/\*\*"\?/],
    ["bash: ls", /did you mean "command/],
    ["edit", /did you mean "write"\?/],
    ["Bash(git push:*)", /did you mean "command: git push \*"\?/],
    ["*", /must begin with an operation/],
    ["git push", /must begin with an operation/],
    [":", /must begin with an operation/],
    ["read:", /must have a pattern after the colon; write "read" alone/],
    ["command:   ", /must have a pattern/],
    ["command: npm test && rm x", /must name one simple command, without ; \| & < > and \$\( \)/],
    ["command: a; b", /one simple command/],
    ["command: echo $(id)", /one simple command/],
    ["command: npm test > x", /one simple command/],
    ["command: echo 'x", /must close the quotes/],
    ["read: a\nb", /must not contain line breaks/],
    ["read: *.{ts,js}", /must not have braces in a path; write one rule for each/],
    ["read: !src/**", /must not begin with !/],
    ["read: ~root/x", /must name a home directory as ~\//],
    ["read: **/a/**/b/**/c/**/d/**/e", /must have \*\* at most four times/],
    ["fetch: a b", /must be a host/],
  ])("%j is refused, with what to do", (text, message) => {
    for (const list of ["allow", "deny", "ask"] as const)
      expect(() => parseRules({ [list]: ["read", text] })).toThrow(
        expect.objectContaining({ code: "invalid_option", message: expect.stringMatching(message) }),
      );
    expect(() => parseRules({ deny: [text] })).toThrow(`the rule ${JSON.stringify(text)} (deny)`);
  });

  it("of any text is parsed or refused in a sentence", () => {
    const near = fc
      .tuple(fc.constantFrom(...ruleOperations), fc.string())
      .map(([name, text]) => `${name}: ${text}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        try {
          expect(parseRules({ allow: [text] })).toHaveLength(1);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_option" });
        }
      }),
    );
  });
});

describe("rules that cannot be kept, for an agent that reads without asking", () => {
  it.each([
    [{ allow: ["read"] }, []],
    [{ allow: ["read: *"] }, []],
    [{ allow: ["read", "write: src/**"], deny: ["write: .git/**"] }, []],
    [
      { allow: ["read"], deny: ["read: .env*"] },
      ['it reads files without asking, so deny "read: .env*" cannot be kept'],
    ],
    [
      { allow: ["read"], ask: ["read: keys/**"] },
      ['it reads files without asking, so ask "read: keys/**" cannot be kept'],
    ],
    [{ allow: ["read: src/**"] }, ['it reads files without asking, and no rule allows "read" as a whole']],
    [{ deny: ["write"] }, ['it reads files without asking, and no rule allows "read" as a whole']],
  ])("%j", (rules, sentences) => {
    expect(unenforceable(rules, ["read", "read"])).toEqual(sentences);
    expect(unenforceable(rules, [])).toEqual([]);
  });

  it("count also what its commands may do, if it runs commands without asking", () => {
    expect(unenforceable({ allow: ["command"], deny: ["read: .env*", "mcp"] }, ["command"])).toEqual([
      'it runs commands without asking, so deny "read: .env*" cannot be kept',
    ]);
    expect(unenforceable({ allow: ["command", "read"] }, ["command", "read"])).toEqual([]);
  });
});
