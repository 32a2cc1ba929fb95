import { describe, expect, it } from "vitest";
import type { NewRun } from "../../src/server/protocol.js";
import { record } from "../server/support.js";
import { begin, calls, finish, gatedAgent, returns, runElsewhere, says } from "./gated-agent.js";
import { longPatch, patch } from "./patches.js";
import { claudeLines, writeRecording } from "./recordings.js";
import { clipboard, expectNoComplaints, open, serve, type TestPage, useBrowser } from "./support.js";

useBrowser();

const failure = {
  kind: "rate_limit" as const,
  message: "API Error: Request rejected (429)",
  hint: "Wait until the limit has passed.",
  retryAt: "2026-11-15T13:00:00.000Z",
};
const lines = [
  begin,
  says("Let me look."),
  calls("a", "Bash", { command: "npm test" }),
  returns("a", "Exit code 1\nno", true),
  calls("b", "Edit", { file_path: "/repo/src/cart.ts", old_string: "a\nb", new_string: "a\nc" }),
  returns("b", "ok"),
].map((line) => JSON.stringify(line));
const prompt = "Fix the cart's total";

/** Answers what the page asks the server to start, and returns it. */
async function watchStarts(page: TestPage): Promise<NewRun[]> {
  const wanted: NewRun[] = [];
  await page.route("**/api/runs", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    wanted.push(route.request().postDataJSON());
    return route.fulfill({ status: 201, json: { id: "next", warnings: [] } });
  });
  return wanted;
}

describe("a run that failed", () => {
  it("opens with the reason, said once, what to do next, what happened last and what it changed", async () => {
    const server = await serve();
    writeRecording(server.directory, "failed", { agent: "claude", lines, prompt, failure, patch });
    const page = await open(server, "#/run/failed");
    const panel = page.locator(".failure-panel");
    await panel.locator("h2:has-text('Failed: too many requests; the limit passes by itself')").waitFor();
    await panel.locator(".failure-next:has-text('Wait until the limit has passed.')").waitFor();
    expect(await panel.locator("time[datetime='2026-11-15T13:00:00.000Z']").count()).toBe(1);
    await panel.locator(".left:has-text('6 files +5 −4')").waitFor();
    expect(await panel.locator(".last li").allTextContents()).toEqual([
      expect.stringContaining("Let me look."),
      expect.stringMatching(/Ran.*npm test.*exit 1/),
      expect.stringMatching(/Edited.*src\/cart\.ts/),
    ]);
    expect(await page.locator("text=Request rejected").count()).toBe(1);
    expect(await page.title()).toBe(`${prompt} · harness`);
    await panel.locator(".last button", { hasText: "npm test" }).click();
    await page.waitForSelector(".item.current:has-text('npm test')");
    await page.click(".outcome-link");
    await panel.waitFor();
    expectNoComplaints(page);
  });

  it("is run again, resumed, and copied as a command", async () => {
    const server = await serve();
    writeRecording(server.directory, "failed", { agent: "claude", lines, prompt, failure });
    const page = await open(server, "#/run/failed");
    const wanted = await watchStarts(page);
    await page.click("button:has-text('Copy command')");
    await expect
      .poll(() => clipboard(page))
      .toBe("harness run --agent claude --cwd /repo --prompt 'Fix the cart'\\''s total'");
    await page.click("button:text-is('Resume')");
    await page.fill(".resume textarea", "Try again.");
    await page.click(".resume button:text-is('Send')");
    await page.waitForURL(/#\/run\/next/);
    await page.goto(`${server.origin}/#/run/failed`);
    await page.click("button:has-text('Run again')");
    await page.waitForURL(/#\/run\/next/);
    const task = { agent: "claude", cwd: "/repo", permissions: "full-access" };
    expect(wanted).toEqual([
      { ...task, prompt: "Try again.", resume: "failed" },
      { ...task, prompt },
    ]);
  });
});

describe("changes", () => {
  it("come first after a run that changed something: the files as a tree, and the diff of each as text", async () => {
    const server = await serve();
    writeRecording(server.directory, "changed", { agent: "claude", lines: claudeLines(3), patch });
    const page = await open(server, "#/run/changed");
    await page.waitForSelector(".diff-line.added:has-text('item.price * item.count')");
    expect(await page.locator(".diff-file").allTextContents()).toEqual([
      "docs/a.md → docs/b.mdrenamedno lines to show",
      "docs/old.mddeleted−2",
      "src/cart.test.tsadded+2",
      "src/cart.ts+2 −1",
      "logo.pngbinary",
      "täst.txt+1 −1",
    ]);
    expect(await page.locator(".changed-files .file").allTextContents()).toEqual([
      "docs/−2",
      "b.md",
      "old.md−2",
      "src/+4 −1",
      "cart.test.ts+2",
      "cart.ts+2 −1",
      "logo.png",
      "täst.txt+1 −1",
    ]);
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    await page.keyboard.press("j");
    await page.waitForSelector(".file[aria-current]:has-text('b.md')");
    expectNoComplaints(page);
  });

  it("of 200,000 lines keep few elements, and every file is reached", async () => {
    const server = await serve();
    writeRecording(server.directory, "long", {
      agent: "claude",
      lines: claudeLines(3),
      patch: longPatch(150_000),
    });
    const page = await open(server, "#/run/long");
    await page.waitForSelector(".diff-line:has-text('line 3')");
    await page.click(".changed-files .file:has-text('last.txt')");
    await page.waitForSelector(".diff-line.added:has-text('after')");
    expect(await page.locator(".diff-line").count()).toBeLessThan(120);
  });

  it("without git are what the edits said", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files", { changes: false });
    const page = await open(server, `#/run/${id}/changes`);
    await page.waitForSelector(".diff-line.added");
    await page.waitForSelector("text=As the agent’s own edits say.");
  });
});

describe("figures of the header", () => {
  it("lead to what they count, and the header takes a quarter of the height at most", async () => {
    const server = await serve();
    writeRecording(server.directory, "failed", {
      agent: "claude",
      lines,
      prompt: `${prompt}\n`.repeat(50),
      failure,
    });
    const page = await open(server, "#/run/failed", { viewport: { width: 1280, height: 720 } });
    await page.click(".tiles div:has-text('Commands') button");
    await page.waitForSelector(".item.command");
    await expect.poll(() => page.locator(".item:not(.command)").count()).toBe(0);
    await page.click("button:text-is('Show all')");
    await page.waitForSelector(".item.message");
    await page.click(".tiles div:has-text('Errors') button");
    await page.waitForSelector(".item.error");
    await expect.poll(() => page.locator(".item:not(.error)").count()).toBe(0);
    await page.click(".tiles div:has-text('Files changed') button");
    await page.waitForSelector(".diff-line");
    await page.click(".whole-prompt summary");
    await page.waitForSelector(".whole-prompt pre");
    expect((await page.locator(".run-head").boundingBox())?.height).toBeLessThanOrEqual(180);
  });
});

describe("beside the timeline", () => {
  it("are the contents of the current entry, and keys move on", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files", { changes: false });
    const page = await open(server, `#/run/${id}/timeline`, { viewport: { width: 1200, height: 800 } });
    await page.locator(".item.write .head").last().click();
    await page.waitForSelector(".detail .diff .added");
    const value = page.locator(".detail .value").first();
    await value.locator("button:text-is('JSON')").click();
    await value.locator("pre.json .key").first().waitFor();
    await value.locator("button:text-is('Copy')").click();
    await expect.poll(() => clipboard(page)).toContain("file_path");
    const seq = await page.locator(".detail-inside").getAttribute("data-detail");
    await page.keyboard.press("ArrowUp");
    await page.waitForSelector(`.detail-inside:not([data-detail='${seq}'])`);
    await page.setViewportSize({ width: 900, height: 800 });
    await expect.poll(() => page.locator(".detail").count()).toBe(0);
    expectNoComplaints(page);
  });
});

describe("a run under way", () => {
  it("shows a command while it runs, counts it, and says when the model is waited for", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, calls("a", "Read", { file_path: "/repo/a.ts" }), returns("a", "text")],
      [calls("b", "Bash", { command: "make it" })],
      [returns("b", "made"), finish],
    ]);
    const page = await open(server);
    runElsewhere(server, agent.binary, "watched");
    await page.waitForSelector(".run-line .latest:text-is('Waiting for the model')");
    await page.click(".run-line:has-text('watched') .run-link");
    await page.waitForSelector(".waiting:has-text('waiting for the model 0:')");
    agent.open(1);
    await page.waitForSelector(".item.command:has-text('Running') .sign.running");
    await page.waitForSelector(".item.command .took.so-far");
    await page.waitForSelector(".tiles div:has-text('Commands'):has-text('1 running')");
    await expect.poll(() => page.locator(".waiting").count()).toBe(0);
    agent.open(2);
    await page.waitForSelector(".item.command:has-text('Ran') .sign.completed");
    await page.waitForSelector(".badge.completed");
    expect(await page.locator(".waiting").count()).toBe(0);
    await page.waitForSelector(".item.end");
  });
});

describe("raw lines", () => {
  it("are searched, gone to by number, and pretty printed, one or all", async () => {
    const server = await serve();
    writeRecording(server.directory, "long", { agent: "claude", lines: claudeLines(3000) });
    const page = await open(server, "#/run/long/raw");
    await page.waitForSelector(".raw-line pre");
    await page.keyboard.press("/");
    await page.keyboard.type("OUTPUT 777");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".raw-line.current pre:has-text('output 777')");
    await page.fill("[aria-label='Search raw lines']", "nowhere at all");
    await page.click("button:text-is('Next')");
    await page.waitForSelector(".toast:has-text('No line has this text')");
    await page.fill(".line-field", "42");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".raw-line.current[data-line='42']");
    await page.click(".raw-line.current button:text-is('pretty')");
    await page.waitForSelector(".raw-line.current pre.json .key");
    expect(await page.locator("pre.json").count()).toBe(1);
    await page.click("button:text-is('Pretty print')");
    await expect.poll(() => page.locator("pre.json").count()).toBeGreaterThan(1);
    expectNoComplaints(page);
  });
});
