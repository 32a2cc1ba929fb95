import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { toHtml } from "../../../src/outputs/html/page.js";
import type { RunRecord } from "../../../src/story/run-record.js";
import { temporaryDirectory } from "../../runs/test-agent.js";
import { chromiumPath, type OpenPage, openPage } from "./chromium.js";
import { captureOf, hostileTexts, recordOf, runOf } from "./run.js";

async function open(run: RunRecord): Promise<OpenPage> {
  const file = join(temporaryDirectory(), "run.html");
  writeFileSync(file, toHtml(run));
  const page = await openPage(chromiumPath ?? "", pathToFileURL(file).href);
  onTestFinished(() => page.close());
  return page;
}

const shown = "[...document.querySelectorAll('.item')].filter((item) => item.checkVisibility()).length";

describe.runIf(chromiumPath !== undefined)("in a browser", { timeout: 60_000 }, () => {
  it("hostile output does nothing: no script, no request, no dialog, and all of it can be read", async () => {
    const given = hostileTexts.flatMap((text, index) => [
      { type: "agent" as const, message: text },
      { type: "tool_start" as const, callId: `c${index}`, name: text, input: { a: text } },
      { type: "tool_end" as const, callId: `c${index}`, name: text, output: text },
    ]);
    const page = await open(recordOf(runOf(...given).events, hostileTexts.join("\n")));
    expect(page.requests).toEqual([]);
    expect(page.complaints).toEqual([]);
    expect(
      await page.evaluate("document.scripts.length + document.images.length + document.forms.length"),
    ).toBe(1);
    expect(await page.evaluate("document.querySelectorAll('main > ol > .item').length")).toBe(
      hostileTexts.length * 2 + 1,
    );
  });

  it("its policy refuses what would have come through", async () => {
    const page = await open(captureOf("claude", "text"));
    await page.evaluate(
      "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.wasHere = 1\">')",
    );
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { text: 'window.wasHere = 1' }))",
    );
    expect(await page.evaluate("window.wasHere ?? 'no'")).toBe("no");
    expect(page.complaints.join()).toContain("Content Security Policy");
  });

  it("filters, problems and search show what they say", async () => {
    const page = await open(captureOf("claude", "toolerror"));
    const all = await page.evaluate(shown);
    await page.evaluate("document.querySelector('[data-kind=read]').click()");
    expect(await page.evaluate(shown)).toBeLessThan(Number(all));
    await page.evaluate("document.querySelector('[data-kind=read]').click()");
    expect(await page.evaluate(shown)).toBe(all);
    await page.evaluate("document.querySelector('#problems').click()");
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.item:not([hidden])')].every((item) => item.matches('.problem'))",
      ),
    ).toBe(true);
    expect(page.complaints).toEqual([]);
  });

  it("keys move through it, open it and change its colours", async () => {
    const page = await open(captureOf("claude", "subagent"));
    for (const key of ["j", "j", "j"]) await page.press(key);
    expect(
      await page.evaluate("document.activeElement.closest('.item').classList.contains('subagent')"),
    ).toBe(true);
    await page.press("e");
    expect(await page.evaluate("document.querySelectorAll('main details.body:not([open])').length")).toBe(0);
    const before = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.press("t");
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).not.toBe(before);
    await page.press("/");
    expect(await page.evaluate("document.activeElement.id")).toBe("search");
  });

  it("a bar of the time chart leads to its call, opened", async () => {
    const page = await open(captureOf("claude", "parallel"));
    const id = await page.evaluate("document.querySelector('.chart a').getAttribute('href').slice(1)");
    const isOpen = `document.querySelector('#${id} > details').open`;
    expect(await page.evaluate(isOpen)).toBe(false);
    await page.evaluate(
      `new Promise((done) => { addEventListener("hashchange", done, { once: true }); location.hash = "${id}"; }).then(() => 1)`,
    );
    expect(await page.evaluate(isOpen)).toBe(true);
    expect(await page.evaluate("document.activeElement.closest('.item').id")).toBe(id);
  });
});
