import { execFileSync } from "node:child_process";
import { renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { ask, messages, record, startTestServer, type TestServer } from "./support.js";

describe("what is planted among the recordings", () => {
  const links = [
    ["raw.jsonl", (server: TestServer, id: string) => recordingPaths(server.directory, id).raw],
    ["the sidecar", (server: TestServer, id: string) => recordingPaths(server.directory, id).meta],
    ["changes.patch", (server: TestServer, id: string) => recordingPaths(server.directory, id).patch],
    ["the folder", (server: TestServer, id: string) => recordingPaths(server.directory, id).folder],
  ] as const;

  it.each(links)("a link in place of %s is not followed", async (_name, pathOf) => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    writeFileSync(recordingPaths(server.directory, id).patch, "");
    const path = pathOf(server, id);
    const elsewhere = join(server.directory, "..", "elsewhere");
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    for (const part of ["raw", "raw/1", "raw-search?text=x", "events/1", "changes"]) {
      const { status, text } = await server.get(`/api/runs/${id}/${part}`);
      expect(status).toBe(404);
      expect(JSON.parse(text)).toMatchObject({ code: "unreadable_recording" });
    }
    const [only] = await messages(server, `/api/runs/${id}/stream`);
    expect(only).toMatchObject({ event: "refusal" });
    const { runs, unreadable } = JSON.parse((await server.get("/api/runs")).text);
    expect(runs).toEqual([]);
    expect(unreadable).toMatchObject([{ id }]);
  });

  it.skipIf(process.platform === "win32")("a pipe does not hold up the server", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const { raw, meta } = recordingPaths(server.directory, id);
    for (const path of [raw, meta, join(server.directory, "other.meta.json")]) {
      rmSync(path, { force: true });
      execFileSync("mkfifo", [path]);
    }
    const { unreadable } = JSON.parse((await server.get("/api/runs")).text);
    expect(unreadable.map((each: { id: string }) => each.id).sort()).toEqual([id, "other"].sort());
    expect((await server.get(`/api/runs/${id}/raw`)).status).toBe(404);
  });
});

describe("what is sent in", () => {
  const headersOf = (server: TestServer) => ({
    authorization: `Bearer ${server.token}`,
    "content-type": "application/json",
  });

  it.each([true, false])("more than 8 MB is refused (with a content-length: %j)", async (hasLength) => {
    const server = await startTestServer();
    const body = JSON.stringify({ agent: "generic", prompt: "x".repeat(9_000_000) });
    const headers = hasLength
      ? { "content-length": String(body.length) }
      : { "transfer-encoding": "chunked" };
    const answer = await ask(server, "/api/runs", {
      method: "POST",
      body,
      headers: { ...headersOf(server), ...headers },
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text).message).toMatch(/more than 8 MB/);
  });

  it("whatever it is, it starts nothing that is not a run", async () => {
    const server = await startTestServer();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
        const answer = await ask(server, "/api/runs", { method: "POST", body, headers: headersOf(server) });
        expect(answer.status).toBe(400);
      }),
      { numRuns: 30 },
    );
  });
});

describe("what the server writes", () => {
  it("is for its user only", async () => {
    const server = await startTestServer({ trust: true });
    writeFileSync(
      join(server.directory, "..", "harness.toml"),
      `[agents.generic]\nbinary = "${process.execPath}"\nextra_args = ["-e", "console.log(1)"]\n`,
    );
    const body = JSON.stringify({ agent: "generic", prompt: "x" });
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await ask(server, "/api/runs", { method: "POST", body, headers });
    const { id } = JSON.parse(answer.text);
    await messages(server, `/api/runs/${id}/stream`);
    const { raw, events, meta, ndjson, folder } = recordingPaths(server.directory, id);
    for (const path of [raw, events, meta, ndjson, join(server.directory, "..", "key")])
      expect(statSync(path).mode & 0o777, path).toBe(0o600);
    for (const path of [folder, server.directory]) expect(statSync(path).mode & 0o777, path).toBe(0o700);
  });
});
