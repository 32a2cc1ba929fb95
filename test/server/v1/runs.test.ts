import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeCells } from "../../../src/batch/make-cells.js";
import { outputNames } from "../../../src/outputs/registry.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { streamedFormats } from "../../../src/server/v1/stream-events.js";
import { writeBatch } from "../../support/write-batch.mjs";
import { type Message, record } from "../support.js";
import { connect } from "./client.js";

const ndjson = { accept: "application/x-ndjson" };

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The items in a file: lines of JSON, or messages of an event stream. */
const itemsIn = (text: string): string[] =>
  linesOf(text)
    .map((line) => line.replace(/^data: /, ""))
    .filter((line) => line !== "[DONE]");

/** What an event stream says besides its end: the items, with the number that each was sent under. */
const itemsOf = (found: readonly Message[]) => found.filter(({ event }) => event === "message");

describe("recorded runs", () => {
  it("are listed in pages, by agent, outcome and time", async () => {
    const client = await connect();
    const { directory } = client.server;
    const first = await record(directory, "claude", "files", { runId: "a" });
    const second = await record(directory, "codex", "0.166.0-text", { runId: "b" });
    const third = await record(directory, "claude", "text", { runId: "c" });
    const idsOf = async (query: string) => {
      const { json } = await client.get(`/runs${query}`);
      return [(json["runs"] as { id: string }[]).map(({ id }) => id), json["hasMore"], json["total"]];
    };
    const [all] = await idsOf("");
    expect([...(all as string[])].sort()).toEqual([first, second, third].sort());
    const order = all as string[];
    expect(await idsOf("?limit=2")).toEqual([order.slice(0, 2), true, 3]);
    expect(await idsOf(`?limit=2&after=${order[1]}`)).toEqual([order.slice(2), false, 3]);
    expect(await idsOf("?agent=codex")).toEqual([[second], false, 3]);
    expect((await idsOf("?agent=claude-code"))[0]).toHaveLength(2);
    expect((await idsOf("?outcome=completed"))[0]).toHaveLength(3);
    expect((await idsOf("?outcome=running"))[0]).toEqual([]);
    expect((await idsOf("?since=1h"))[0]).toHaveLength(3);
    expect((await idsOf("?since=2999-01-01T00:00:00.000Z"))[0]).toEqual([]);
    for (const query of [
      "limit=0",
      "limit=x",
      "limit=1&limit=2",
      "outcome=won",
      "since=soon",
      "agnet=claude",
    ])
      expect(await client.refused("GET", `/runs?${query}`), query).toEqual([400, "bad_request"]);
    for (const after of ["nobody", "..%2Fkey"])
      expect(await client.refused("GET", `/runs?after=${after}`)).toEqual([404, "unknown_session"]);
    expect((await client.delete(`/runs/${second}`)).json).toEqual({ id: second });
    expect(await idsOf("?agent=codex")).toEqual([[], false, 2]);
    expect(await client.refused("GET", `/runs/${second}`)).toEqual([404, "unknown_session"]);
  });

  it("are described with their report, their raw lines and their changes", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "claude", "files");
    const { json } = await client.get(`/runs/${id}?wait=600`);
    expect(json).toMatchObject({ run: { id, outcome: "completed" }, prompt: "files of claude" });
    const { json: report } = await client.get(`/runs/${id}/export/json`);
    expect(json["report"]).toEqual(report);
    const { raw, patch, events } = recordingPaths(client.server.directory, id);
    expect((await client.get(`/runs/${id}/raw`)).text).toBe(readFileSync(raw, "utf8"));
    expect(await client.refused("GET", `/runs/${id}/changes`)).toEqual([404, "no_changes"]);
    writeFileSync(patch, "diff --git a/a b/a\n");
    expect((await client.get(`/runs/${id}/changes`)).text).toBe("diff --git a/a b/a\n");
    // Only the sidecar is left.
    rmSync(raw);
    rmSync(events);
    const left = (await client.get(`/runs/${id}`)).json;
    expect(left).toMatchObject({ problem: expect.stringContaining("cannot be read") });
    expect(left["report"]).toBeUndefined();
    expect(await client.refused("GET", `/runs/${id}/export/html`)).toEqual([404, "unreadable_recording"]);
    for (const part of ["raw", "events"])
      expect(await client.refused("GET", `/runs/${id}/${part}`)).toEqual([404, "gone"]);
  });

  it("are handed out in every format, as a file", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "codex", "0.166.0-text");
    const { json } = await client.get("/formats");
    expect(json["formats"]).toMatchObject(outputNames.map((name) => ({ name })));
    for (const name of outputNames) {
      const { status, text, headers } = await client.get(`/runs/${id}/export/${name}`);
      expect([name, status, text.length > 20]).toEqual([name, 200, true]);
      expect(headers["content-disposition"]).toMatch(new RegExp(`^attachment; filename="${id}\\.[\\w.]+"$`));
    }
    for (const name of ["toString", "pdf", "..%2F..%2Fkey"])
      expect(await client.refused("GET", `/runs/${id}/export/${name}`)).toEqual([404, "unknown_format"]);
  });
});

describe("the events of a recorded run", () => {
  it("are the same as messages, as lines and as a file, in every format", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "claude", "files");
    for (const format of streamedFormats) {
      const file = itemsIn((await client.get(`/runs/${id}/export/${format}`)).text);
      const lines = await client.get(`/runs/${id}/events?format=${format}`, ndjson);
      expect(linesOf(lines.text), format).toEqual(file);
      const found = await client.follow(`/runs/${id}/events?format=${format}`);
      expect(
        itemsOf(found).map(({ data }) => data),
        format,
      ).toEqual(file.map((line) => JSON.parse(line)));
    }
    const found = await client.follow(`/runs/${id}/events`);
    expect(found.at(-1)).toMatchObject({ event: "end", data: { id, outcome: "completed" } });
    expect(itemsOf(found).map((item) => item.id)).toEqual(
      itemsOf(found).map(({ data }) => String(data["seq"])),
    );
    for (const format of ["text", "html", "raw", "nothing"])
      expect(await client.refused("GET", `/runs/${id}/events?format=${format}`)).toEqual([
        400,
        "bad_request",
      ]);
  });

  it("go on behind any message, and nothing is lost or sent twice", async () => {
    const client = await connect();
    const id = await record(client.server.directory, "claude", "subagent");
    for (const format of ["full", "ndjson", "run-events", "events"]) {
      const path = `/runs/${id}/events?format=${format}`;
      const whole = itemsOf(await client.follow(path));
      const numbered = whole.flatMap((item, index) => (item.id === undefined ? [] : [{ ...item, index }]));
      expect(numbered.length).toBeGreaterThan(3);
      const cuts = [0, 1, Math.floor(numbered.length / 2), numbered.length - 1];
      for (const { id: last = "", index } of cuts.flatMap((cut) => numbered[cut] ?? [])) {
        const rest = await client.follow(path, undefined, { "last-event-id": last });
        expect([format, last, itemsOf(rest)]).toEqual([format, last, whole.slice(index + 1)]);
        const lines = await client.get(`${path}&after=${last}`, ndjson);
        expect(linesOf(lines.text)).toHaveLength(whole.length - index - 1);
      }
    }
    const { status } = await client.get(`/runs/${id}/events`, { "last-event-id": "x" });
    expect(status).toBe(400);
    expect(await client.refused("GET", `/runs/${id}/events?after=-1`)).toEqual([400, "bad_request"]);
  });
});

describe("the server itself", () => {
  it("says which agents, batches and operations there are", async () => {
    const client = await connect();
    const { json: agents } = await client.get("/agents");
    expect((agents["agents"] as { id: string }[]).map(({ id }) => id)).toContain("codex");
    expect((await client.get("/status")).json).toMatchObject({ api: 1, pid: process.pid, waiting: 0 });
    expect((await client.get("/openapi.json")).json).toMatchObject({ openapi: "3.1.0" });
    expect((await client.get("/batches")).json).toEqual({ batches: [], unreadable: [] });
    const plan = { tasks: [{ id: "one" }], arms: [{ agent: "claude" }] };
    writeBatch({ batches: client.server.batches, id: "b", makeCells, plan });
    expect((await client.get("/batches")).json).toMatchObject({ batches: [{ id: "b" }] });
    const { json: batch } = await client.get("/batches/b");
    expect(batch).toMatchObject({ batch: { id: "b" }, tasks: [{ id: "one" }], cells: [{ task: 0, arm: 0 }] });
    expect(await client.refused("GET", "/batches/c")).toEqual([404, "unknown_batch"]);
    expect(await client.refused("GET", "/batches/..%2F..")).toEqual([404, "unknown_batch"]);
    writeFileSync(join(client.server.directory, "..", "harness.toml"), "agents = 1");
    expect(await client.refused("GET", "/agents")).toEqual([400, "invalid_config"]);
  });
});
