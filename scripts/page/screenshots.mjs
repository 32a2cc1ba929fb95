/**
 * Takes a picture of every main state of the page, in three sizes and in both colours:
 *   npm run build && node scripts/page/screenshots.mjs FOLDER [part of a name, or several with commas]
 * A picture's name is STATE-WIDTH-COLOURS, such as run-1280-light.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { open, run } from "../../dist/index.js";
import { startServer } from "../../dist/server/server.js";
import { batchesDirectory, writeBatches, writeLargeBatch } from "./batches.mjs";
import { findBrowser } from "./find-browser.mjs";
import { capture, shelfDirectory, writeShelf } from "./recordings.mjs";

const [folder = "screenshots", wanted = ""] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), "harness-shelf-"));
const directory = shelfDirectory(home);
const project = join(home, "workspace", "compiler");
mkdirSync(project, { recursive: true });
mkdirSync(folder, { recursive: true });
const shelf = writeShelf(directory);
const batches = batchesDirectory(home);
const batch = writeBatches(batches, shelf);
writeLargeBatch(batches);
const server = await startServer({
  port: 0,
  directory,
  batchesDirectory: batches,
  cwd: home,
  keyPath: join(home, "key"),
});

/** A run that stays under way: the beginning of a real one, and then silence. */
const lines = capture("claude", "subagents-parallel").flatMap(({ stream, line }) =>
  stream === "stdout" ? [line] : [],
);
const agent = join(home, "agent.cjs");
const beginning = lines.slice(0, Math.floor(lines.length * 0.6));
writeFileSync(
  agent,
  `#!/usr/bin/env node\nfor (const line of ${JSON.stringify(beginning)}) console.log(line);\nsetInterval(() => {}, 1000);\n`,
  { mode: 0o755 },
);
const live = run({
  agent: "claude",
  prompt: "Review the parser and the renderer at the same time, one subagent for each",
  cwd: project,
  binary: agent,
  sessionsDirectory: directory,
  graceMs: 600_000,
});

/** Live sessions that ask something, by a program that speaks as Claude Code does. */
const asking = ["run npm publish --dry-run && npm test", "edit", "question", "plan", "wait"].map((prompt) => {
  const session = open({
    agent: "claude",
    binary: fileURLToPath(new URL("../../test/server/live-claude.mjs", import.meta.url)),
    permissions: "ask",
    cwd: project,
    sessionsDirectory: directory,
  });
  void (async () => {
    for await (const _ of session);
  })();
  session.send("Hello! Which of the tests are slow?");
  session.send(prompt);
  return session;
});
const [askingCommand, askingEdit, askingQuestion, askingPlan, working] = asking;

async function showFailedCell(page) {
  const { id } = await page.evaluate(() => ({
    id: document.querySelector(".grid-line .square.failed").dataset.cell,
  }));
  await page.evaluate((cell) => {
    location.hash += `/${cell}`;
  }, id);
  await page.waitForSelector(".cell-files");
}

/** What to look at, by name: an address, and what to do there. */
const states = {
  runs: { at: "#/", wait: ".run-line .latest" },
  "runs-chosen": {
    at: "#/",
    async act(page) {
      for (const id of [shelf.claude, shelf.codex]) await page.check(`[data-run='${id}'] input`);
      await page.keyboard.press("j");
    },
  },
  "runs-none": { at: "#/?q=nothing+like+this", wait: ".empty" },
  running: { at: `#/run/${live.runId}`, wait: ".sign.running" },
  run: { at: `#/run/${shelf.claude}/timeline` },
  diff: {
    at: `#/run/${shelf.edits}/timeline`,
    async act(page) {
      await page.locator(".item.write .head", { hasText: "Edited" }).last().click();
      await page.waitForSelector(".diff");
    },
  },
  failed: { at: `#/run/${shelf.failed}`, wait: ".failure-panel" },
  "failed-timeline": { at: `#/run/${shelf.failed}/timeline` },
  cancelled: { at: `#/run/${shelf.killed}`, wait: ".tabs-bar" },
  changes: { at: `#/run/${shelf.edits}`, wait: ".diff-line" },
  "changes-one": { at: `#/run/${shelf.claude}`, wait: ".diff-line" },
  "changes-edits": { at: `#/run/${shelf.codex}`, wait: ".tabs-bar" },
  command: { at: `#/run/${askingCommand.runId}`, wait: ".request-card .command" },
  edit: { at: `#/run/${askingEdit.runId}`, wait: ".request-card .diff" },
  question: { at: `#/run/${askingQuestion.runId}`, wait: ".questions" },
  plan: { at: `#/run/${askingPlan.runId}`, wait: ".request-card.plan" },
  working: { at: `#/run/${working.runId}`, wait: ".composer" },
  subagents: { at: `#/run/${shelf.subagents}/timeline` },
  thinking: {
    at: `#/run/${shelf.thinking}/timeline`,
    act: (page) => page.locator(".item.thinking .head").first().click(),
  },
  raw: { at: `#/run/${shelf.claude}/raw/20`, wait: ".raw-line pre" },
  overview: { at: `#/run/${shelf.claude}/overview`, wait: ".overview" },
  "overview-cost": { at: `#/run/${shelf.goose}/overview`, wait: ".overview" },
  "overview-estimated": { at: `#/run/${shelf.codex}/overview`, wait: ".overview" },
  "overview-files": {
    at: `#/run/${shelf.claude}/overview`,
    wait: ".overview",
    act: (page) => page.locator(".overview").evaluate((element) => element.scrollTo(0, 9999)),
  },
  compare: { at: `#/compare/${shelf.claude}/${shelf.codex}`, wait: ".numbers-table th" },
  "compare-below": {
    at: `#/compare/${shelf.claude}/${shelf.codex}`,
    wait: ".numbers-table th",
    act: (page) => page.locator("main").evaluate((element) => element.scrollTo(0, 9999)),
  },
  replay: {
    at: `#/run/${shelf.claude}/timeline`,
    async act(page) {
      await page.keyboard.press("p");
      await page.click("button[aria-label='Pause']");
      const moment = page.locator("input[type='range']");
      await moment.fill(String(Math.round(Number(await moment.getAttribute("max")) * 0.55)));
      await page.waitForSelector(".item.call");
    },
  },
  batches: { at: "#/batches", wait: ".batch-line >> nth=4" },
  batch: { at: `#/batch/${batch.ended}`, wait: ".figures", act: showFailedCell },
  "batch-running": {
    at: `#/batch/${batch.running}`,
    wait: ".figures",
    act: (page) => page.locator(".square.running[data-cell]").first().hover(),
  },
  "batch-changes": {
    at: `#/batch/${batch.ended}`,
    wait: ".figures",
    async act(page) {
      await showFailedCell(page);
      await page.click("button:has-text('Changes')");
      await page.waitForSelector(".diff");
    },
  },
  "batch-below": {
    at: `#/batch/${batch.queue}`,
    wait: ".figures",
    act: (page) => page.locator("main").evaluate((element) => element.scrollTo(0, 9999)),
  },
  "batch-killed": { at: `#/batch/${batch.killed}`, wait: ".figures" },
  "batch-large": { at: "#/batch/20261101-000000-large", wait: ".square.passed" },
  "new-run": {
    at: "#/",
    async act(page) {
      await page.keyboard.press("s");
      await page.waitForSelector("dialog option", { state: "attached" });
      await page.fill("dialog textarea", "Add a test for the empty cart");
    },
  },
  import: {
    at: "#/",
    async act(page) {
      const text = lines.join("\n");
      const transfer = await page.evaluateHandle((content) => {
        const data = new DataTransfer();
        data.items.add(new File([content], "claude.log"));
        return data;
      }, text);
      await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
      await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
      await page.waitForSelector("dialog option", { state: "attached" });
    },
  },
  drop: {
    at: "#/",
    async act(page) {
      const transfer = await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "claude.log"));
        return data;
      });
      await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
    },
  },
  help: { at: "#/", act: (page) => page.keyboard.press("?") },
};

const sizes = [
  [1280, 720],
  [1920, 1080],
  [390, 800],
];
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
try {
  for (const colorScheme of ["light", "dark"])
    for (const [width, height] of sizes) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      for (const [name, { at, wait, act }] of Object.entries(states)) {
        const full = `${name}-${width}-${colorScheme}`;
        if (!wanted.split(",").some((part) => full.includes(part))) continue;
        const page = await context.newPage();
        await page.goto(server.url);
        await page.waitForSelector(".connection.open");
        await page.evaluate((hash) => {
          location.hash = hash;
        }, at);
        await page.waitForSelector(
          wait ?? (at.startsWith("#/run/") ? ".item.end, .item.call" : ".run-line"),
          { timeout: 8000 },
        );
        await act?.(page);
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 250)));
        await page.screenshot({ path: join(folder, `${full}.png`) });
        await page.close();
      }
      await context.close();
    }
} finally {
  await browser.close();
  live.cancel();
  await Promise.all([live.result, ...asking.map((session) => session.close())]);
  await server.close();
  rmSync(home, { recursive: true, force: true });
}
