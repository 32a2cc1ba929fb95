import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observed } from "./run-harness.js";
import type { RealScenario } from "./scenario.js";
import { seenIn } from "./seen.js";
import type { Stage } from "./stage.js";

/**
 * If `HARNESS_AGENTS_KEEP` is set, the files of every run are copied there, for the scripts that record fixtures and detect
 * drift: `<name in the lock file>/<scenario>/{raw.jsonl,full.jsonl,run.json}`.
 */
export function keep(name: string, scenario: RealScenario, run: Observed, stage: Stage): void {
  const directory = process.env["HARNESS_AGENTS_KEEP"];
  if (directory === undefined || run.exitCode === 2 || run.exitCode === null) return;
  const folder = join(directory, name, scenario.name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(run.recording.raw, join(folder, "raw.jsonl"));
  copyFileSync(run.recording.meta, join(folder, "meta.json"));
  writeFileSync(join(folder, "full.jsonl"), run.events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  const { home, workspace, prepared } = stage;
  writeFileSync(
    join(folder, "run.json"),
    `${JSON.stringify({ home, workspace, modelUrl: stage.model.url, env: prepared.env, seen: seenIn(run) }, null, 2)}\n`,
  );
}
