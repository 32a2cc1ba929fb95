import { existsSync } from "node:fs";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser for the tests of the page: HARNESS_BROWSER, or else the system's. Undefined if there is none. */
export function findBrowser() {
  const named = process.env.HARNESS_BROWSER;
  return (named ? [named] : browsers).find((path) => existsSync(path));
}
