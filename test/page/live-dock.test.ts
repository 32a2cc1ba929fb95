import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { open as openSession } from "../../src/live/open.js";
import type { SessionHere } from "../../src/server/protocol.js";
import { violations } from "./axe.js";
import { expectNoComplaints, open, serve, type TestPage, type TestServer, useBrowser } from "./support.js";

useBrowser();

const liveClaude = fileURLToPath(new URL("../server/live-claude.mjs", import.meta.url));

async function serveLive(): Promise<TestServer> {
  const server = await serve();
  writeFileSync(
    join(server.home, "harness.toml"),
    `[agents.claude]\nbinary = ${JSON.stringify(liveClaude)}\n`,
  );
  return server;
}

/** Starts a live session as a user does. */
async function startLive(page: TestPage, prompt: string): Promise<void> {
  await page.keyboard.press("s");
  await page.waitForSelector("dialog option", { state: "attached" });
  await page.selectOption("dialog select[name=agent]", "claude");
  await page.click("dialog label:has-text('Live session')");
  await page.fill("dialog textarea", prompt);
  await page.click("dialog button:has-text('Start')");
  await page.waitForSelector(".composer");
}

/** A card takes no keys in its first moment. */
const settled = async (page: TestPage): Promise<void> =>
  void (await page.waitForSelector(".request-card.ready"));

const write = ".composer textarea";
const fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

describe("a live session on the page", () => {
  it("asks with cards, and is answered by keys: a command, an edit, a reason", async () => {
    const server = await serveLive();
    const page = await open(server);
    await startLive(page, "run rm -rf build && make");
    await page.waitForSelector(".request-card .command:has-text('rm -rf build && make')");
    await expect.poll(() => page.title()).toMatch(/^1 waiting · run rm/);
    expect(await violations(page)).toEqual([]);
    await settled(page);
    await page.keyboard.press("y");
    await page.waitForSelector(".said:has-text('Allowed.')");
    await page.waitForSelector(".request-card", { state: "detached" });
    await expect.poll(() => page.title()).not.toContain("waiting");

    await page.keyboard.press("i");
    await page.keyboard.type("edit");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".request-card .diff .removed:has-text('Hello')");
    await page.waitForSelector(".request-card .diff .added:has-text('Good morning')");
    expect(await page.inputValue(write)).toBe("");
    await page.keyboard.press("Escape");
    await settled(page);
    await page.keyboard.press("e");
    await page.keyboard.type("say Hi instead");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".said:has-text('Denied: ')");
    await page.waitForSelector(".said:has-text('say Hi instead')");
    expectNoComplaints(page);
  });

  it("has questions and plans, a queue, an interrupt by Escape twice, and an end that can be continued", async () => {
    const server = await serveLive();
    const page = await open(server, "", { viewport: { width: 390, height: 800 } });
    await startLive(page, "question");
    await page.click(".questions label:has-text('Blue')");
    await page.fill(".questions fieldset:has-text('Which name?') .own-answer", "Ada");
    expect(await page.evaluate(fits)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await page.click(".questions button:has-text('Answer')");
    await page.waitForSelector(`.said:has-text('"Which name?":"Ada"')`);

    await page.fill(write, "plan");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".request-card.plan h1:has-text('The plan')");
    await page.click(".request-card button:has-text('Deny') >> nth=0");
    await page.waitForSelector(".request-card", { state: "detached" });

    await page.fill(write, "wait");
    await page.keyboard.press("Enter");
    await page.waitForSelector("button:has-text('Interrupt')");
    await page.fill(write, "after that");
    await page.click("button:has-text('Queue')");
    await page.waitForSelector(".queue li:has-text('after that')");
    await page.keyboard.press("Escape");
    await page.waitForSelector("text=Press Esc again to interrupt");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".said:has-text('after that')");
    await page.click("button:has-text('End session')");
    await page.click("button:has-text('Continue this session')");
    await page.fill(write, "go on");
    const before = page.url();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href !== before);
    await page.waitForSelector(".said:has-text('go on')");
    expectNoComplaints(page);
  });

  it("that another process began is answered here, and a card closes when it was answered there", async () => {
    const server = await serveLive();
    const session = openSession({
      agent: "claude",
      binary: liveClaude,
      permissions: "ask",
      cwd: server.home,
      sessionsDirectory: server.directory,
    });
    onTestFinished(async () => void (await session.close()));
    void (async () => {
      for await (const _ of session);
    })();
    session.send("run one");
    const page = await open(server);
    await page.waitForSelector(".run-line .waits:has-text('waits for you')");
    await page.click(".run-line .run-link");
    await page.waitForSelector(".request-card .command:has-text('one')");
    await page.click(".request-card [data-key=y]");
    await page.waitForSelector(".said:has-text('Allowed.')");
    session.send("run two");
    await page.waitForSelector(".request-card .command:has-text('two')");
    const [request] = session.requests;
    session.answer(request?.requestId ?? "", { allow: false });
    await page.waitForSelector(".request-card", { state: "detached" });
    expectNoComplaints(page);
  });
});

describe("a web page in the same browser", () => {
  it("cannot answer a request, even with the cookie", async () => {
    const server = await serveLive();
    const page = await open(server);
    await startLive(page, "run make");
    await page.waitForSelector(".request-card");
    const { hash } = new URL(page.url());
    const id = hash.replace("#/run/", "");
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await fetch(`${server.origin}/api/runs/${id}/session`, { headers });
    const { requests }: SessionHere = JSON.parse(await answer.text());
    const child = spawn(process.execPath, ["-e", otherSite], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill());
    const port = await new Promise<string>((resolve) =>
      child.stdout.once("data", (data) => resolve(String(data).trim())),
    );
    const evil = await page.context().newPage();
    await evil.goto(`http://127.0.0.1:${port}/`);
    const target = `${server.origin}/api/runs/${id}/session/answer`;
    const body = JSON.stringify({ requestId: requests[0], answer: { allow: true } });
    // Its cookie goes along: browsers share cookies between ports.
    const tried = await evil.evaluate(`(async () => {
      const seen = [];
      for (const mode of ["cors", "no-cors"]) {
        const options = { method: "POST", mode, credentials: "include", body: ${JSON.stringify(body)} };
        seen.push(await fetch(${JSON.stringify(target)}, options).then((answer) => answer.type, () => "refused"));
      }
      const form = document.createElement("form");
      form.method = "post"; form.enctype = "text/plain"; form.action = ${JSON.stringify(target)};
      form.innerHTML = '<input name="x" value="y">';
      document.body.append(form);
      form.submit();
      return seen;
    })()`);
    expect(tried).toEqual(["refused", "refused"]);
    await evil.waitForLoadState();
    await evil.close();
    expect(await page.locator(".request-card").count()).toBe(1);
    await page.click(".request-card [data-key=n]");
    await page.waitForSelector(".said:has-text('Denied')");
  });
});

const otherSite = `
  const server = require("node:http").createServer((_, answer) => answer.setHeader("content-type", "text/html").end("<body>"));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;
