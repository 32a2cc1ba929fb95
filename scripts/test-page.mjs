/**
 * `npm run test:page`: the page in a real browser. Without one it is skipped, loudly; with HARNESS_REQUIRE_BROWSER=1 that
 * is a failure.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const browsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

if (
  process.env.HARNESS_BROWSER !== undefined ||
  browsers.some(existsSync) ||
  process.env.HARNESS_REQUIRE_BROWSER === "1"
) {
  const { status } = spawnSync("npx", ["vitest", "run", "test/page", "--maxWorkers=1"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  console.log("SKIPPED the page's tests: there is no browser; install one with scripts/install-browser.sh");
}
