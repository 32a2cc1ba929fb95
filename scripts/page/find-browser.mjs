import { existsSync } from "node:fs";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The browser that the page is tested in: HARNESS_BROWSER, else the system's. Undefined when there is none. */
export function findBrowser() {
  const named = process.env.HARNESS_BROWSER;
  return (named ? [named] : browsers).find((path) => existsSync(path));
}
