import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { rolldown } from "rolldown";
import { expect, it, onTestFinished } from "vitest";
import { requireAgent } from "../../src/agents/registry.js";
import { formatEvents } from "../../src/outputs/format-events.js";
import { toResponse } from "../../src/outputs/to-response.js";
import { replayRecording } from "../../src/runs/recording/replay.js";
import { expectNoComplaints, openAddress, useBrowser } from "./support.js";

useBrowser();

const demo = fileURLToPath(new URL("../../demo/claude.jsonl", import.meta.url));
const html = `<!doctype html><meta charset="utf-8"><title>Chat clients</title>
<style>
  body { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; font: 14px sans-serif; }
  .call { color: #06c } .write, .activity { color: #070 } .subagent { color: #888 } .end { font-weight: bold }
</style>
<section><h2>AI SDK</h2><ol id="ai-sdk"></ol></section>
<section><h2>AG-UI</h2><ol id="ag-ui"></ol></section>
<script type="module" src="/page.js"></script>`;

/** The demo, as `sessions.replay` gives a recorded run. */
function replay() {
  const batches = () =>
    replayRecording(requireAgent("claude"), demo, {
      runId: "demo",
      cwd: "/workspace/cart",
      startedAt: "2026-11-15T20:51:56.000Z",
    });
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const steps of batches()) for (const { events } of steps) yield* events;
    },
  };
}

async function serve(): Promise<string> {
  const page = fileURLToPath(new URL("chat-clients/page.ts", import.meta.url));
  const bundle = await rolldown({ input: page, platform: "browser", logLevel: "silent" });
  const [{ code }] = (await bundle.generate({ format: "esm", codeSplitting: false })).output;
  const app = new Hono();
  app.get("/", (context) => context.html(html));
  app.get("/page.js", (context) => context.body(code, 200, { "content-type": "text/javascript" }));
  app.get("/favicon.ico", (context) => context.body(null, 204));
  app.post("/chat", () => toResponse(replay(), "ui-message"));
  app.post("/ag-ui", async (context) => {
    const { threadId, runId } = await context.req.json();
    return toResponse(replay(), "ag-ui", { threadId, runId });
  });
  const server = createAdaptorServer(app) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("shows a run with the AI SDK's transport and with AG-UI's client", async () => {
  const events = [];
  for await (const event of replay()) events.push(event);
  const [report] = formatEvents("json", events);
  const page = await openAddress(await serve());
  await page.waitForSelector("#ai-sdk .end");
  await page.waitForSelector("#ag-ui .end");
  const listed = (selector: string) => page.locator(selector).allTextContents();

  const said = events.flatMap((event) =>
    event.type === "agent" && !event.parentCallId ? [event.message] : [],
  );
  const starts = events.filter((event) => event.type === "tool_start");
  const tokens = report?.usage?.totalTokens;
  expect(said.length).toBeGreaterThan(3);
  expect(await listed("#ai-sdk .text.done")).toEqual(said);
  expect(await listed("#ag-ui .text:not(.subagent)")).toEqual(said);
  expect(await page.locator("#ai-sdk .call").count()).toBe(starts.length);
  expect(await page.locator("#ai-sdk .call.output-available, #ai-sdk .call.output-error").count()).toBe(
    starts.length,
  );
  expect(await listed("#ag-ui .call")).toEqual(starts.map(({ name }) => name));
  expect(await listed("#ai-sdk .write")).toEqual(["/workspace/cart/src/total.js"]);
  expect(await listed("#ag-ui .activity")).toContain("harness.write");
  expect(await listed("#ai-sdk .end")).toEqual([`completed, ${tokens} tokens`]);
  expect(await listed("#ag-ui .end")).toEqual([`success, ${tokens} tokens`]);
  expectNoComplaints(page);
});
