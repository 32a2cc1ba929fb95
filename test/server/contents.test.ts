import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { patch } from "../page/patches.js";
import { record, startTestServer } from "./support.js";

describe("what a run changed", () => {
  it("is its patch as it is, and a sentence if there is none", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text", { changes: false });
    const none = await server.get(`/api/runs/${id}/changes`);
    expect(none.status).toBe(404);
    expect(JSON.parse(none.text)).toMatchObject({
      code: "no_changes",
      message: expect.stringContaining("git repository"),
    });
    writeFileSync(recordingPaths(server.directory, id).patch, patch);
    const { status, text, headers } = await server.get(`/api/runs/${id}/changes`);
    expect(status).toBe(200);
    expect(text).toBe(patch);
    expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  });
});

describe("searching raw lines", () => {
  it("finds the next line with a text in any case, however long the lines are", async () => {
    const server = await startTestServer();
    const id = await record(server.directory, "claude", "text", { changes: false });
    const { raw } = recordingPaths(server.directory, id);
    const before = readFileSync(raw, "utf8").trimEnd().split("\n").length;
    const line = (text: string): string =>
      `${JSON.stringify({ timestamp: "2026-11-15T12:00:00.000Z", stream: "stdout", line: text })}\n`;
    appendFileSync(raw, line(`${"x".repeat(3_000_000)} Needle "1"`) + line("hay") + line('needle "2"'));
    const find = async (text: string, from: number): Promise<unknown> =>
      JSON.parse(
        (await server.get(`/api/runs/${id}/raw-search?text=${encodeURIComponent(text)}&from=${from}`)).text,
      );
    expect(await find('NEEDLE "', 1)).toEqual({ line: before + 1 });
    expect(await find('needle "', before + 2)).toEqual({ line: before + 3 });
    expect(await find("no such text", 1)).toEqual({});
    expect((await server.get(`/api/runs/${id}/raw-search?text=`)).status).toBe(400);
    expect((await server.get(`/api/runs/${id}/raw-search?text=x&from=-1`)).status).toBe(400);
  });
});
