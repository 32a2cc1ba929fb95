import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RecordingMeta } from "../../src/events/recording-meta.js";
import { localDay } from "../../src/story/run-totals.js";
import { idAt, metaOf, writeRecording } from "../runs/archive/recordings.js";
import { type CommandResult, harness, temporaryDirectory } from "./harness.js";

const dayMs = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const usage = { inputTokens: 1000, outputTokens: 500, totalTokens: 1500, scope: "run" } as const;
const failed = { isSuccess: false, reason: "failed" } as const;

function createHome(): { directory: string; stats(...args: string[]): Promise<CommandResult> } {
  const env = { XDG_DATA_HOME: temporaryDirectory() };
  return {
    directory: join(env.XDG_DATA_HOME, "harness", "sessions"),
    stats: (...args) => harness(["stats", ...args], { env }),
  };
}

/** Six that count, a demo and an imported one; one of the six is older than 30 days. */
function filledHome() {
  const home = createHome();
  let made = 0;
  const add = (startedAt: string, changes: Partial<RecordingMeta> = {}): void => {
    made += 1;
    const runId = idAt(startedAt, `${String(made).padStart(2, "0")}abcd`);
    writeRecording(home.directory, metaOf({ startedAt, runId, ...changes }));
  };
  add(ago(0), { costUsd: 0.1, usage, model: "opus", cwd: "/projects/shop" });
  add(ago(0), { costUsd: 0.2, usage, model: "opus", cwd: "/projects/shop", outcome: failed });
  add(ago(1), {
    agent: "codex",
    costUsd: 0.3,
    costSource: "estimated",
    usage,
    model: "gpt-5",
    cwd: "/projects/site",
  });
  add(ago(2), { agent: "goose", cwd: "=cmd|' /C calc'!A0,\"x\"" });
  add(ago(3), { batch: { id: "b1", cell: "c1" }, costUsd: 1, model: "opus", cwd: "/projects/shop" });
  add(ago(40), { costUsd: 5, cwd: "/projects/old" });
  add(ago(0), { isDemo: true, costUsd: 100 });
  add(ago(0), { imported: { file: "x.jsonl", importedAt: ago(0) }, costUsd: 100 });
  return home;
}

describe("harness stats", () => {
  it("sums up the last 30 days, without demo runs and imported ones", async () => {
    const { stats } = filledHome();
    const { stdout, exitCode } = await stats("--json");
    const report = JSON.parse(stdout.toString());
    expect(exitCode).toBe(0);
    expect(report.totals).toEqual({
      runs: 5,
      succeeded: 4,
      unsuccessful: 1,
      running: 0,
      ofBatches: 1,
      successRate: 0.8,
      costUsd: 1.6,
      estimatedUsd: 0.3,
      withoutCost: 1,
      tokens: 4500,
      inputTokens: 3000,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 1500,
      withoutTokens: 2,
      durationMs: 7500,
    });
    expect(report.notCounted).toEqual({ demos: 1, imported: 1 });
    expect(report.byDay).toHaveLength(30);
    expect(report.byDay.at(-1)).toMatchObject({
      day: localDay(new Date()),
      runs: 2,
      costUsd: 0.3,
      successRate: 0.5,
    });
    expect(report.byAgent.map(({ agent, runs }: { agent: string; runs: number }) => [agent, runs])).toEqual([
      ["claude", 3],
      ["codex", 1],
      ["goose", 1],
    ]);
    expect(report.byAgent[2]).not.toHaveProperty("costUsd");
  });

  it("counts what it is asked to count", async () => {
    const { stats } = filledHome();
    const totals = async (...args: string[]): Promise<{ runs: number; costUsd?: number }> =>
      JSON.parse((await stats("--json", "--by", "agent", ...args)).stdout.toString()).totals;
    expect(await totals("--all")).toMatchObject({ runs: 6, costUsd: 6.6 });
    expect(await totals("--no-batches")).toMatchObject({ runs: 4, costUsd: 0.6 });
    expect(await totals("--days", "1")).toMatchObject({ runs: 2, costUsd: 0.3 });
    expect(await totals("--model", "OPUS")).toMatchObject({ runs: 3, costUsd: 1.3 });
    expect(await totals("--agent", "codex")).toMatchObject({ runs: 1, costUsd: 0.3 });
    expect(await totals("--cwd", "/projects")).toMatchObject({ runs: 4 });
    expect(await totals("--until", localDay(new Date(ago(1))), "--since", "3d")).toMatchObject({ runs: 2 });
  });

  it("is a page for people", async () => {
    const { stats } = filledHome();
    const { stdout, stderr } = await stats();
    const text = stdout.toString();
    expect(text).toContain("Runs    5: 4 succeeded (80%), 1 did not, 1 of batches\n");
    expect(text).toContain("Cost    ~$1.60, ~$0.30 of it estimated (1 run without)\n");
    expect(text).toMatch(/^Runs {4}·{26}▄▄▄█ {2}most 2 a day$/m);
    expect(text).toMatch(/^claude +3 +67% +\$1\.30 +3k +4\.5 s +█{16}$/m);
    expect(stderr).toBe(
      "harness: 1 demo run not counted\nharness: 1 imported run not counted; --imported counts them\n",
    );
  });

  it("is CSV that no spreadsheet executes", async () => {
    const { stats } = filledHome();
    const { stdout } = await stats("--csv", "--by", "directory");
    const lines = stdout.toString().split("\r\n");
    expect(lines[0]).toMatch(
      /^directory,runs,succeeded,unsuccessful,running,of_batches,success_rate,cost_usd,/,
    );
    expect(lines).toContain(`"'=cmd|' /C calc'!A0,""x""",1,1,0,0,0,1,,,1,,,,,,1500`);
    expect(lines).toContain("/projects/shop,3,2,1,0,1,0.6667,1.3,0,0,3000,2000,0,0,1000,4500");
    expect(lines.at(-1)).toBe("");
  });

  it("says so when there is nothing, and refuses what it does not know", async () => {
    const { stats, directory } = createHome();
    expect(await stats()).toMatchObject({
      stderr: "harness: no recorded run matches in the last 30 days; --all counts all of them\n",
      exitCode: 0,
    });
    expect((await stats("--by", "colour")).stderr).toContain(
      "it must be one of day, agent, model, directory.",
    );
    expect((await stats("--agent", "claud")).stderr).toContain('did you mean "claude"?');
    expect((await stats("--json", "--csv")).exitCode).toBe(2);
    writeRecording(directory, metaOf({ startedAt: ago(0), runId: idAt(ago(0)) }));
    writeFileSync(join(directory, "broken.meta.json"), "{");
    expect((await stats("--all")).stderr).toBe(
      "harness: 1 recording cannot be read: .meta.json is damaged\n",
    );
  });
});
