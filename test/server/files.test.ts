import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run } from "../../src/live/run.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { program } from "../cli/harness.js";
import { type Answer, ask, record, startTestServer, type TestServer } from "./support.js";

function remove(server: TestServer, id: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.token}` };
  return ask(server, `/api/runs/${id}`, { method: "DELETE", headers });
}

describe("a recording that is removed from the page", () => {
  it("is gone with all its files, and the others are not", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const other = await record(server.directory, "claude", "files");
    expect(await remove(server, id)).toMatchObject({ status: 200 });
    const { meta, folder, ndjson } = recordingPaths(server.directory, id);
    expect([meta, folder, ndjson].filter(existsSync)).toEqual([]);
    expect(existsSync(recordingPaths(server.directory, other).raw)).toBe(true);
    expect((await remove(server, id)).status).toBe(404);
    expect((await remove(server, other.slice(0, -2))).status).toBe(404);
  });

  it("stays if its run goes on", async () => {
    const server = await startTestServer();
    const binary = program(`console.log("{}"); setInterval(() => {}, 1000);`);
    const under = run({ agent: "claude", prompt: "x", binary, sessionsDirectory: server.directory });
    onTestFinished(async () => {
      under.cancel();
      await under.result;
    });
    for await (const _ of under) break;
    const refused = await remove(server, under.runId);
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([400, "session_running"]);
    expect(existsSync(recordingPaths(server.directory, under.runId).meta)).toBe(true);
  });

  it("is removed without what its links lead to", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const kept = join(server.directory, "..", "kept");
    mkdirSync(kept);
    writeFileSync(join(kept, "file"), "x");
    symlinkSync(kept, join(recordingPaths(server.directory, id).folder, "link"));
    expect((await remove(server, id)).status).toBe(200);
    expect(existsSync(join(kept, "file"))).toBe(true);
  });
});

describe("a recording as a file", () => {
  it.each([
    ["html", "text/html; charset=utf-8", /^<!doctype html>/i],
    ["markdown", "text/markdown; charset=utf-8", /text of claude/],
    ["json", "application/json", /^\{/],
  ])("%s", async (format, type, content) => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const { status, headers, text } = await server.get(`/api/runs/${id}/export/${format}`);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe(type);
    // It is saved, and never a page of this server.
    expect(headers["content-disposition"]).toMatch(
      new RegExp(`^attachment; filename="${id}\\.(html|md|json)"$`),
    );
    expect(text).toMatch(content);
  });

  it("no other format, and nothing behind a link", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text");
    const refused = await server.get(`/api/runs/${id}/export/pdf`);
    expect(JSON.parse(refused.text)).toEqual({
      code: "unknown_format",
      message: "choose one of html, markdown, json",
    });
    const secret = join(server.directory, "..", "key");
    symlinkSync(secret, recordingPaths(server.directory, id).patch);
    expect((await server.get(`/api/runs/${id}/export/html`)).status).toBe(404);
  });
});
