/**
 * How quick the page is, in a real browser: npm run build && node scripts/page/measure.mjs
 * Prints one JSON object. Times are milliseconds, memory is MB after a collection, `load` is what else the machine did.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { startServer } from "../../dist/server/server.js";
import { batchesDirectory, writeLargeBatch } from "./batches.mjs";
import { findBrowser } from "./find-browser.mjs";
import { shelfDirectory, writeLargeRecording, writeShelf } from "./recordings.mjs";

const events = Number(process.argv[2] ?? 200_000);
const home = mkdtempSync(join(tmpdir(), "harness-measure-"));
const directory = shelfDirectory(home);
mkdirSync(directory, { recursive: true });
const shelf = writeShelf(directory);
for (let copy = 0; copy < 20; copy += 1) writeShelf(directory, `-${copy}`);
writeLargeRecording(directory, "large", events);
const batches = batchesDirectory(home);
const largeBatch = writeLargeBatch(batches, "large-batch");
const server = await startServer({
  port: 0,
  directory,
  batchesDirectory: batches,
  cwd: home,
  keyPath: join(home, "key"),
});
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
});
const round = (number) => Math.round(number * 10) / 10;

/** From the navigation until the element is drawn, by the page's own clock. */
async function timeTo(page, address, selector) {
  await page.addInitScript((wanted) => {
    const watch = () => {
      if (document.querySelector(wanted) === null) requestAnimationFrame(watch);
      else requestAnimationFrame(() => Object.assign(window, { shownAt: performance.now() }));
    };
    watch();
  }, selector);
  await page.goto(address);
  await page.waitForFunction(() => window.shownAt !== undefined, null, { timeout: 120_000 });
  return page.evaluate(() => window.shownAt);
}

async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector(".connection.open");
  await page.goto("about:blank");
  return page;
}

async function measureList(isCached) {
  const page = isCached ? await newPage() : await (await browser.newContext()).newPage();
  const time = await timeTo(page, isCached ? server.origin : server.url, ".run-line");
  await page.context().close();
  return time;
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function repeat(measure, times = 5) {
  const values = [];
  for (let index = 0; index < times; index += 1) values.push(await measure());
  return round(median(values));
}

/** Scrolls from end to end in so many frames, and gives the time of each. */
function scrollThrough(page, frames, way, selector = ".timeline") {
  return page.evaluate(
    ({ frames, way, selector }) =>
      new Promise((resolve) => {
        const list = document.querySelector(selector);
        const times = [];
        const whole = list.scrollHeight - list.clientHeight;
        let before;
        let frame = 0;
        const step = (now) => {
          if (before !== undefined) times.push(now - before);
          before = now;
          frame += 1;
          const share = way === "down" ? frame / frames : 1 - frame / frames;
          list.scrollTop = share * whole;
          if (frame < frames) requestAnimationFrame(step);
          else resolve(times);
        };
        requestAnimationFrame(step);
      }),
    { frames, way, selector },
  );
}

/** The grid of 10,000 cells: drawn, scrolled, and scrolled while 400 cells a second change. */
async function measureBatch() {
  const page = await newPage();
  const before = process.memoryUsage().rss;
  const firstSquaresMs = await timeTo(page, `${server.origin}/#/batch/large-batch`, ".cell-grid [data-cell]");
  await page.waitForSelector(".figures", { timeout: 120_000 });
  const figuresMs = await page.evaluate(() => performance.now());
  const still = aboutFrames(await scrollThrough(page, 300, "down", ".cell-grid"));
  const waiting = largeBatch.cells.slice(6100);
  const timer = setInterval(() => {
    for (const cell of waiting.splice(0, 40)) largeBatch.append(cell, { type: "done" });
  }, 100);
  const changing = aboutFrames(await scrollThrough(page, 300, "up", ".cell-grid"));
  clearInterval(timer);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  const heapMb = (await page.evaluate(() => performance.memory.usedJSHeapSize)) / 2 ** 20;
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  await page.context().close();
  return {
    cells: largeBatch.cells.length,
    firstSquaresMs: round(firstSquaresMs),
    figuresMs: round(figuresMs),
    still,
    changing,
    heapMb: round(heapMb),
    elements,
    serverMb: round((process.memoryUsage().rss - before) / 2 ** 20),
  };
}

function aboutFrames(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  return { frames: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) };
}

try {
  const batch = await measureBatch();
  const list = {
    runs: (Object.keys(shelf).length + 1) * 21,
    firstVisitMs: await repeat(() => measureList(false)),
    laterMs: await repeat(() => measureList(true)),
  };
  const page = await newPage();
  const firstRowsMs = round(await timeTo(page, `${server.origin}/#/run/large`, ".item.command"));
  const tile = `.tiles dd:text-is("${(await countOf()).toLocaleString("en-US")}")`;
  await page.waitForSelector(tile, { timeout: 120_000 });
  const allEventsMs = round(await page.evaluate(() => performance.now()));
  const cdp = await page.context().newCDPSession(page);
  const scroll = {};
  for (const way of ["down", "up"]) {
    scroll[way] = aboutFrames(await scrollThrough(page, 600, way));
  }
  const search = await page.evaluate(
    async (wanted) => {
      const input = document.querySelector("[aria-label='Search this run']");
      const start = performance.now();
      input.value = wanted;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      while (document.querySelectorAll(".item").length !== 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    },
    `target-${Math.floor(events / 6)}`,
  );
  await cdp.send("HeapProfiler.collectGarbage");
  const heapMb = round((await page.evaluate(() => performance.memory.usedJSHeapSize)) / 2 ** 20);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  const browserVersion = browser.version();
  console.log(
    JSON.stringify(
      {
        load: loadavg()[0],
        machine: `${cpus().length} cores, ${cpus()[0].model}, Chromium ${browserVersion}, Node ${process.version}`,
        list,
        batch,
        large: {
          events,
          firstRowsMs,
          allEventsMs,
          scroll,
          searchMs: round(search),
          heapMb,
          elements,
        },
      },
      null,
      2,
    ),
  );
} finally {
  await browser.close();
  await server.close();
  rmSync(home, { recursive: true, force: true });
}

async function countOf() {
  const { sessions } = await import("../../dist/index.js");
  return (await sessions.read("large", { directory })).events.length;
}
