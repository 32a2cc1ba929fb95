import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, vi } from "vitest";
import { pageDirectory } from "../../src/server/page-files.js";
import { type PageServer, startServer } from "../../src/server/server.js";

/** `scripts/install-browser.sh` installs one. */
const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The page that `npm run test:page` has built, else the last one that was. */
const testedPage = process.env["HARNESS_PAGE"] ?? pageDirectory;

let browser: Browser;

/** One browser for the tests of a file. */
export function useBrowser(): void {
  vi.setConfig({ testTimeout: 60_000 });
  beforeAll(async () => {
    if (!existsSync(join(testedPage, "index.html"))) buildPage();
    const executablePath = process.env["HARNESS_BROWSER"] ?? browsers.find(existsSync);
    if (executablePath === undefined) throw new Error("no browser: run scripts/install-browser.sh");
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  }, 60_000);
  afterAll(() => browser?.close());
}

function buildPage(): void {
  const script = fileURLToPath(new URL("../../scripts/build-page.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--quiet"]);
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "harness-page-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface TestServer extends PageServer {
  directory: string;
  batches: string;
  home: string;
}

/** `trust`: what the tests write into `harness.toml` counts. */
export async function serve(
  home = temporaryDirectory(),
  port = 0,
  { trust = true }: { trust?: boolean } = {},
): Promise<TestServer> {
  const directory = join(home, "harness", "sessions");
  const batches = join(home, "harness", "batches");
  const server = await startServer({
    port,
    directory,
    batchesDirectory: batches,
    cwd: home,
    trust,
    keyPath: join(home, "key"),
    pageDirectory: testedPage,
  });
  onTestFinished(() => server.close());
  return { ...server, directory, batches, home };
}

export interface TestPage extends Page {
  /** Everything that the page complained about. */
  complaints: string[];
}

/** Too narrow for the contents of an entry beside the timeline: they unfold below the entry. */
export const narrow: BrowserContextOptions = { viewport: { width: 1000, height: 800 } };

/** Opens the page as a user does: by the address with the token. */
export async function open(
  server: TestServer,
  hash = "",
  options: BrowserContextOptions = {},
): Promise<TestPage> {
  const page = await openAddress(server.url + hash, options);
  await page.waitForSelector(".connection.open");
  return page;
}

/** Opens any address. */
export async function openAddress(address: string, options: BrowserContextOptions = {}): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(address);
  return Object.assign(page, { complaints });
}

/** The page itself must have nothing to complain about: no error, no refusal of its own policy. */
export function expectNoComplaints({ complaints }: TestPage): void {
  expect(complaints).toEqual([]);
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate("navigator.clipboard.readText()");
}
