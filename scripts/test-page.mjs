/**
 * `npm run test:page [-- FILTER]`: the page in a real browser. Without one it is skipped, loudly; with
 * HARNESS_REQUIRE_BROWSER=1 that is a failure. One file at a time: a browser is worker enough.
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
    `${line}\n${words}, since there is no Chromium here.\nInstall one with: scripts/install-browser.sh\nor name one with: HARNESS_BROWSER=/path/to/chromium\n${line}`,
  );
  process.exitCode = isRequired ? 1 : 0;
} else {
  // Built anew, and apart: what is tested is what is written now, whoever else builds meanwhile.
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
    // A machine may be slow: what is waited for has as long as a selector has.
    "--expect.poll.timeout=15000",
  ];
  const { status } = spawnSync(process.execPath, args, {
    stdio: "inherit",
    env: { ...process.env, HARNESS_BROWSER: browser, HARNESS_PAGE: page },
  });
  rmSync(page, { recursive: true, force: true });
  process.exitCode = status ?? 1;
}
