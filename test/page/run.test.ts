import { describe, expect, it } from "vitest";
import { record } from "../server/support.js";
import { begin, calls, finish, gatedAgent, returns, runElsewhere, says } from "./gated-agent.js";
import { clipboard, expectNoComplaints, narrow, open, serve, useBrowser } from "./support.js";

useBrowser();

describe("a run", () => {
  it("is shown as it happens: a call runs, then is done or failed, with its time", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, says("Let me look."), calls("a", "Bash", { command: "npm test" })],
      [
        returns("a", "Exit code 3\nno", true),
        calls("b", "Read", { file_path: "/repo/a.ts", offset: 10, limit: 5 }),
      ],
      [returns("b", "text"), says("Done."), finish],
    ]);
    const page = await open(server);
    runElsewhere(server, agent.binary, "live");
    await page.click(".run-line:has-text('live') .run-link");
    await page.waitForSelector(".item.call .sign.running");
    expect(await page.locator(".item.message").textContent()).toContain("Let me look.");
    await page.waitForSelector("button[aria-pressed='true']:has-text('Follow')");
    agent.open(1);
    await page.waitForSelector(".item.command .sign.failed");
    expect(await page.locator(".item.command").textContent()).toMatch(/npm test.*exit 3/);
    agent.open(2);
    await page.waitForSelector(".item.read .sign.completed");
    expect(await page.locator(".item.read").textContent()).toMatch(/a\.ts:10-14.*\d+(\.\d+)? m?s/);
    await page.waitForSelector(".badge.completed");
    await page.waitForSelector(".item.end:has-text('Completed')");
    expectNoComplaints(page);
  });

  it("unfolds input and output as text, diff and JSON", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    const page = await open(server, `#/run/${id}/timeline`, narrow);
    const edit = page.locator(".item.write", { hasText: "Edited" }).last();
    await edit.locator(".head").click();
    await edit.locator(".diff .added").first().waitFor();
    await edit.locator(".value").first().locator("button:has-text('JSON')").click();
    await edit.locator("pre.json .key").first().waitFor();
    await edit.locator(".value").first().locator("button:has-text('Text')").click();
    await edit.locator(".fields").waitFor();
    expectNoComplaints(page);
  });

  it("nests what subagents did, and folds it away", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "subagent");
    const page = await open(server, `#/run/${id}`);
    await page.waitForSelector(".item.subagent");
    const inside = page.locator(".item:has(.rail)");
    await expect.poll(() => inside.count()).toBeGreaterThan(0);
    await page.click(".item.subagent .steps");
    await expect.poll(() => inside.count()).toBe(0);
  });

  it("folds and unfolds subagents by keyboard, from their call or from any of their steps", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "subagent");
    const page = await open(server, `#/run/${id}`);
    await page.waitForSelector(".item:has(.rail)");
    const inside = page.locator(".item:has(.rail)");
    await page.keyboard.press("g");
    while ((await page.locator(".item.current:has(.rail)").count()) === 0) await page.keyboard.press("j");
    await page.keyboard.press("h");
    await expect.poll(() => inside.count()).toBe(0);
    await page.waitForSelector(".item.subagent.current .steps[aria-expanded='false']");
    await page.keyboard.press("l");
    await expect.poll(() => inside.count()).toBeGreaterThan(0);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => inside.count()).toBe(0);
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => inside.count()).toBeGreaterThan(0);
  });

  it("goes on where it was when the server is killed and started again", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, says("Before.")],
      [calls("a", "Bash", { command: "make it" })],
      [returns("a", "made"), says("After."), finish],
    ]);
    const page = await open(server);
    runElsewhere(server, agent.binary, "outlives the server");
    await page.click(".run-line:has-text('outlives') .run-link");
    await page.waitForSelector(".item.message:has-text('Before.')");
    const hasAsked = page.waitForRequest((request) => request.url().includes("/stream"));
    await server.close();
    await page.waitForSelector(".banner:has-text('does not answer')");
    agent.open(1);
    await serve(server.home, server.port);
    await hasAsked;
    await page.waitForSelector(".item.call .sign.running");
    agent.open(2);
    await page.waitForSelector(".badge.completed");
    await page.waitForSelector(".item.end:has-text('Completed')");
    expect(await page.locator(".item.message").allInnerTexts()).toEqual([
      expect.stringContaining("Before."),
      expect.stringContaining("After."),
    ]);
    expect(await page.locator(".item.command").count()).toBe(1);
  });

  it("says whose figure its cost is", async () => {
    const server = await serve();
    const told = await record(server.directory, "claude", "text");
    const estimated = await record(server.directory, "codex", "text", { model: "gpt-5.6-terra" });
    const page = await open(server);
    const costOf = (id: string) => page.locator(`[data-run='${id}'] .number[title^='Cost']`);
    await expect.poll(() => costOf(told).textContent()).toMatch(/^\$/);
    expect(await costOf(told).getAttribute("title")).toContain("reported by the agent");
    await expect.poll(() => costOf(estimated).textContent()).toMatch(/^~\$/);
    expect(await costOf(estimated).getAttribute("title")).toContain("estimated");
    await page.click(`[data-run='${estimated}'] .run-link`);
    await page.waitForSelector(".tiles div:has-text('Cost') small:has-text('estimated')");
    await page.keyboard.press("3");
    await page.waitForSelector("figcaption:has-text('estimated from the model’s price')");
  });

  it("leads from an event to its raw line, and back", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "subagent");
    const page = await open(server, `#/run/${id}`, narrow);
    await page.locator(".item.call .head").first().click();
    const seq = await page.locator(".item.open").getAttribute("data-seq");
    const link = page.locator(".item.open .actions a");
    const line = ((await link.textContent()) ?? "").replace(/\D/g, "");
    await link.click();
    await page.waitForSelector(`.raw-line.current[data-line='${line}']`);
    expect(page.url()).toContain(`/raw/${line}`);
    await expect.poll(() => page.locator(".raw-line.current pre").textContent()).toContain("tool_use");
    await page.locator(".raw-line.current .raw-about a").click();
    await page.waitForSelector(`.item.current[data-seq='${seq}']`);
    await page.keyboard.press("r");
    await page.waitForSelector(`.raw-line.current[data-line='${line}']`);
    await page.keyboard.press("r");
    await page.waitForSelector(`.item.current[data-seq='${seq}']`);
    await page.keyboard.press("4");
    await page.waitForSelector(".raw-about:has-text('no event:')");
    await page.keyboard.press("G");
    await page.waitForSelector(".stream.exit");
  });

  it("is filtered by kind and searched", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "shell");
    const page = await open(server, `#/run/${id}`);
    await page.waitForSelector(".item.message");
    await page.click(".kind.message");
    await expect.poll(() => page.locator(".item.message").count()).toBe(0);
    await page.click(".kind.message");
    await page.fill("[aria-label='Search this run']", "no such words anywhere");
    await page.waitForSelector("text=Nothing matches.");
  });

  it("is copied as JSON and as Markdown, an entry or the whole", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    const page = await open(server, `#/run/${id}/timeline`);
    await page.waitForSelector(".item.call");
    await page.keyboard.press("g");
    while ((await page.locator(".item.current.call").count()) === 0) await page.keyboard.press("j");
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toContain('"tool_start"');
    const events = JSON.parse(await clipboard(page));
    expect(events.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["tool_start", "tool_end"]),
    );
    await page.keyboard.press("m");
    await expect.poll(() => clipboard(page)).toMatch(/^- |<details>|\*\*/);
    await page.click(".menu summary");
    await page.click("button:has-text('Copy JSON')");
    await expect.poll(async () => (await clipboard(page)).split("\n").length).toBeGreaterThan(10);
    await page.click(".menu summary");
    await page.click("button:has-text('Copy Markdown')");
    await expect.poll(() => clipboard(page)).toContain("files of claude");
    expectNoComplaints(page);
  });

  it("is linked to by event: a deep link opens it there", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    const page = await open(server, `#/run/${id}/timeline`);
    const seq = await page.locator(".item.call").nth(1).getAttribute("data-seq");
    const other = await open(server, `#/run/${id}/timeline/${seq}`, narrow);
    await other.waitForSelector(`.item.current.open[data-seq='${seq}']`);
    expect(other.url()).toContain(`/timeline/${seq}`);
    await other.keyboard.press("k");
    expect(other.url()).not.toContain(`/timeline/${seq}`);
  });

  it("that is not there says so", async () => {
    const page = await open(await serve(), "#/run/nobody");
    await page.waitForSelector("text=This run cannot be shown");
  });
});
