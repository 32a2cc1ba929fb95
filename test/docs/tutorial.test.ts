import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(`${root}docs/start/tutorial.md`, "utf8");

/** The blocks marked `sh` need no agent. Blocks that are only indented do. */
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text = ""]) => text);

it("every command of the tutorial that needs no agent works, one after the other", () => {
  const home = mkdtempSync(join(tmpdir(), "tutorial-"));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const shim = `#!/bin/sh\nexec "${process.execPath}" "${root}dist/cli/main.cjs" "$@"\n`;
  writeFileSync(join(bin, "harness"), shim);
  chmodSync(join(bin, "harness"), 0o755);
  const script = blocks.map((block, index) => `echo "== ${index + 1}"\n${block}`).join("\n");
  const { stdout, stderr, status } = spawnSync(
    "bash",
    ["-e", "-c", script.replace("harness demo\n", "harness demo --fast\n")],
    {
      cwd: home,
      encoding: "utf8",
      env: { HOME: home, PATH: `${bin}:${process.env["PATH"]}`, NO_COLOR: "1" },
    },
  );
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const parts = stdout.split(/^== \d+\n/m).slice(1);
  expect(parts).toHaveLength(blocks.length);
  const [demo, items, , recorded, run, failed, json, config, job] = parts;
  for (const row of sampleRows()) expect(demo).toContain(row);
  expect(
    items
      ?.trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toContain("SessionStart");
  expect(recorded).toContain("Completed");
  expect(run).toContain("9.90");
  expect(failed).toContain("exit code 1");
  expect(json?.trim()).toBe("failed: crash");
  expect(config).toContain("harness.toml");
  expect(job).toContain("The total is 9.90 now.");
  expect(job?.trim().split("\n").slice(-2).sort()).toEqual(["run.html", "run.json"]);
});

/** The rows of the demo that the page shows. */
function sampleRows(): string[] {
  const sample = /^```text\n(.*?)^```/ms.exec(page)?.[1] ?? "";
  return sample.split("\n").filter((row) => row !== "" && !row.includes("Completed"));
}
