import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createReport, renderReport } from "../../../src/batch/report/report.js";
import { hostileTexts } from "./any-batch.js";
import { sampleBatch, samplePatch } from "./sample.js";
import { batchOf } from "./states.js";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const page = renderReport(createReport(sampleBatch()), "html", { patchOf: () => samplePatch });

describe.runIf(executablePath !== undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  async function open(html: string, options: BrowserContextOptions = {}): Promise<Page & { seen: string[] }> {
    const directory = mkdtempSync(join(tmpdir(), "harness-report-"));
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    onTestFinished(async () => {
      await context.close();
      rmSync(directory, { recursive: true });
    });
    const file = join(directory, "report.html");
    writeFileSync(file, html);
    const opened = await context.newPage();
    const seen: string[] = [];
    opened.on("console", (message) => seen.push(message.text()));
    opened.on("pageerror", (error) => seen.push(error.message));
    opened.on("request", (request) => seen.push(request.url()));
    await opened.goto(pathToFileURL(file).href);
    seen.splice(0, 1);
    return Object.assign(opened, { seen });
  }

  it("hostile text does nothing: no script, no request, no complaint", async () => {
    const state = batchOf({
      name: hostileTexts.join(" "),
      arms: hostileTexts.map((text) => ({ id: text, model: text })),
      tasks: hostileTexts,
      repeats: 1,
      result: ({ arm }) => ({ verdict: "failed", reason: arm.id, model: arm.id, runId: arm.id }),
    });
    const opened = await open(
      renderReport(createReport(state), "html", { patchOf: () => hostileTexts.join("\n") }),
    );
    expect(opened.seen).toEqual([]);
    expect(
      await opened.evaluate("document.scripts.length + document.images.length + document.forms.length"),
    ).toBe(0);
    expect(await opened.evaluate("window.wasHere ?? 'no'")).toBe("no");
    expect(await opened.evaluate("document.querySelectorAll('.cell').length")).toBe(hostileTexts.length ** 2);
  });

  it("a square opens its cell", async () => {
    const opened = await open(page);
    expect(await opened.evaluate("document.querySelectorAll('details[open]').length")).toBe(0);
    await opened.locator(".square.failed").first().click();
    await opened.locator("details[open] >> text=AssertionError").first().waitFor();
    expect(await opened.evaluate("document.querySelectorAll('details[open]').length")).toBe(1);
    expect(opened.seen).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "axe finds nothing in %s colours, folds included",
    async (colorScheme) => {
      // The page's own policy refuses the script of axe.
      const opened = await open(page, { colorScheme, bypassCSP: true });
      await opened.evaluate(
        "for (const fold of [...document.querySelectorAll('details')].slice(0, 40)) fold.open = true",
      );
      await opened.evaluate(axe);
      const found = await opened.evaluate<{ id: string; nodes: { html: string }[] }[]>(
        "axe.run(document).then((result) => result.violations)",
      );
      expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    },
  );

  it.each([390, 768, 1280])("nothing runs out of a window of %i pixels", async (width) => {
    const opened = await open(page, { viewport: { width, height: 800 } });
    await opened.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
    expect(await opened.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
