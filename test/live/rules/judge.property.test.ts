import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJudge } from "../../../src/live/rules/judge.js";
import type { PermissionRules, Verdict } from "../../../src/live/rules/rule.js";
import { scriptContents } from "../../../src/shell/script-contents.js";
import { allBut, example } from "./cases.js";
import { commandTopics } from "./command-cases.js";
import { pathTopics } from "./path-cases.js";
import { places, toRequest } from "./places.js";

const judge = createJudge(allBut, places);
const decide = (script: string): Verdict["decision"] => judge(toRequest(script)).decision;

/** Commands that `allBut` denies by a rule for commands. */
const denied = [
  "git push",
  "git push origin main",
  "git -C x push --tags",
  "rm -rf x",
  "rm -r -f a b",
  "curl -s a.test",
];

/** Text of any kind, and text that a shell gives a meaning. */
const meaningful = fc.constantFrom(
  ..."' \" \\ $ ` ( ) { } [ ] ; & | < > # ! ~ * ? = : , @ % ^ + - / . 0 1 a x \n \t".split(" "),
  " ",
  "\n",
  "$(",
  "${",
  "<<E\n",
  "<(",
  "&&",
  "||",
  "if ",
  "then ",
  "do ",
  "done",
  "esac",
  "echo ",
  "cat ",
  "# ",
  "bash -c ",
  "env ",
  "alias x=",
  "git ",
);
const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(meaningful, { maxLength: 8 }).map((pieces) => pieces.join("")),
);
const joint = fc.constantFrom(" ", "\n", ";", "; ", " && ", " || ", " | ", " & ", "\t");

describe("adding text to a denied command never makes it allowed", () => {
  it("before it or after it", () => {
    fc.assert(
      fc.property(
        text,
        joint,
        fc.constantFrom(...denied),
        joint,
        text,
        (before, left, command, right, after) => {
          expect(decide(`${before}${left}${command}${right}${after}`)).not.toBe("allow");
          expect(decide(`${before}${left}${command}`)).not.toBe("allow");
          expect(decide(`${command}${right}${after}`)).not.toBe("allow");
        },
      ),
      { numRuns: 400 },
    );
  });

  it("between its words", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...denied), fc.nat(), (added, command, at) => {
        const words = command.split(" ");
        const index = 1 + (at % words.length);
        const script = [...words.slice(0, index), added, ...words.slice(index)].join(" ");
        expect(decide(script)).not.toBe("allow");
      }),
      { numRuns: 400 },
    );
  });

  it("around it", () => {
    const wrappers = fc.constantFrom<(script: string) => string>(
      (script) => `bash -c ${quoted(script)}`,
      (script) => `sh -lc ${quoted(script)}`,
      (script) => `eval ${quoted(script)}`,
      (script) => `(${script})`,
      (script) => `{ ${script}; }`,
      (script) => `echo $(${script})`,
      (script) => `echo "$(${script})"`,
      (script) => `if ${script}; then :; fi`,
      (script) => `f() { ${script}; }; f`,
      (script) => `cat <(${script})`,
      (script) => `! ${script}`,
      (script) => `bash <<'E'\n${script}\nE`,
      (script) => `echo ${quoted(script)} | sh`,
      (script) => `nohup bash -c ${quoted(script)} &`,
      (script) => `trap ${quoted(script)} EXIT`,
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...denied),
        fc.array(wrappers, { minLength: 1, maxLength: 5 }),
        (command, all) => {
          expect(decide(all.reduce((script, wrap) => wrap(script), command))).not.toBe("allow");
        },
      ),
      { numRuns: 400 },
    );
  });
});

function quoted(script: string): string {
  return `'${script.replaceAll("'", `'\\''`)}'`;
}

const order = ["deny", "ask", "allow"];
const topics = [...commandTopics, ...pathTopics];
const anyCase = fc
  .constantFrom(...topics)
  .chain(({ rules, cases }) =>
    fc.record({ rules: fc.constant(rules), asked: fc.constantFrom(...cases.map(([asked]) => asked)) }),
  );
const anyRule = fc.constantFrom(
  ...topics.flatMap(({ rules }) => [...(rules.allow ?? []), ...(rules.deny ?? [])]),
);

function decisionOf(rules: PermissionRules, asked: Parameters<typeof toRequest>[0]): number {
  return order.indexOf(createJudge(rules, places)(toRequest(asked)).decision);
}

describe("more rules", () => {
  it("to deny or ask never make a request more permitted; to allow never less, and never get past a denial", () => {
    fc.assert(
      fc.property(anyCase, anyRule, ({ rules, asked }, rule) => {
        const { allow = [], deny = [], ask = [] } = rules;
        const before = decisionOf(rules, asked);
        expect(decisionOf({ ...rules, deny: [...deny, rule] }, asked)).toBeLessThanOrEqual(before);
        expect(decisionOf({ ...rules, ask: [...ask, rule] }, asked)).toBeLessThanOrEqual(before);
        const after = decisionOf({ ...rules, allow: [...allow, rule] }, asked);
        expect(after).toBeGreaterThanOrEqual(before);
        if (before === 0) expect(after).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it("what one rule denies is denied beside any others", () => {
    fc.assert(
      fc.property(anyCase, fc.array(anyRule, { maxLength: 4 }), ({ rules, asked }, others) => {
        if (decisionOf(rules, asked) !== 0) return;
        expect(
          decisionOf({ allow: [...others, ...(rules.allow ?? [])], deny: rules.deny ?? [] }, asked),
        ).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

describe("any text", () => {
  it("is judged without an exception", () => {
    const judges = [judge, createJudge(example, places)];
    fc.assert(
      fc.property(text, fc.string({ unit: "binary" }), (script, other) => {
        expect(scriptContents(script).commands).toBeInstanceOf(Array);
        for (const each of judges) {
          expect(order).toContain(each(toRequest(script)).decision);
          expect(order).toContain(
            each({ name: other, operations: [{ type: "read", path: other }] }).decision,
          );
          expect(order).toContain(
            each({ name: script, operations: [{ type: "fetch", url: other }] }).decision,
          );
          expect(each(toRequest(script)).reason).not.toBe("the request could not be judged");
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["deep nesting", "$(".repeat(190) + ")".repeat(190)],
    ["many words", `git ${"x ".repeat(9000)}`],
    ["a long word", "a".repeat(30_000)],
    ["many globs", `cat ${"*a".repeat(2000)}`],
    ["many braces", `cat ${"{a,b}".repeat(60)}`],
    ["a long script", `git push; ${"true; ".repeat(10_000)}`],
  ])("%s is judged, and not allowed by a rule with a pattern", (_name, script) => {
    const strict = createJudge(
      { allow: ["command: git *", "command: cat a"], deny: ["command: git push *"] },
      places,
    );
    expect(strict(toRequest(`${script}; make`)).decision).not.toBe("allow");
  });
});
