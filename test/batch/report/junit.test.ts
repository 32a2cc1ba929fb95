import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { expect, it } from "vitest";
import { createReport, renderReport } from "../../../src/batch/report/report.js";
import type { BatchReport } from "../../../src/batch/report/schema.js";
import { markOfCell } from "../../../src/batch/report/words.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { anyBatch, hostileTexts } from "./any-batch.js";
import { sampleBatch } from "./sample.js";
import { batchOf } from "./states.js";

/** As reporters for CI servers read it: attributes as text, one element or many as a list. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => ["testsuite", "testcase", "property"].includes(name),
});

interface Counts {
  name: string;
  tests: string;
  failures: string;
  errors: string;
  skipped: string;
  time: string;
}

interface Case {
  name: string;
  classname: string;
  time: string;
  failure?: unknown;
  error?: unknown;
  skipped?: unknown;
  "system-out"?: string;
}

interface Suite extends Counts {
  timestamp: string;
  properties: { property: { name: string; value: string }[] };
  testcase?: Case[];
}

function readJUnit(text: string): Counts & { testsuite?: Suite[] } {
  return parser.parse(text, true).testsuites;
}

/** What the counts of a document, of its suites and of its cases do not agree about. */
function miscounts(report: BatchReport): string[] {
  const { testsuite: suites = [], ...whole } = readJUnit(renderReport(report, "junit"));
  const cases = suites.flatMap(({ testcase = [] }) => testcase);
  const problems: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other)) problems.push(`${what}: ${one} and ${other}`);
  };
  for (const { counts, of } of [
    { counts: whole, of: cases },
    ...suites.map((suite) => ({ counts: suite, of: suite.testcase ?? [] })),
  ]) {
    compare("tests", Number(counts.tests), of.length);
    compare("failures", Number(counts.failures), of.filter((one) => "failure" in one).length);
    compare("errors", Number(counts.errors), of.filter((one) => "error" in one).length);
    compare("skipped", Number(counts.skipped), of.filter((one) => "skipped" in one).length);
    const time = of.reduce((sum, one) => sum + Number(one.time), 0);
    // Each is rounded to a millisecond.
    if (Math.abs(Number(counts.time) - time) > 0.0006 * (of.length + 1))
      problems.push(`time: ${counts.time}, ${time}`);
  }
  const passed = cases.filter((one) => !("failure" in one || "error" in one || "skipped" in one));
  compare("passed", passed.length, report.cells.filter((cell) => markOfCell(cell) === "passed").length);
  return problems;
}

it("the counts and times of a document, its suites and its cases add up, whatever the batch", () => {
  expect(miscounts(createReport(sampleBatch()))).toEqual([]);
  fc.assert(
    fc.property(anyBatch, (state) => {
      expect(miscounts(createReport(state))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

it("the names of arms and tasks are read back, whatever is in them", () => {
  const names = fc.oneof(
    fc.constantFrom(...hostileTexts, "[[ATTACHMENT|/etc/passwd]]"),
    fc.string({ unit: "binary", minLength: 1 }),
    fc.string({ unit: "grapheme", minLength: 1 }),
  );
  fc.assert(
    fc.property(names, names, (arm, task) => {
      const report = createReport(batchOf({ name: task, arms: [arm], tasks: [task], repeats: 1 }));
      const { name, testsuite: [suite] = [] } = readJUnit(renderReport(report, "junit"));
      const shown = (text: string) =>
        cleanText(text)
          .replace(/[\ufffe\uffff]/g, "")
          .replaceAll("[[ATT", "[ [ATT");
      expect(name).toBe(shown(task));
      expect(suite?.name).toBe(shown(arm));
      expect(suite?.testcase).toMatchObject([{ name: shown(`${task} #1`), classname: shown(arm) }]);
      expect(suite?.properties.property.map((one) => one.name)).toContain("harness.agent");
    }),
  );
});

it("what a check printed is the output of its case, and leaves no attachment behind", () => {
  const tail = "a < b && c > d ]]> \u0001\u001b[31mred\u001b[0m \ud800 [[ATTACHMENT|/etc/passwd]]";
  const report = createReport(
    batchOf({
      arms: ["a"],
      tasks: ["t"],
      repeats: 1,
      result: () => ({ verdict: "failed", check: { isSuccess: false, exitCode: 1, durationMs: 1, tail } }),
    }),
  );
  const [only] = readJUnit(renderReport(report, "junit")).testsuite?.[0]?.testcase ?? [];
  expect(only?.["system-out"]).toMatch(
    /check:\na < b && c > d \]\]> red \ufffd \[ \[ATTACHMENT\|\/etc\/passwd\]\]$/,
  );
});
