import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { claudeLines, hostileLines, writeRecording } from "./recordings.js";
import { expectNoComplaints, narrow, open, serve, type TestPage, useBrowser } from "./support.js";

useBrowser();

/** Everything that a timeline shows: each entry is unfolded, in every view, and folded again. */
async function readAll(page: TestPage): Promise<string> {
  let shown = "";
  const current = page.locator(".item.current");
  // The space bar and Enter belong to a button that was clicked, until it loses the focus.
  const leave = (): Promise<unknown> => page.evaluate("document.activeElement.blur()");
  await leave();
  await page.keyboard.press("g");
  for (;;) {
    await current.waitFor();
    const seq = await current.getAttribute("data-seq");
    if ((await current.locator(".head").count()) > 0) {
      await page.keyboard.press("Enter");
      await current.locator(".actions").waitFor();
      for (const view of await current.locator(".view-choice button[aria-pressed]").all()) {
        await view.click();
        shown += await current.textContent();
      }
      await leave();
    }
    shown += await current.textContent();
    if ((await page.locator(".item.end.current").count()) > 0) return shown;
    if ((await page.locator(".item.current.open").count()) > 0) await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await page.waitForSelector(`.item.current:not([data-seq='${seq}'])`);
  }
}

describe("hostile output", () => {
  it("is text wherever it is shown: nothing runs, nothing is fetched, nothing is hidden", async () => {
    const server = await serve();
    const prompt = "<script>window.harmed = 9</script>";
    writeRecording(server.directory, "hostile", { agent: "claude", lines: hostileLines(), prompt });
    const page = await open(server, "", narrow);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.click(".run-line .run-link");
    await page.waitForSelector(".item.end");
    await page.click(".kind.unknown");
    const shown = await readAll(page);
    await page.locator(".item.unknown .head", { hasText: "xxxx" }).click();
    await page.waitForSelector("text=characters left out");
    expect(shown).toContain("<script>window.harmed");
    expect(shown).toContain("[U+202E]");
    expect(shown).not.toMatch(/[\u001b\u202e\u2066\u0008]/);
    expect(await page.locator("main a[href^='javascript']").count()).toBe(0);
    expect(await page.locator("main img, main script, main iframe").count()).toBe(0);
    await page.keyboard.press("3");
    await page.waitForSelector(".commands");
    await page.keyboard.press("4");
    await page.waitForSelector(".raw-line");
    await page.keyboard.press("G");
    await page.waitForSelector(".raw-line .stream.exit");
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(asked.filter((url) => !url.startsWith(server.origin))).toEqual([]);
    expectNoComplaints(page);
  });

  it("a line of 5 MB is shown in parts, and whole when asked for", async () => {
    const server = await serve();
    writeRecording(server.directory, "hostile", { agent: "claude", lines: hostileLines() });
    const page = await open(server, "#/run/hostile/raw/14");
    await page.click("button:has-text('show all 5')");
    await page.waitForSelector("text=The first 500,000 characters are shown.");
    expectNoComplaints(page);
  });

  it("the page's own policy would stop what came through", async () => {
    const page = await open(await serve());
    await page.waitForSelector(".connection.open");
    const outcome = await page.evaluate(`(async () => {
      const script = document.createElement("script");
      let isStopped = false;
      try { script.textContent = "window.harmed = 1"; document.body.append(script); } catch { isStopped = true; }
      try { document.body.insertAdjacentHTML("beforeend", "<b>x</b>"); } catch { isStopped = true; }
      const fetched = await fetch("http://localhost:9/").then(() => true, () => false);
      return { isStopped, fetched, harmed: window.harmed };
    })()`);
    expect(outcome).toEqual({ isStopped: true, fetched: false, harmed: undefined });
  });

  it("the token is gone from the address, and no request tells where it came from", async () => {
    const server = await serve();
    const asked: (string | undefined)[] = [];
    const referers: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      if (request.url === "/") referers.push(request.headers.referer);
      response.setHeader("content-type", "text/html");
      response.end(`<a href="${server.url}">a link in a terminal of another site</a>`);
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const elsewhere = `http://localhost:${(other.address() as AddressInfo).port}/`;
    const page = await open(server);
    page.on("request", (request) => asked.push(request.headers()["referer"]));
    await page.context().clearCookies();
    await page.goto(elsewhere);
    await page.click("a");
    await page.waitForSelector(".connection.open");
    expect(page.url()).toBe(`${server.origin}/`);
    expect(asked.filter((each) => each?.includes(server.token))).toEqual([]);
    await page.evaluate(`location.href = ${JSON.stringify(elsewhere)}`);
    await page.waitForSelector("text=a link in a terminal");
    expect(referers.at(-1)).toBeUndefined();
    await page.goBack();
    expect(page.url()).not.toContain(server.token);
  });

  it("another site cannot read, start or frame anything with the user's cookie", async () => {
    const server = await serve();
    writeRecording(server.directory, "secret", { agent: "claude", lines: claudeLines(3) });
    const page = await open(server);
    await page.waitForSelector("text=secret");
    const other = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe src="${server.origin}/"></iframe>`);
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const evil = await page.context().newPage();
    await evil.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const outcome = await evil.evaluate(`(async () => {
      const get = await fetch("${server.origin}/api/runs", { credentials: "include" }).then((r) => r.text(), () => "refused");
      const post = await fetch("${server.origin}/api/runs", { method: "POST", mode: "no-cors", credentials: "include", body: JSON.stringify({ agent: "generic", prompt: "x" }) }).then((r) => r.type, () => "refused");
      return { get, post };
    })()`);
    expect(outcome).toMatchObject({ get: "refused" });
    expect(evil.frames().at(-1)?.url()).not.toContain(`${server.port}/`);
    const rows = await page.locator(".run-line").count();
    expect(rows).toBe(1);
  });
});

describe("a run of 200,000 events", () => {
  it("is shown at once, walked from end to end, searched, and keeps few elements", async () => {
    const server = await serve();
    writeRecording(server.directory, "large", { agent: "claude", lines: claudeLines(200_000) });
    const page = await open(server, "#/run/large");
    await page.waitForSelector(".item.command");
    await page.waitForSelector(".tiles dd:has-text('200,0')", { timeout: 60_000 });
    expect(await page.locator(".item").count()).toBeLessThan(100);
    const goToEnd = async (): Promise<number> => {
      await page.keyboard.press("G");
      return page.locator(".item.end.current").count();
    };
    await expect.poll(goToEnd, { timeout: 60_000 }).toBe(1);
    await page.keyboard.press("k");
    await page.waitForSelector(".item.command.current:has-text('target-66666')");
    await page.keyboard.press("r");
    await page.waitForSelector(".raw-line.current pre:has-text('call-66666')");
    await page.keyboard.press("r");
    await page.fill("[aria-label='Search this run']", "target-33333");
    await expect.poll(() => page.locator(".item").count(), { timeout: 10_000 }).toBe(1);
    expectNoComplaints(page);
  }, 120_000);
});
