import { describe, expect, it } from "vitest";
import { record } from "../server/support.js";
import { violations } from "./axe.js";
import { patch } from "./patches.js";
import { claudeLines, writeRecording } from "./recordings.js";
import { open, serve, useBrowser } from "./support.js";

useBrowser();

describe.each(["light", "dark"] as const)("in %s colours", (colorScheme) => {
  it("nothing is found by axe on any part of the page", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "subagent");
    const failed = await record(server.directory, "codex", "api401");
    writeRecording(server.directory, "changed", { agent: "claude", lines: claudeLines(3), patch });
    const page = await open(server, "", { colorScheme });
    await page.waitForSelector(".run-line");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("s");
    await page.waitForSelector("dialog option", { state: "attached" });
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.evaluate(`location.hash = "#/run/${id}"`);
    await page.locator(".item.call .head").first().click();
    await page.waitForSelector(".inside .value");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("p");
    await page.waitForSelector(".replay");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("3");
    await page.waitForSelector(".overview");
    expect(await violations(page)).toEqual([]);
    await page.evaluate(`location.hash = "#/run/changed"`);
    await page.waitForSelector(".diff-line");
    expect(await violations(page)).toEqual([]);
    await page.evaluate(`location.hash = "#/run/${failed}"`);
    await page.waitForSelector(".failure-panel");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("2");
    await page.waitForSelector(".item.end");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("4");
    await page.waitForSelector(".raw-line pre");
    await page.keyboard.press("v");
    await page.waitForSelector(".raw-line pre.json");
    expect(await violations(page)).toEqual([]);
    await page.evaluate(`location.hash = "#/compare/${id}/${failed}"`);
    await page.waitForSelector(".numbers-table th");
    expect(await violations(page)).toEqual([]);
  }, 90_000);
});

describe.each([1280, 390])("%i pixels wide", (width) => {
  it("nothing runs out of the window, and everything can be reached", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    const failed = await record(server.directory, "claude", "api401", { prompt: "word ".repeat(200) });
    const page = await open(server, "", { viewport: { width, height: 800 } });
    const fits = (): Promise<boolean> =>
      page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");
    await page.waitForSelector(".run-line");
    expect(await fits()).toBe(true);
    expect((await page.locator(".top").boundingBox())?.height).toBeLessThan(60);
    await page.click(`[data-run='${failed}'] .run-link`);
    await page.waitForSelector(".failure-panel");
    expect(await fits()).toBe(true);
    expect((await page.locator(".run-head").boundingBox())?.height).toBeLessThanOrEqual(200);
    expect((await page.locator(".tabs-bar").boundingBox())?.height).toBeLessThan(45);
    await page.evaluate(`location.hash = "#/run/${id}/timeline"`);
    await page.locator(".item.call .head").first().click();
    expect(await fits()).toBe(true);
    await page.click("#tab-changes");
    await page.waitForSelector(".diff-line");
    expect(await fits()).toBe(true);
    await page.click("#tab-overview");
    await page.waitForSelector(".files");
    expect(await fits()).toBe(true);
    await page.click("#tab-raw");
    await page.waitForSelector(".raw-line pre");
    expect(await fits()).toBe(true);
    await page.click("button:has-text('New run')");
    await page.waitForSelector("dialog button:has-text('Start')");
    await page.keyboard.press("Escape");
    await page.evaluate(`location.hash = "#/compare/${id}/${id}"`);
    await page.waitForSelector(".numbers-table");
    expect(await fits()).toBe(true);
  });
});

describe("those who asked for less motion", () => {
  it("see nothing turn", async () => {
    const page = await open(await serve(), "", { reducedMotion: "reduce" });
    const animation = await page.evaluate(`(() => {
      const sign = document.createElement("span");
      sign.className = "sign running";
      document.body.append(sign);
      return getComputedStyle(sign).animationName;
    })()`);
    expect(animation).toBe("none");
  });
});
