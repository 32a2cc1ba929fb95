import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { recordings } from "../../src/runs/archive/recordings.js";
import { record } from "../server/support.js";
import { begin, calls, finish, gatedAgent, returns, runElsewhere, says } from "./gated-agent.js";
import { expectNoComplaints, open, serve, useBrowser } from "./support.js";

useBrowser();

/** As if another tab were looked at; a browser without a screen shows them all. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

describe("the list of runs", () => {
  it("shows how each ended and what it took, and can be searched and filtered", async () => {
    const server = await serve();
    await record(server.directory, "claude", "files");
    await record(server.directory, "codex", "api401");
    const page = await open(server);
    await page.waitForSelector("text=files of claude");
    const first = page.locator(".run-line", { hasText: "files of claude" });
    await expect.poll(() => first.textContent()).toMatch(/claude.*tok.*\$.*files/);
    expect(await first.locator(".sign").getAttribute("aria-label")).toBe("Completed");
    expect(await page.locator(".run-line", { hasText: "api401" }).textContent()).toMatch(/auth/);
    await page.fill("[aria-label='Search runs']", "codex 401");
    await expect.poll(() => page.locator(".run-line").count()).toBe(1);
    expect(page.url()).toContain("q=codex+401");
    await page.fill("[aria-label='Search runs']", "");
    await page.click("button:has-text('Completed')");
    await expect.poll(() => page.locator(".run-line").allInnerTexts()).toHaveLength(1);
    await page.selectOption("[aria-label='Agent']", "codex");
    await page.waitForSelector("text=No run matches");
    expectNoComplaints(page);
  });

  it("moves by itself when a run is started in another terminal, in every tab", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, calls("a", "Bash", { command: "make it" })],
      [returns("a", "made"), says("Done."), finish],
    ]);
    const page = await open(server);
    await page.waitForSelector("text=No runs yet");
    const secondTab = await page.context().newPage();
    await secondTab.goto(server.origin);
    runElsewhere(server, agent.binary, "started elsewhere");
    for (const tab of [page, secondTab]) {
      await tab.waitForSelector(".run-line:has-text('started elsewhere') .sign.running");
      await tab.waitForSelector(".run-line .latest:has-text('Running make it')");
    }
    agent.open(1);
    for (const tab of [page, secondTab]) await tab.waitForSelector(".run-line .sign.completed");
    const [only] = await recordings.list({ directory: server.directory });
    await recordings.remove(only?.id ?? "", { directory: server.directory });
    await page.waitForSelector("text=No runs yet");
  });

  it("is there in more tabs than a browser has connections: those in the background rest", async () => {
    const server = await serve();
    await record(server.directory, "claude", "text");
    const first = await open(server);
    await first.waitForSelector("text=text of claude");
    const tabs: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const tab = await first.context().newPage();
      await tab.goto(server.origin);
      await tab.waitForSelector("text=text of claude");
      await setHidden(tab, true);
      tabs.push(tab);
    }
    await record(server.directory, "pi", "text");
    await first.waitForSelector("text=text of pi");
    for (const tab of tabs) {
      await setHidden(tab, false);
      await tab.waitForSelector("text=text of pi");
      await setHidden(tab, true);
    }
  });

  it("is walked and opened by keyboard", async () => {
    const server = await serve();
    await record(server.directory, "claude", "text");
    await record(server.directory, "pi", "text");
    const page = await open(server);
    await page.waitForSelector("text=text of claude");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.waitForSelector(".run-line.current:has-text('text of claude')");
    await page.keyboard.press("/");
    await page.keyboard.type("pi");
    await expect.poll(() => page.locator(".run-line").count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForSelector("h1:has-text('text of pi')");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".run-line");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog:has-text('next, previous')");
  });

  it("survives that the server is killed and started again", async () => {
    const server = await serve();
    await record(server.directory, "claude", "text");
    const page = await open(server);
    await page.waitForSelector("text=text of claude");
    await server.close();
    await page.waitForSelector(".banner:has-text('does not answer')");
    expect(await page.locator(".run-line").count()).toBe(1);
    const again = await serve(server.home, server.port);
    await page.waitForSelector(".connection.open", { timeout: 30_000 });
    await record(again.directory, "pi", "text");
    await page.waitForSelector("text=text of pi");
  });
});
