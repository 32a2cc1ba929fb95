import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findAgent } from "../../../src/agents/registry.js";
import { HarnessError } from "../../../src/errors.js";
import type { RunReport } from "../../../src/outputs/json/schema.js";
import { updateMeta } from "../../../src/runs/recording/meta.js";
import { openPlainRecording } from "../../../src/server/open-plain-recording.js";
import { createReports } from "../../../src/server/v1/reports.js";
import { record, temporaryDirectory } from "../support.js";
import { connect } from "./client.js";

const claude = { agent: findAgent("claude") as NonNullable<ReturnType<typeof findAgent>>, isUnknown: false };

function reportOf(runId: string, text: string): RunReport {
  return {
    ...{ runId, text, agent: "claude", startedAt: "", endedAt: "", subagents: 0, warnings: 0, unknown: 0 },
    outcome: { isSuccess: true, reason: "completed", exitCode: 0 },
    ...{ files: { read: [], written: [] }, commands: [], tools: [], errors: [] },
  };
}

/** A directory with these runs, and reports that say how often each was read. */
async function reading(runs: readonly string[], max?: number) {
  const directory = temporaryDirectory();
  for (const runId of runs) await record(directory, "claude", "text", { runId });
  const read: string[] = [];
  const reports = createReports(async ({ id }) => {
    read.push(id);
    return reportOf(id, "x".repeat(1000));
  }, max);
  const of = (id: string, by = claude) => reports.of(openPlainRecording(directory, id), by);
  return { of, read, paths: (id: string) => openPlainRecording(directory, id).paths };
}

describe("the report of a run that has ended", () => {
  it("is read once, for all who ask, as long as its files stay the same", async () => {
    const { of, read, paths } = await reading(["a"]);
    const [one, two] = await Promise.all([of("a"), of("a")]);
    expect(two).toBe(one);
    expect(await of("a")).toBe(one);
    expect(read).toEqual(["a"]);
    appendFileSync(paths("a").raw, "\n");
    await of("a");
    updateMeta(paths("a").meta, { prompt: "another" });
    await of("a");
    await of("a", { ...claude, isUnknown: true });
    expect(read).toEqual(["a", "a", "a", "a"]);
  });

  it("is forgotten when there are too many: first the one that was asked for longest ago", async () => {
    const { of, read } = await reading(["a", "b", "c"], 2500);
    for (const id of ["a", "b", "a", "c", "a", "b"]) await of(id);
    expect(read).toEqual(["a", "b", "c", "b"]);
    const tight = await reading(["a"], 10);
    await tight.of("a");
    await tight.of("a");
    expect(tight.read).toEqual(["a"]);
  });

  it("is read again if it could not be read", async () => {
    const directory = temporaryDirectory();
    await record(directory, "claude", "text", { runId: "a" });
    let isBroken = true;
    const reports = createReports(async ({ id }) => {
      if (isBroken) throw new HarnessError("unreadable_recording", "it is gone");
      return reportOf(id, "");
    });
    const recording = openPlainRecording(directory, "a");
    await expect(reports.of(recording, claude)).rejects.toThrow("it is gone");
    isBroken = false;
    expect(await reports.of(recording, claude)).toMatchObject({ runId: "a" });
  });

  it("is the same at the second request, and follows the recording", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "claude", "files");
    const first = (await client.get(`/runs/${id}`)).json;
    expect((await client.get(`/runs/${id}`)).json).toEqual(first);
    const { meta } = openPlainRecording(client.server.directory, id).paths;
    updateMeta(meta, { startedAt: "2020-01-01T00:00:00.000Z" });
    expect((await client.get(`/runs/${id}`)).json).toMatchObject({
      report: { startedAt: "2020-01-01T00:00:00.000Z" },
    });
  });
});
