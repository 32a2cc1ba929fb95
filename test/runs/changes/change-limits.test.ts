import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { isSameProcess } from "../../../src/process/process-identity.js";
import { planRun } from "../../../src/runs/plan.js";
import type { ChangeLimits } from "../../../src/runs/run-changes.js";
import { startRun } from "../../../src/runs/start-run.js";
import { shellAgent } from "../../batch/support/shell-agent.js";
import { makeDirectory, makeRepository } from "../../batch/workspace/places.js";
import { checkRecording } from "../../faults/check-recording.js";
import { collect, ofType } from "../test-agent.js";
import { useDataDirectory, useSlowGit } from "./watched.js";

let privatePlaces = "";
beforeEach(() => {
  privatePlaces = useDataDirectory();
});

/** Longer than a test may take. */
const never = 300_000;

async function finish(cwd: string, prompt: string, limits: ChangeLimits) {
  const sessions = makeDirectory();
  const plan = planRun({ agent: shellAgent, prompt, cwd, sessionsDirectory: sessions, changes: true });
  const running = startRun(plan, limits);
  const events = await collect(running);
  const result = await running.result;
  const patchPath = join(sessions, running.runId, "changes.patch");
  const recording = await checkRecording(sessions, running.runId, shellAgent);
  return { events, result, patchPath, recording };
}

/** Every git that hung is gone, and so is what it worked on. */
async function expectNothingLeft(flag: string): Promise<void> {
  const pids = readFileSync(flag, "utf8").trim().split("\n").map(Number);
  expect(pids).not.toContain(0);
  await vi.waitFor(() => {
    expect(pids.filter((pid) => isSameProcess({ pid }))).toEqual([]);
    expect(readdirSync(privatePlaces)).toEqual([]);
  });
}

describe("a git that hangs", () => {
  it("does not keep the agent from starting", async () => {
    const cwd = makeRepository();
    const flag = useSlowGit();
    writeFileSync(flag, "");
    const script = `echo more > new.txt; echo '{"type":"done","cost":0.5}'`;
    const { events, result, patchPath, recording } = await finish(cwd, script, {
      startMs: 100,
      endMs: never,
    });
    expect(result).toMatchObject({ isSuccess: true, reason: "completed", costUsd: 0.5 });
    expect(readFileSync(join(cwd, "new.txt"), "utf8")).toBe("more\n");
    expect(ofType(events, "warning")).toMatchObject([
      {
        code: "changes_unknown",
        message: "what this run changed is not known: to compare the files took longer than 100 ms",
      },
    ]);
    expect(ofType(events, "changes")).toEqual([]);
    expect(existsSync(patchPath)).toBe(false);
    expect(recording).toMatchObject({ state: "ended", problems: [], events });
    await expectNothingLeft(flag);
  });

  it("does not keep a run from ending", async () => {
    const flag = useSlowGit();
    const script = `echo more > new.txt; touch '${flag}'; echo '{"type":"done","cost":0.5}'`;
    const { events, result, patchPath, recording } = await finish(makeRepository(), script, {
      startMs: never,
      endMs: 100,
    });
    expect(result).toMatchObject({ isSuccess: true, reason: "completed", costUsd: 0.5 });
    expect(ofType(events, "warning")).toMatchObject([
      {
        code: "changes_unknown",
        message: "what this run changed is not known: to compare the files took longer than 100 ms",
      },
    ]);
    expect(events.map(({ type }) => type).slice(-4)).toEqual(["warning", "usage", "result", "exited"]);
    expect(ofType(events, "changes")).toEqual([]);
    expect(existsSync(patchPath)).toBe(false);
    expect(recording).toMatchObject({ state: "ended", problems: [], events });
    await expectNothingLeft(flag);
  });
});
