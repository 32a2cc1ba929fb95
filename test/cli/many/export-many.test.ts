import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { capturesDirectory } from "../../support/captures.js";
import { harness, jsonLines, temporaryDirectory } from "../harness.js";

const data = temporaryDirectory();
const env = { XDG_DATA_HOME: data };
const sessions = join(data, "harness", "sessions");
const scenarios = ["files", "shell", "text", "thinking", "subagent"];
const idOf = (index: number) => `2026010${index + 1}-000000-00aaaa`;
const ids = scenarios.map((_, index) => idOf(index));

beforeAll(() => {
  for (const [index, scenario] of scenarios.entries()) {
    const runId = idOf(index);
    const startedAt = `2026-01-0${index + 1}T00:00:00.000Z`;
    const agent = index % 2 === 0 ? "claude" : "codex";
    const stdout = readFileSync(`${capturesDirectory}${agent}/${scenario}/stdout.jsonl`, "utf8");
    const lines = stdout.trimEnd().split("\n");
    const records = [
      ...lines.map((line) => ({ timestamp: startedAt, stream: "stdout", line })),
      { timestamp: startedAt, stream: "exit", exitCode: 0, signal: null, reason: "completed" },
    ];
    mkdirSync(join(sessions, runId), { recursive: true });
    writeFileSync(
      join(sessions, runId, "raw.jsonl"),
      records.map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
    const meta = { runId, agent, cwd: "/w", prompt: `do ${scenario}`, startedAt };
    writeFileSync(join(sessions, `${runId}.meta.json`), JSON.stringify(meta));
  }
});

const exporting = (...args: string[]) => harness(["sessions", "export", ...args], { env });

describe("harness sessions export of many runs", () => {
  it("prints what one after the other would print, in the order in which they are named", async () => {
    const chosen = [idOf(3), idOf(0), idOf(2)];
    let expected = "";
    for (const id of chosen) expected += (await exporting(id, "-f", "full")).stdout.toString();
    const many = await exporting(...chosen, "-f", "full", "--jobs", "2");
    expect(many.stderr).toBe("");
    expect(many.stdout.toString()).toBe(expected);
    expect(many.exitCode).toBe(0);
  });

  it("takes all runs, the oldest first, or those that the options choose", async () => {
    const runsOf = async (...args: string[]) =>
      jsonLines((await exporting("--all", "-f", "json", ...args)).stdout).map(({ runId }) => runId);
    expect(await runsOf()).toEqual(ids);
    expect(await runsOf("--agent", "openai-codex")).toEqual([idOf(1), idOf(3)]);
    expect(await runsOf("--since", "2026-01-03T00:00Z", "--until", "2026-01-04T12:00Z")).toEqual([
      idOf(2),
      idOf(3),
    ]);
    const none = await exporting("--all", "--here");
    expect(none.stderr).toContain("no recorded run matches");
    expect(none.exitCode).toBe(2);
  });

  it("writes files named after the runs, as one export would write them", async () => {
    const out = temporaryDirectory();
    const many = await exporting(
      "--all",
      "--output",
      `html=${out}/`,
      "--output",
      `atif=${out}/`,
      "--jobs",
      "2",
    );
    expect(many.stdout.toString()).toBe("");
    expect(many.stderr).toMatch(/^harness: wrote 10 files/);
    expect(readdirSync(out).sort()).toEqual(ids.flatMap((id) => [`${id}.atif.json`, `${id}.html`]));
    const alone = await exporting(idOf(4), "-f", "html");
    expect(readFileSync(join(out, `${idOf(4)}.html`), "utf8")).toBe(alone.stdout.toString());
  });

  it("reports a run that cannot be read, and exports all others", async () => {
    const bad = "20260109-000000-00aaaa";
    mkdirSync(join(sessions, bad));
    const meta = {
      runId: bad,
      agent: "claude",
      cwd: "/w",
      prompt: "x",
      startedAt: "2026-01-09T00:00:00.000Z",
    };
    writeFileSync(join(sessions, `${bad}.meta.json`), JSON.stringify(meta));
    writeFileSync(join(sessions, "20260108-000000-00aaaa.meta.json"), "{");
    const many = await exporting("--all", "-f", "json", "--jobs", "2");
    rmSync(join(sessions, `${bad}.meta.json`));
    rmSync(join(sessions, "20260108-000000-00aaaa.meta.json"));
    expect(jsonLines(many.stdout).map(({ runId }) => runId)).toEqual(ids);
    expect(many.stderr).toContain("20260108-000000-00aaaa.meta.json");
    expect(many.stderr).toContain(bad);
    expect(many.stderr).toContain("1 of 6 runs failed");
    expect(many.exitCode).toBe(1);
  });

  it("refuses ids that mean no run, before anything is printed", async () => {
    const { stdout, stderr, exitCode } = await exporting(idOf(0), "nonsense", "-f", "json");
    expect(stdout.toString()).toBe("");
    expect(stderr).toContain('no recording has the id "nonsense"');
    expect(exitCode).toBe(2);
  });
});
