import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { reportStyle, reportStyleHash } from "../../../src/batch/report/html/style.js";
import { createReport, renderReport, reportFormats } from "../../../src/batch/report/report.js";
import { BatchReport } from "../../../src/batch/report/schema.js";
import { widthOf } from "../../../src/outputs/text/width.js";
import { readTags, type Tag } from "../../outputs/documents/markup-reader.js";
import { unsafe } from "../../outputs/text/hostile.js";
import { anyBatch, hostileTexts } from "./any-batch.js";
import { sampleBatch, samplePatch } from "./sample.js";
import { batchOf, ended, endedAt, startedAt } from "./states.js";

/** A report with the text in every place where somebody else can put one. */
function reportWith(text: string): BatchReport {
  const failure = { kind: "crash" as const, message: text, hint: `${text}!` };
  const step = { isSuccess: false, exitCode: 1, durationMs: 5, tail: `${text}\n${text}` };
  return createReport(
    batchOf({
      name: text,
      arms: [
        { id: text, agent: text, model: text },
        { id: `${text}2`, agent: text, model: `${text}2` },
      ],
      tasks: [text],
      repeats: 4,
      plan: { isolated: false },
      result: ({ repetition }) =>
        repetition === 4
          ? undefined
          : {
              verdict: (["passed", "failed", "error"] as const)[repetition - 1] ?? "error",
              reason: text,
              outcome: { isSuccess: false, reason: "failed", failure },
              setup: { ...step, isSuccess: true },
              check: step,
              output: { [text]: text },
              runId: text,
              attempts: 2,
              retries: [{ runId: text, failure, until: endedAt }],
              agentVersion: text + repetition,
              model: text + repetition,
              authentication: text + repetition,
              worker: text + repetition,
              costUsd: repetition,
              durationMs: repetition * 1000,
            },
      lines: ([, , , last]) => [
        { type: "skipped", at: startedAt, cellId: last?.id ?? "", reason: text },
        { type: "agent_stopped", at: endedAt, agent: text, failure },
        ended,
      ],
    }),
  );
}

const sample = createReport(sampleBatch());
const patchOf = (): string => samplePatch;

describe.each(reportFormats)("as %s", (format) => {
  it.each(hostileTexts.map((text) => [text]))("nothing unsafe comes through: %j", (text) => {
    const shown = renderReport(reportWith(text), format, { hasColor: false, patchOf: () => text });
    expect(shown).not.toMatch(unsafe);
    expect(shown).not.toMatch(
      /[\ufffe\uffff]/.test(text) && format === "junit" ? /[\ufffe\uffff]/ : /\u0000/,
    );
  });

  it("an empty batch, one under way and a finished one can be shown", () => {
    const empty = createReport({ ...batchOf(), cells: new Map() });
    const begun = createReport(batchOf({ result: () => undefined }), { now: endedAt });
    for (const report of [empty, begun, sample]) expect(renderReport(report, format)).toMatch(/\n$/);
  });
});

it("10,000 cells are shown in every form", () => {
  const tasks = Array.from({ length: 100 }, (_none, index) => `task-${index}`);
  const arms = Array.from({ length: 10 }, (_none, index) => `arm-${index}`);
  const tail = "FAIL something\n".repeat(100);
  const report = createReport(
    batchOf({
      tasks,
      arms,
      repeats: 10,
      result: (_cell, index) => ({
        costUsd: 0.1 + (index % 7),
        durationMs: 1000 + index,
        ...(index % 3 === 0 && {
          verdict: "failed" as const,
          check: { isSuccess: false, exitCode: 1, durationMs: 1, tail },
        }),
      }),
    }),
  );
  expect(report.cells).toHaveLength(10_000);
  const sizes = reportFormats.map((format) => renderReport(report, format, { patchOf }).length);
  expect(Math.max(...sizes)).toBeLessThan(40_000_000);
  expect(renderReport(report, "markdown").length).toBeLessThan(60_000);
});

describe("as text", () => {
  it.each([40, 80, 120])("no row is wider than %i columns", (width) => {
    for (const report of [sample, ...hostileTexts.map(reportWith)])
      for (const row of renderReport(report, "text", { width }).split("\n"))
        if (!row.startsWith("  harness ")) expect(widthOf(row), row).toBeLessThanOrEqual(width);
  });

  it("has colours only if they are asked for", () => {
    expect(renderReport(sample, "text")).not.toContain("\u001b");
    const coloured = renderReport(sample, "text", { hasColor: true });
    expect(coloured).toContain("\u001b[32m");
    expect(coloured.replace(/\u001b\[\d+m/g, "")).toBe(renderReport(sample, "text"));
  });

  it("is what a reader needs, from the top down", () => {
    const text = renderReport(sample, "text");
    const parts = [
      "cart  Completed after 20m 00s",
      "4 tasks × 4 arms × 5 repetitions",
      /claude-opus +95 % +20 +76 to 99 % +\$0\.31/,
      "Differences",
      "What else may be behind it",
      /fix-total +claude-opus +✓✓✓✗✓ +80 %/,
      "Of k runs: one passes / all pass",
      /codex +5 × check failed, 2 × max turns, 1 × setup failed/,
      /agent succeeded +41 +16/,
      "! add-currency, codex, run 2: The setup failed with exit code 1.",
      "harness sessions show ",
      "Intervals of pass rates are Wilson's",
    ];
    let at = 0;
    for (const part of parts) {
      const found = typeof part === "string" ? text.indexOf(part, at) : text.slice(at).search(part) + at;
      expect(found, String(part)).toBeGreaterThanOrEqual(at);
      at = found;
    }
  });
});

it("only a valid run id becomes a command to paste", () => {
  for (const format of ["text", "markdown", "junit", "html"] as const) {
    expect(renderReport(reportWith("x; rm -rf ~"), format)).not.toContain("harness sessions show x");
    expect(renderReport(sample, format)).toContain("harness sessions show c");
    // Its setup failed, so there is no run.
    expect(renderReport(sample, format)).not.toContain("harness sessions show c00000000000001f");
  }
});

describe("as JSON", () => {
  it("is the report, and fits its schema", () => {
    for (const report of [sample, reportWith("\u202e\u001b[31m")]) {
      const read: unknown = JSON.parse(renderReport(report, "json"));
      expect(v.safeParse(BatchReport, read).issues).toBeUndefined();
      expect(read).toEqual(JSON.parse(JSON.stringify(report)));
    }
  });
});

describe("as Markdown", () => {
  /** Reads Markdown as GitHub does: with HTML. */
  const reader = new MarkdownIt("default", { html: true });

  it("nothing in it is HTML, a link or an image, whatever the batch", () => {
    fc.assert(
      fc.property(anyBatch, (state) => {
        const tokens = reader.parse(renderReport(createReport(state), "markdown"), {});
        const kinds = tokens.flatMap((token) => [token, ...(token.children ?? [])]).map(({ type }) => type);
        expect(kinds.filter((kind) => /html|image|link/.test(kind))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("has the same tables whatever the names are", () => {
    const tablesOf = (text: string): number =>
      reader.parse(text, {}).filter(({ type }) => type === "tr_open").length;
    const usual = tablesOf(renderReport(reportWith("name"), "markdown"));
    for (const text of hostileTexts)
      expect(tablesOf(renderReport(reportWith(text), "markdown")), text).toBe(usual);
  });
});

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** Python's own parser reads them, all at once. Whatever is not XML is an error. */
function parseXml(documents: readonly string[]): Element[] {
  const program = `
import json, sys, xml.etree.ElementTree as tree
def plain(e): return {"name": e.tag, "attributes": e.attrib, "text": e.text or "", "children": [plain(c) for c in e]}
print(json.dumps([plain(tree.fromstring(d.encode("utf-8"))) for d in json.load(sys.stdin)]))`;
  const input = JSON.stringify(documents);
  return JSON.parse(execFileSync("python3", ["-c", program], { input, encoding: "utf8", maxBuffer: 1e9 }));
}

/** The elements and attributes of JUnit XML as Jenkins and GitLab read it, and what may be inside of what, in this order. */
const junit: Record<string, { attributes: string[]; inside: RegExp }> = {
  testsuites: {
    attributes: ["name", "tests", "failures", "errors", "skipped", "time"],
    inside: /^(testsuite )*$/,
  },
  testsuite: {
    attributes: ["name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
    inside: /^properties (testcase )*$/,
  },
  properties: { attributes: [], inside: /^(property )+$/ },
  property: { attributes: ["name", "value"], inside: /^$/ },
  testcase: {
    attributes: ["name", "classname", "time"],
    inside: /^(?:(?:skipped|error|failure) )?(?:system-out )?$/,
  },
  skipped: { attributes: ["message"], inside: /^$/ },
  failure: { attributes: ["message", "type"], inside: /^$/ },
  error: { attributes: ["message", "type"], inside: /^$/ },
  "system-out": { attributes: [], inside: /^$/ },
};

function expectJUnit({ name, attributes, children }: Element): void {
  const rule = junit[name];
  expect(Object.keys(attributes), name).toEqual(rule?.attributes);
  expect(children.map((child) => `${child.name} `).join("")).toMatch(rule?.inside ?? /not allowed/);
  for (const child of children) expectJUnit(child);
}

describe("as JUnit", () => {
  it("has a suite for each arm and a case for each cell, and counts them", () => {
    const [root] = parseXml([renderReport(sample, "junit")]);
    expect(root?.attributes).toMatchObject({
      name: "cart",
      tests: "80",
      failures: "23",
      errors: "2",
      skipped: "0",
    });
    expect(root?.children.map(({ attributes }) => attributes["name"])).toEqual([
      "claude-opus",
      "claude-haiku",
      "codex",
      "gemini-flash",
    ]);
    const cases = root?.children.flatMap(({ children }) => children.slice(1)) ?? [];
    expect(cases).toHaveLength(80);
    const failed = cases.find(
      ({ attributes: { name, classname } }) => name === "fix-total #4" && classname === "claude-opus",
    );
    expect(failed?.children[0]).toMatchObject({ name: "failure", attributes: { type: "check" } });
    expect(failed?.children[1]?.text).toContain("AssertionError: expected 21.42 to be 20.4");
  });

  it("is valid, and keeps every text in its place", () => {
    const documents = hostileTexts.map((text) => renderReport(reportWith(text), "junit"));
    for (const root of parseXml(documents)) {
      expectJUnit(root);
      expect(root.children.map(({ children }) => children.length)).toEqual([5, 5]);
    }
  });

  it("is valid whatever the batch", () => {
    const states = fc.sample(anyBatch, { numRuns: 100, seed: 20261117 });
    for (const root of parseXml(states.map((state) => renderReport(createReport(state), "junit"))))
      expectJUnit(root);
  });
});

const allowedTags = new Set(
  (
    "html head meta title body header main footer section div span p h1 h2 h3 h4 a b small code pre time " +
    "details summary dl dt dd ul ol li figure figcaption svg g text line rect circle table thead tbody tr th td"
  ).split(" "),
);
const allowedAttributes = new Set(
  (
    "charset http-equiv content name lang class id href title dir datetime role scope tabindex aria-label aria-hidden " +
    "x y x1 x2 y1 y2 cx cy r width height rx text-anchor"
  ).split(" "),
);

function expectHarmless(tags: readonly Tag[]): void {
  for (const { name, attributes } of tags) {
    expect(allowedTags, name).toContain(name);
    for (const attribute of Object.keys(attributes))
      expect(allowedAttributes, `${name} ${attribute}`).toContain(attribute);
    if (attributes["href"] !== undefined) expect(attributes["href"]).toMatch(/^#r\d+$/);
  }
}

describe("as HTML", () => {
  it("nothing of the batch becomes part of the page", () => {
    for (const text of hostileTexts)
      expectHarmless(readTags(renderReport(reportWith(text), "html", { patchOf: () => text })));
    fc.assert(
      fc.property(anyBatch, (state) => {
        expectHarmless(readTags(renderReport(createReport(state), "html", { patchOf })));
      }),
      { numRuns: 40 },
    );
  });

  it("allows its one style by its hash, no script and no connection", () => {
    const hash = createHash("sha256").update(reportStyle).digest("base64");
    expect(reportStyleHash, "the style has changed: put its hash into style.ts").toBe(`sha256-${hash}`);
    const page = renderReport(sample, "html");
    expect(page).toContain(
      `content="default-src 'none'; style-src '${reportStyleHash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(page).not.toContain("<script");
  });

  it("every square leads to its cell, and the cell has what is needed to go on", () => {
    const page = renderReport(sample, "html", { patchOf });
    const tags = readTags(page);
    const links = tags
      .filter(({ name }) => name === "a")
      .map(({ attributes }) => attributes["href"]?.slice(1));
    const ids = tags.flatMap(({ attributes }) => attributes["id"] ?? []);
    expect(links).toHaveLength(80);
    expect(new Set(ids).size).toBe(ids.length);
    expect(links.filter((link) => !ids.includes(link ?? ""))).toEqual([]);
    expect(page).toContain("harness sessions show c000000000000003-x1");
    expect(page).toContain("AssertionError: expected 21.42 to be 20.4");
    expect(page).toContain('<span class="line added">+  return round(sum * (1 + tax));</span>');
  });
});
