import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findBrowser } from "../../scripts/page/find-browser.mjs";

/** `npm run docs:build` makes it. CI does that before the tests; elsewhere it may be missing. */
const site = fileURLToPath(new URL("../../site/dist/html", import.meta.url));
const isRequired = process.env["HARNESS_REQUIRE_BROWSER"] === "1";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
};

describe.skipIf(!existsSync(site) && !isRequired)("the site of the documentation", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findBrowser() ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  it.each(["/", "/some/where/"])("works at %s: links, search and a reload", async (base) => {
    const { page, at, complaints } = await openSite(browser, base);
    await page.goto(`${at}start/tutorial.html`);
    await page.getByRole("link", { name: "Events", exact: true }).first().click();
    await page.waitForURL(`${at}events.html`);
    // From another depth: the links of the page before must not be relative to this one.
    await page.getByRole("link", { name: "Install", exact: true }).first().click();
    await page.waitForURL(`${at}start/install.html`);
    await page.reload();
    expect(await page.locator("h1").textContent()).toContain("Install");
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator(".VPLocalSearchBox input").fill("idle-timeout");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\.html#/);
    expect(page.url().startsWith(at)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("fits a narrow screen", async () => {
    const { page, at } = await openSite(browser, "/", { viewport: { width: 390, height: 844 } });
    for (const name of ["index", "start/tutorial", "reference/cli", "engineering/architecture", "coverage"]) {
      await page.goto(`${at}${name}.html`);
      const scrolled = await page.evaluate("scrollTo(1000, 0), scrollX");
      expect(scrolled, `${name} is wider than the screen`).toBe(0);
    }
  });
});

/** Serves the site below `base`, and opens a page that notes errors, missing files and requests to other hosts. */
async function openSite(browser: Browser, base: string, options: BrowserContextOptions = {}) {
  const complaints: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = fileAt(base, pathname);
    if (file === undefined) complaints.push(`not found: ${pathname}`);
    response.writeHead(file === undefined ? 404 : 200, {
      "content-type": types[extname(file ?? "")] ?? "text/plain",
    });
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  const context = await browser.newContext(options);
  onTestFinished(async () => {
    await context.close();
    server.closeAllConnections();
    server.close();
  });
  const page: Page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (!/^(?:data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(`asks ${request.url()}`);
  });
  return { page, at, complaints };
}

function fileAt(base: string, pathname: string): string | undefined {
  if (!pathname.startsWith(base)) return undefined;
  const file = join(site, decodeURIComponent(pathname.slice(base.length)));
  const found = existsSync(file) && statSync(file).isDirectory() ? join(file, "index.html") : file;
  return existsSync(found) ? found : undefined;
}
