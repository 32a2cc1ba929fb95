import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/live/run.js";
import { recordings } from "../../src/runs/archive/recordings.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import type { RawLines, RunRow } from "../../src/server/protocol.js";
import { program as replayed } from "../cli/harness.js";
import { program } from "../runs/test-agent.js";
import { ask, type Message, messages, record, startTestServer } from "./support.js";

function eventsOf(list: readonly Message[]): { type: string; seq: number }[] {
  return list.flatMap(({ event, data }) =>
    event === "steps" ? (data["events"] as { type: string; seq: number }[]) : [],
  );
}

describe("the list", () => {
  it("has every recording with how it ended and what it took, newest first", async () => {
    const server = await startTestServer();
    const first = await record(server.directory, "claude", "files");
    const second = await record(server.directory, "codex", "api401");
    const { text } = await server.get("/api/runs");
    const rows: RunRow[] = JSON.parse(text).runs;
    expect(rows.map(({ id }) => id)).toEqual([second, first]);
    expect(rows[1]).toMatchObject({ agent: "claude", outcome: "completed", prompt: "files of claude" });
    expect(rows[1]?.usage?.totalTokens).toBeGreaterThan(0);
    expect(rows[0]).toMatchObject({ agent: "codex", outcome: "failed", failure: { kind: "auth" } });
  });

  it("is empty where nothing was recorded, and names what cannot be read", async () => {
    const server = await startTestServer();
    expect(JSON.parse((await server.get("/api/runs")).text)).toMatchObject({ runs: [], unreadable: [] });
    mkdirSync(server.directory, { recursive: true });
    writeFileSync(join(server.directory, "broken.meta.json"), "{");
    expect(JSON.parse((await server.get("/api/runs")).text).unreadable).toMatchObject([{ id: "broken" }]);
  });

  it("moves by itself when a run is started, works, ends and is removed elsewhere", async () => {
    const server = await startTestServer();
    const seen: RunRow[] = [];
    const id = "watched";
    let hasBegun = false;
    let isRemoved = false;
    const all = messages(server, "/api/live", ({ event, data }) => {
      if (event === "list") hasBegun = true;
      const change = data as { changed?: RunRow[]; removed?: string[] };
      seen.push(...(change.changed ?? []));
      const isSummarized = change.changed?.some(
        (row) => row.outcome === "completed" && row.files !== undefined,
      );
      // The row may change once more before the recording is gone.
      if (isSummarized && !isRemoved) void recordings.remove(id, { directory: server.directory });
      isRemoved ||= isSummarized === true;
      return change.removed?.includes(id) ?? false;
    });
    while (!hasBegun) await new Promise((resolve) => setImmediate(resolve));
    await record(server.directory, "claude", "files", { runId: id });
    const last = (await all).at(-1);
    expect(last?.data["removed"]).toEqual([id]);
    expect(seen.find(({ outcome }) => outcome === "completed")?.id).toBe(id);
  });
});

describe("a run's stream", () => {
  it("has exactly the events of the recording, and the rule of each line that gave none", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "subagent");
    const all = await messages(server, `/api/runs/${id}/stream`);
    const { events } = await recordings.read(id, { directory: server.directory });
    expect(eventsOf(all)).toEqual(events);
    expect(all.map(({ event }) => event)).toEqual(expect.arrayContaining(["about", "steps", "end"]));
    const lines = readFileSync(recordingPaths(server.directory, id).raw, "utf8").trimEnd().split("\n").length;
    expect(all.filter(({ event }) => event === "steps").at(-1)?.data["lines"]).toBe(lines);
    const consumed = all.flatMap(({ data }) => (data["consumed"] as [number, string][] | undefined) ?? []);
    expect(consumed.length).toBeGreaterThan(0);
    for (const [line, rule] of consumed) {
      expect(line).toBeLessThanOrEqual(lines);
      expect(rule).not.toBe("");
    }
  });

  it("goes on after the last event that a page had", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const whole = eventsOf(await messages(server, `/api/runs/${id}/stream`));
    const rest = await messages(server, `/api/runs/${id}/stream`, undefined, { "last-event-id": "2" });
    expect(eventsOf(rest)).toEqual(whole.slice(3));
  });

  it("follows a run under way to its end, whoever started it", async () => {
    const server = await startTestServer();
    const started = run({
      agent: "generic",
      prompt: "x",
      binary: replayed(
        `const lines = ["one", "two"]; const next = () => { const line = lines.shift(); if (line) { console.log(line); setTimeout(next, 60); } }; process.stdin.on("data", () => {}).on("end", next);`,
      ),
      sessionsDirectory: server.directory,
    });
    const all = await messages(server, `/api/runs/${started.runId}/stream`);
    expect(all[0]?.data).toMatchObject({ row: { outcome: "running" } });
    expect(eventsOf(all).at(-1)?.type).toBe("exited");
    expect(all.at(-2)?.data).toMatchObject({ row: { outcome: "completed" } });
    expect(eventsOf(all).map(({ seq }) => seq)).toEqual([...eventsOf(all).keys()]);
  });

  it("of a recording that stops in the middle ends as interrupted", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const paths = recordingPaths(server.directory, id);
    const meta = JSON.parse(readFileSync(paths.meta, "utf8"));
    const { endedAt, outcome, ...cut } = meta;
    writeFileSync(paths.meta, JSON.stringify(cut));
    const raw = readFileSync(paths.raw, "utf8");
    writeFileSync(paths.raw, raw.slice(0, Math.floor(raw.length / 2)));
    const all = await messages(server, `/api/runs/${id}/stream`);
    expect(all[0]?.data).toMatchObject({ row: { outcome: "interrupted" } });
    expect(eventsOf(all).at(-1)).toMatchObject({ type: "exited", reason: "interrupted" });
  });

  it("of a run that is not there says so", async () => {
    const server = await startTestServer();
    const [only] = await messages(server, "/api/runs/nobody/stream");
    expect(only).toMatchObject({ event: "refusal", data: { code: "unknown_session" } });
  });

  it("of an agent that is not known here is read as any program's", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const { meta } = recordingPaths(server.directory, id);
    writeFileSync(meta, readFileSync(meta, "utf8").replace('"agent": "claude"', '"agent": "nobodys"'));
    const all = await messages(server, `/api/runs/${id}/stream`);
    expect(all[0]?.data).toMatchObject({ isUnknownAgent: true, row: { agent: "nobodys" } });
    expect(eventsOf(all).length).toBeGreaterThan(3);
  });

  it("sends long contents cut, and has them whole", async () => {
    const server = await startTestServer();
    const started = run({
      agent: "generic",
      prompt: "x",
      binary: replayed(`console.log("x".repeat(300000)); console.log(JSON.stringify(Array(90000).fill(1)));`),
      sessionsDirectory: server.directory,
    });
    await started.result;
    const all = await messages(server, `/api/runs/${started.runId}/stream`);
    const cut = all.flatMap(({ data }) => (data["cut"] as number[] | undefined) ?? []);
    expect(cut.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(all).length).toBeLessThan(120_000);
    const { events } = await recordings.read(started.runId, { directory: server.directory });
    for (const seq of cut) {
      const { text } = await server.get(`/api/runs/${started.runId}/events/${seq}`);
      expect(JSON.parse(text)).toEqual(events[seq]);
    }
  });
});

describe("raw lines", () => {
  it("are those of the recording, by number, a part at a time", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "shell");
    const records = readFileSync(recordingPaths(server.directory, id).raw, "utf8").trimEnd().split("\n");
    const read = async (query: string): Promise<RawLines> =>
      JSON.parse((await server.get(`/api/runs/${id}/raw${query}`)).text);
    const { total, lines } = await read("?from=2&count=3");
    expect(total).toBe(records.length);
    expect(lines.map(({ line }) => line)).toEqual([2, 3, 4]);
    for (const { line, text, isCut } of lines) {
      const whole = (await server.get(`/api/runs/${id}/raw/${line}`)).text;
      expect(whole).toBe(JSON.parse(records[line - 1] ?? "").line);
      expect(isCut ? whole.slice(0, text.length) : whole).toBe(text);
    }
    expect((await read(`?from=${total + 5}`)).lines).toEqual([]);
  });

  it("of a growing recording grow, and a damaged or torn one is shown as it is", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const { raw } = recordingPaths(server.directory, id);
    const before: RawLines = JSON.parse((await server.get(`/api/runs/${id}/raw`)).text);
    appendFileSync(raw, 'not json\n{"timestamp":"torn');
    const after: RawLines = JSON.parse((await server.get(`/api/runs/${id}/raw`)).text);
    expect(after.total).toBe(before.total + 1);
    expect(after.lines.at(-1)).toMatchObject({ stream: "damaged", text: "not json\n" });
  });

  it.each([
    "/raw?from=x",
    "/raw?from=-1",
    "/raw?count=1e9",
    "/raw/0",
    "/raw/99999",
    "/events/99999",
    "/events/x",
  ])("%s is refused with a sentence", async (path) => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const answer = await server.get(`/api/runs/${id}${path}`);
    expect([400, 404]).toContain(answer.status);
    expect(JSON.parse(answer.text).message).toMatch(/\w+ \w+/);
  });
});

describe("starting a run", () => {
  const headers = (server: { token: string }) => ({
    authorization: `Bearer ${server.token}`,
    "content-type": "application/json",
  });

  it("is recorded where the others are, and can be cancelled", async () => {
    const server = await startTestServer({ trust: true });
    const home = join(server.directory, "..");
    writeFileSync(join(home, "harness.toml"), `[agents.generic]\nbinary = "${program("hang")}"\n`);
    const body = JSON.stringify({ agent: "generic", prompt: "hang on" });
    const answer = await ask(server, "/api/runs", { method: "POST", body, headers: headers(server) });
    expect(answer.status, answer.text).toBe(201);
    const { id } = JSON.parse(answer.text);
    const stream = messages(server, `/api/runs/${id}/stream`);
    const cancelled = await ask(server, `/api/runs/${id}/cancel`, {
      method: "POST",
      headers: headers(server),
    });
    expect(cancelled.status).toBe(202);
    expect((await stream).at(-2)?.data).toMatchObject({ row: { outcome: "cancelled", cwd: home } });
    const again = await ask(server, `/api/runs/${id}/cancel`, { method: "POST", headers: headers(server) });
    expect(again.status).toBe(404);
  });

  it.each([
    [{}, /./],
    [{ agent: "nobody", prompt: "x" }, /unknown agent/],
    [{ agent: "generic", prompt: "  " }, /empty/],
    [{ agent: "generic", prompt: "x", permissions: "root" }, /./],
    [{ agent: "generic", prompt: "x", binary: "/bin/sh" }, /./],
    [{ agent: "cursor", prompt: "x", permissions: "everything" }, /./],
  ])("%j is refused with a sentence", async (wanted, message) => {
    const server = await startTestServer();
    const answer = await ask(server, "/api/runs", {
      method: "POST",
      body: JSON.stringify(wanted),
      headers: headers(server),
    });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).message).toMatch(message);
  });

  it("is put together as `harness run` does it: limits, models and prices of the configuration count", async () => {
    const server = await startTestServer({ trust: true });
    writeFileSync(
      join(server.directory, "..", "harness.toml"),
      [
        "default_timeout_secs = 0.2",
        "[agents.claude]",
        `binary = "${program("hang")}"`,
        'env = { NAME = "value" }',
        "[models.mine]",
        'codex = "gpt-5.6-terra"',
      ].join("\n"),
    );
    const body = JSON.stringify({ agent: "claude", prompt: "hang on", model: "mine" });
    const answer = await ask(server, "/api/runs", { method: "POST", body, headers: headers(server) });
    expect(answer.status, answer.text).toBe(201);
    const { id, warnings } = JSON.parse(answer.text);
    expect(warnings).toEqual([expect.stringMatching(/"mine" has no id for Claude Code/)]);
    await messages(server, `/api/runs/${id}/stream`);
    const { outcome, meta } = await recordings.find(id, { directory: server.directory });
    expect(outcome).toBe("timed_out");
    expect(meta.envNames).toEqual(["NAME"]);
    expect(meta.argv).toContain("mine");
  });

  it("ends with the server", async () => {
    const server = await startTestServer({ trust: true });
    writeFileSync(
      join(server.directory, "..", "harness.toml"),
      `[agents.generic]\nbinary = "${program("hang")}"\n`,
    );
    const body = JSON.stringify({ agent: "generic", prompt: "hang on" });
    const answer = await ask(server, "/api/runs", { method: "POST", body, headers: headers(server) });
    await server.close();
    const { id } = JSON.parse(answer.text);
    expect((await recordings.find(id, { directory: server.directory })).outcome).toBe("cancelled");
    rmSync(server.directory, { recursive: true, force: true });
  });
});

describe("agents", () => {
  it("are listed with whether they can be started here", async () => {
    const server = await startTestServer();
    const { agents, cwd } = JSON.parse((await server.get("/api/agents")).text);
    expect(cwd).toBe(join(server.directory, ".."));
    expect(agents.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["claude", "codex"]));
    for (const agent of agents) expect(agent.isInstalled || agent.problem.length > 0).toBe(true);
  });
});
