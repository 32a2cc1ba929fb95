import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { installedProgram, lockedAgents } from "../../scripts/agents/cache.mjs";
import type { HarnessEvent } from "../../src/events/event.js";
import { patienceMs } from "./live-run.js";
import { ofType } from "./seen.js";

const command = fileURLToPath(new URL("../../dist/cli/main.cjs", import.meta.url));

/** `harness scripted-model --run AGENT`, as a newcomer types it, with the real program. */
export function describeScriptedModel(agent: string): void {
  const played = process.env["HARNESS_AGENTS_PLAYED"];
  if (played !== undefined && !played.split(",").includes(agent)) return;
  const locked = lockedAgents().find(({ name }) => name === agent);
  const program = locked && installedProgram(locked);
  if (program === undefined) return;

  describe(`${agent}, harness scripted-model`, () => {
    it("reads, runs the failing test, edits, runs it again and answers", { timeout: patienceMs }, () => {
      const home = mkdtempSync(join(tmpdir(), "harness-scripted-"));
      const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [command, "scripted-model", "--run", agent, "--binary", program, "--format", "full"],
        { cwd: home, env: { PATH: path, HOME: home }, encoding: "utf8" },
      );
      rmSync(home, { recursive: true, force: true });
      const events = stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line): HarnessEvent => JSON.parse(line));
      expect(status, stderr).toBe(0);
      const tests = ofType(events, "command").filter(({ command: line }) => line.includes("cart.test.js"));
      expect(tests.map(({ isSuccess }) => isSuccess)).toEqual([false, true]);
      expect(ofType(events, "write").map(({ path: file }) => file.endsWith("cart.js"))).toEqual([true]);
      expect(ofType(events, "result")).toMatchObject([{ isSuccess: true }]);
    });
  });
}
