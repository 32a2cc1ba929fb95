import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordings } from "../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { program } from "../cli/harness.js";
import { record } from "../server/support.js";
import { capturesDirectory } from "../support/captures.js";
import { begin, calls, finish, gatedAgent, runElsewhere, says } from "./gated-agent.js";
import { hostileLines, writeRecording } from "./recordings.js";
import { expectNoComplaints, open, serve, type TestPage, useBrowser } from "./support.js";

useBrowser();

describe("the overview", () => {
  it("shows calls over time, tokens, cost, files and commands, and leads to events; old links to pictures work", async () => {
    const server = await serve();
    const id = await record(server.directory, "opencode", "shell");
    const page = await open(server, `#/run/${id}/pictures`);
    await page.waitForSelector("svg .bar");
    await page.waitForSelector("svg .tokens.input");
    await page.waitForSelector("figcaption:has-text('reported by the agent')");
    await expect.poll(() => page.locator(".commands tbody tr").count()).toBeGreaterThan(0);
    await page.locator(".commands .link").first().click();
    await page.waitForSelector(".item.current");
    await page.keyboard.press("3");
    await page.locator("svg a").first().click();
    await page.waitForSelector(".item.current");
    expectNoComplaints(page);
  });

  it("shows which files were read and written, as a tree", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "files");
    const page = await open(server, `#/run/${id}/overview`);
    await page.waitForSelector(".files .writes");
    expect(await page.locator(".touched .files").textContent()).toMatch(/\d+ W/);
  });
});

describe("comparing", () => {
  it("puts two runs side by side", async () => {
    const server = await serve();
    await record(server.directory, "claude", "files");
    await record(server.directory, "codex", "files");
    const page = await open(server);
    await page.waitForSelector(".run-line");
    for (const agent of ["claude", "codex"])
      await page.check(`.run-line:has-text('files of ${agent}') input`);
    await page.click(".choice button:has-text('Compare')");
    await page.waitForSelector("text=Two runs compared");
    for (const label of ["Outcome", "Duration", "Tokens", "Files changed", "Commands"])
      await page.waitForSelector(`th:text-is('${label}')`);
    await expect.poll(() => page.locator(".side-head .badge.completed").count()).toBe(2);
    expect(page.url()).toContain("#/compare/");
    expectNoComplaints(page);
  });
});

describe("starting a run from the page", () => {
  it("is watched and cancelled there", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [
      [begin, says("Working."), calls("a", "Bash", { command: "sleep" })],
      [],
    ]);
    writeFileSync(join(server.home, "harness.toml"), `[agents.claude]\nbinary = "${agent.binary}"\n`);
    const page = await open(server);
    await page.click("button:has-text('New run')");
    await page.selectOption("dialog select[name='agent']", "claude");
    await page.fill("dialog textarea", "From the page");
    await page.click("dialog button:has-text('Start')");
    await page.waitForSelector(".item.call .sign.running");
    await page.click("button:has-text('Cancel')");
    await page.waitForSelector(".badge.cancelled");
    expectNoComplaints(page);
  });

  // The run is killed after two seconds. A busy machine may not get to draw the other page within them.
  it("says that it is being stopped, here and where others look at it, and offers to kill it", {
    retry: 3,
  }, async () => {
    const server = await serve();
    const binary = program(`
      for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => undefined);
      console.log(${JSON.stringify(JSON.stringify(begin))});
      setInterval(() => undefined, 1000);
    `);
    writeFileSync(join(server.home, "harness.toml"), `[agents.claude]\nbinary = "${binary}"\n`);
    const page = await open(server);
    const other = await open(server);
    await page.click("button:has-text('New run')");
    await page.selectOption("dialog select[name='agent']", "claude");
    await page.fill("dialog textarea", "Takes no notice");
    await page.click("dialog button:has-text('Start')");
    await page.waitForSelector(".badge.running:text-is('Running')");
    const seenElsewhere = other.waitForSelector(".run-line .latest:has-text('Stopping…')");
    await page.click("button:has-text('Cancel')");
    await page.waitForSelector(".badge.running:text-is('Stopping…') ~ button:text-is('Kill')");
    await seenElsewhere;
    await page.waitForSelector(".badge.cancelled");
    expectNoComplaints(page);
  });

  it("and one that was started elsewhere says why it is being stopped", async () => {
    const server = await serve();
    const binary = program(`
      for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => undefined);
      console.log(${JSON.stringify(JSON.stringify(begin))});
      setInterval(() => undefined, 1000);
    `);
    const page = await open(server);
    runElsewhere(server, binary, "takes too long", ["--timeout", "4"]);
    await page.click(".run-line:has-text('takes too long') .run-link");
    await page.waitForSelector(".badge.running:text-is('Stopping (time limit)…')");
    await page.waitForSelector(".badge.timed_out");
    expectNoComplaints(page);
  });

  it("begins with what the configuration of its directory says", async () => {
    const server = await serve();
    const agent = gatedAgent(server.home, [[begin, says("Reading."), finish]]);
    const project = join(server.home, "project");
    mkdirSync(project);
    writeFileSync(
      join(project, "harness.toml"),
      `default_agent = "claude"\ndefault_permissions = "read-only"\n[agents.claude]\nbinary = "${agent.binary}"\nmodel = "fast"\n[models.fast]\nclaude = "model-for-claude"\n`,
    );
    const page = await open(server);
    await page.keyboard.press("s");
    await page.waitForSelector("dialog option", { state: "attached" });
    await page.fill("dialog input[name='cwd']", project);
    await page.press("dialog input[name='cwd']", "Tab");
    await page.waitForSelector("dialog input[placeholder='model-for-claude']");
    expect(await page.inputValue("dialog select[name='agent']")).toBe("claude");
    expect(await page.inputValue("dialog select[name='permissions']")).toBe("read-only");
    await page.fill("dialog textarea", "Read it");
    await page.click("dialog button:has-text('Start')");
    await page.waitForSelector(".badge.completed");
    const [only] = await recordings.list({ directory: server.directory });
    expect(only?.meta).toMatchObject({ permissions: "read-only", cwd: project });
    expect(only?.meta.argv.join(" ")).toContain("model-for-claude");
  });

  it("says what of a project's file is not trusted, and takes none of it", async () => {
    const server = await serve(undefined, 0, { trust: false });
    const project = join(server.home, "clone");
    mkdirSync(project);
    writeFileSync(
      join(project, "harness.toml"),
      'default_permissions = "read-only"\n[agents.evil]\nmodule = "./evil.mjs"\n[agents.claude]\nbinary = "./evil"\n',
    );
    const page = await open(server);
    await page.keyboard.press("s");
    await page.waitForSelector("dialog option", { state: "attached" });
    await page.fill("dialog input[name='cwd']", project);
    await page.press("dialog input[name='cwd']", "Tab");
    const notice = page.locator("dialog .note[role='status']");
    await notice.waitFor();
    expect(await notice.textContent()).toContain("not in effect: agents.evil.module, agents.claude.binary");
    expect(await notice.textContent()).toContain(`harness trust ${project}`);
    expect(await page.inputValue("dialog select[name='permissions']")).toBe("read-only");
    expect(await page.locator("dialog option[value='evil']").count()).toBe(0);
    expectNoComplaints(page);
  });

  it("that cannot be started says why, and keeps what was written", async () => {
    const server = await serve();
    const page = await open(server);
    await page.waitForSelector(".connection.open");
    await page.keyboard.press("s");
    await page.waitForSelector("dialog option", { state: "attached" });
    await page.fill("dialog textarea", "Keep these words");
    writeFileSync(join(server.home, "harness.toml"), "nonsense = 1\n");
    await page.click("dialog button:has-text('Start')");
    await page.waitForSelector("dialog .failure:has-text('nonsense')");
    expect(await page.inputValue("dialog textarea")).toBe("Keep these words");
  });
});

describe("importing", () => {
  it("a native log that is dropped is recognised and shown, and its lines are there", async () => {
    const page = await open(await serve());
    const text = readFileSync(`${capturesDirectory}codex/shell/stdout.jsonl`, "utf8");
    await drop(page, "codex.log", text);
    await page.waitForSelector("dialog:has-text('own output')");
    expect(await page.inputValue("dialog select")).toBe("codex");
    await page.click("dialog button:has-text('Show')");
    await page.waitForSelector(".item.command");
    await page.keyboard.press("4");
    await page.waitForSelector(".raw-line[data-line='1'] pre:has-text('thread.started')");
    expectNoComplaints(page);
  });

  it("a log can be chosen instead of dropped", async () => {
    const page = await open(await serve());
    await page.waitForSelector(".connection.open");
    const chooser = page.waitForEvent("filechooser");
    await page.click("button:has-text('Open log')");
    await (await chooser).setFiles(`${capturesDirectory}pi/text/stdout.jsonl`);
    await page.waitForSelector("dialog:has-text('own output')");
    expect(await page.inputValue("dialog select")).toBe("pi");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".item.message");
  });

  it("a hostile log harms nothing, and shows what it is", async () => {
    const page = await open(await serve());
    await drop(
      page,
      "<img src=x onerror=alert(1)>.log",
      [...hostileLines(), "\u0000\ufffd", "{".repeat(2000)].join("\n"),
    );
    await page.waitForSelector("dialog:has-text('own output')");
    await page.click("dialog button:has-text('Show')");
    await page.waitForSelector(".failure-panel");
    await page.keyboard.press("2");
    await page.waitForSelector(".item.end");
    expect(await page.evaluate("window.harmed")).toBeUndefined();
    expect(await page.locator("main img, main script, main iframe").count()).toBe(0);
    expectNoComplaints(page);
  });

  it("a raw.jsonl keeps its times and its end", async () => {
    const server = await serve();
    const id = await record(server.directory, "claude", "api401");
    const page = await open(server);
    await drop(page, "raw.jsonl", readFileSync(recordingPaths(server.directory, id).raw, "utf8"));
    await page.waitForSelector("dialog:has-text('of a recording')");
    expect(await page.inputValue("dialog select")).toBe("claude");
    await page.click("dialog button:has-text('Show')");
    await page.waitForSelector(".badge.failed");
    await page.waitForSelector(".failure-panel .failure-kind:has-text('auth')");
    await page.waitForSelector(".failure-next:has-text('Set ANTHROPIC_API_KEY')");
    expect(await page.locator("button:has-text('Run again')").count()).toBe(0);
  });
});

/** As if a file had been dragged here. */
async function drop(page: TestPage, name: string, text: string): Promise<void> {
  await page.waitForSelector(".connection.open");
  const transfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return data;
  })()`);
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.waitForSelector(".drop-zone");
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

describe("replay", () => {
  it("shows the run as it was at any moment, forth and back, and plays on from there", async () => {
    const server = await serve();
    const lines = [begin, ...Array.from({ length: 8 }, (_, n) => says(`message ${n}`))].map((line) =>
      JSON.stringify(line),
    );
    writeRecording(server.directory, "paced", { agent: "claude", lines, stepMs: 1000 });
    const page = await open(server, "#/run/paced");
    await page.waitForSelector(".item.end");
    expect(await page.locator(".badge.replaying").count()).toBe(0);
    await page.keyboard.press("p");
    await page.waitForSelector(".badge.replaying");
    await page.click("button[aria-label='Pause']");
    const moment = page.locator("input[type='range']");
    await moment.fill("6000");
    await page.waitForSelector("text=message 5");
    await expect.poll(() => page.locator("text=message 6").count()).toBe(0);
    await moment.fill("3000");
    await expect.poll(() => page.locator(".item.message").count()).toBe(3);
    await page.click("button[aria-label='Play']");
    await page.fill(".speed", "5000");
    await page.waitForSelector(".item.end");
    await page.click("[aria-label='Close the replay']");
    await page.waitForSelector(".item.end");
    await expect.poll(() => page.locator(".replay, .badge.replaying").count()).toBe(0);
    expectNoComplaints(page);
  });
});
