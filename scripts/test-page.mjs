/**
 * `npm run test:page [-- FILTER]`: tests the page in a real browser. Without a browser the tests are skipped with a clear
 * notice, or fail with HARNESS_REQUIRE_BROWSER=1. Files run one at a time, because a browser uses several processes.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBrowser } from "./page/find-browser.mjs";

const browser = findBrowser();
const isRequired = process.env.HARNESS_REQUIRE_BROWSER === "1";

if (browser === undefined) {
  const words = isRequired ? "FAILED: the page cannot be tested" : "SKIPPED: the page is NOT tested";
  const line = "!".repeat(78);
  console.error(
    `${line}\n${words}, because there is no Chromium here.\nInstall one with: scripts/install-browser.sh\nor name one with: HARNESS_BROWSER=/path/to/chromium\n${line}`,
  );
  process.exitCode = isRequired ? 1 : 0;
} else {
  // A separate build of the current source, so that another build at the same time does not interfere.
  const page = mkdtempSync(join(tmpdir(), "harness-page-"));
  const build = fileURLToPath(new URL("build-page.mjs", import.meta.url));
  execFileSync(process.execPath, [build, page, "--quiet"], { stdio: "inherit" });
  const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
  const filters = process.argv.slice(2).map((name) => `test/page/${name}`);
  const args = [
    vitest,
    "run",
    ...(filters.length > 0 ? filters : ["test/page"]),
    "--maxWorkers=1",
    "--retry=0",
    // On a slow machine, assertions that wait get as much time as selectors.
    "--expect.poll.timeout=15000",
  ];
  const { status } = spawnSync(process.execPath, args, {
    stdio: "inherit",
    env: { ...process.env, HARNESS_BROWSER: browser, HARNESS_PAGE: page },
  });
  rmSync(page, { recursive: true, force: true });
  process.exitCode = status ?? 1;
}
