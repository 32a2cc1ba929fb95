import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toRawLine } from "../../src/events/raw-jsonl.js";
import type { RawRecord } from "../../src/events/raw-record.js";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import type { RunAbout, StepsMessage } from "../../src/server/protocol.js";
import { liveSession } from "../outputs/live-session.js";
import { claudeLines, writeRecording } from "./recordings.js";
import { expectNoComplaints, narrow, open, serve, type TestPage, useBrowser } from "./support.js";

useBrowser();

const id = "20261115-120000-live01";

/** The page gets these events as those of the run, whatever its recording says. */
async function answerWithSession(page: TestPage): Promise<void> {
  const events = liveSession().flat();
  const startedAt = events[0]?.timestamp ?? "";
  const about: RunAbout = {
    row: { id, outcome: "completed", agent: "claude", prompt: "", cwd: "/repo", startedAt },
    prompt: "",
    argv: ["claude"],
    permissions: "ask",
  };
  const steps: StepsMessage = { events, cut: [], consumed: [], lines: 20 };
  const messages = { about, steps, end: {} };
  const body = Object.entries(messages)
    .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
    .join("");
  await page.route(`**/api/runs/${id}/stream*`, (route) =>
    route.fulfill({ status: 200, headers: { "content-type": "text/event-stream" }, body }),
  );
}

describe("a live session", () => {
  it("has its turns with their prompts, requests with who decided, and plans", async () => {
    const server = await serve();
    writeRecording(server.directory, id, { agent: "claude", lines: claudeLines(3) });
    const page = await open(server, "", narrow);
    await answerWithSession(page);
    await page.goto(`${server.url}#/run/${id}`);
    await page.waitForSelector(".turn-start:has-text('Fix it.')");
    const words = (await page.locator(".item").allTextContents()).join("\n");
    for (const expected of ["answered by the user", "denied by the user", "withdrawn", "1 of 3 done: Fix it"])
      expect(words).toContain(expected);
    await page.locator(".item.plan .head").first().click();
    await page.waitForSelector(".item.plan.open .in_progress:has-text('Find out why')");
    await page.locator(".item.request .head").first().click();
    await page.waitForSelector(".item.request.open li:has-text('Nearest')");
    await page.click(".kind.request");
    await expect.poll(() => page.locator(".item.request").count()).toBe(0);
    expectNoComplaints(page);
  });

  it("has raw lines that say who sent them", async () => {
    const server = await serve();
    writeRecording(server.directory, id, { agent: "claude", lines: [] });
    const timestamp = "2026-11-15T12:00:00.000Z";
    const records: RawRecord[] = [
      { timestamp, stream: "sent", line: "a prompt", turnId: "t1" },
      { timestamp, stream: "received", line: "an answer" },
      { timestamp, stream: "process", exitCode: 0, signal: null },
      { timestamp, stream: "exit", exitCode: 0, signal: null, reason: "completed" },
    ];
    const { folder, raw } = recordingPaths(server.directory, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(raw, records.map(toRawLine).join(""));
    const page = await open(server, `#/run/${id}/raw`);
    await page.waitForSelector(".raw-line.sent:has-text('a prompt')");
    expect(await page.locator(".stream").allTextContents()).toEqual([
      "→ sent",
      "← received",
      "process",
      "exit",
    ]);
    expectNoComplaints(page);
  });
});
