import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bench/run.mjs", import.meta.url));

/** `npm run bench` loads all figures, so one that cannot be loaded would stop the others too. Vitest's own import does not see a missing export. */
it("loads every figure of the benchmarks before it says that one is unknown", () => {
  const { status, stderr } = spawnSync(process.execPath, [program, "no-such-figure"], { encoding: "utf8" });
  expect(stderr).toMatch(/^unknown figure no-such-figure; the figures are translate, .*\bparallel\b/);
  expect(status).toBe(2);
});
