import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { recordingPaths } from "../../src/runs/recording/paths.js";
import { collect, finish, ofType, start } from "./test-agent.js";

const megabyte = 1024 * 1024;
const lines = 40_000;

it("a reader that stops reading stops the agent, and loses nothing", async () => {
  const { run, sessions } = start("flood.mjs", { extraArgs: [String(lines)] });
  const raw = recordingPaths(sessions, run.runId).raw;
  let said = 0;
  let hasPaused = false;
  for await (const event of run) {
    if (event.type !== "agent") continue;
    said += 1;
    if (hasPaused) continue;
    hasPaused = true;
    await untilSteady(() => statSync(raw).size);
    expect(statSync(raw).size).toBeLessThan(16 * megabyte);
  }
  expect(said).toBe(lines);
  expect(await run.result).toMatchObject({ isSuccess: true, text: "flooded" });
});

it("a run that nobody reads holds no events, and says so to a late reader", async () => {
  const { run } = start("flood.mjs", { extraArgs: [String(lines)], log: false });
  await run.result;
  expect(() => run.batches()).toThrow(expect.objectContaining({ code: "events_not_kept" }));
});

it("a flood of diagnostics is read to its end", async () => {
  const { events, result } = await finish("flood.mjs", { extraArgs: ["5000", "stderr"] });
  expect(ofType(events, "warning")).toHaveLength(5000);
  expect(result).toMatchObject({ isSuccess: true });
});

it("a reader that stops reading stops a flood of diagnostics too", async () => {
  const { run, sessions } = start("flood.mjs", { extraArgs: [String(lines), "stderr"] });
  const raw = recordingPaths(sessions, run.runId).raw;
  let warnings = 0;
  for await (const event of run) {
    if (event.type !== "warning") continue;
    warnings += 1;
    if (warnings > 1) continue;
    await untilSteady(() => statSync(raw).size);
    expect(statSync(raw).size).toBeLessThan(30 * megabyte);
  }
  expect(warnings).toBe(lines);
});

it("a stalled reader does not keep a run from ending", async () => {
  const { run } = start("flood.mjs", { extraArgs: [String(lines)], log: false, timeoutMs: 1500 });
  const reader = run.batches()[Symbol.asyncIterator]();
  await reader.next();
  expect(await run.result).toMatchObject({ reason: "timed_out" });
  const rest = await collect(eventsOf(reader));
  expect(rest.at(-1)).toMatchObject({ type: "exited" });
});

it("a line beyond the cap keeps its head", async () => {
  const { events, result } = await finish("flood.mjs", { extraArgs: ["3"], maxLineBytes: 100 });
  expect(ofType(events, "warning").map((event) => event.code)).toEqual([
    "line_too_long",
    "line_too_long",
    "line_too_long",
  ]);
  expect(ofType(events, "unknown").map((event) => String(event.raw).length)).toEqual([100, 100, 100]);
  expect(result).toMatchObject({ isSuccess: true });
});

async function* eventsOf(
  reader: AsyncIterator<readonly { events: readonly import("../../src/events/event.js").HarnessEvent[] }[]>,
) {
  for (let next = await reader.next(); !next.done; next = await reader.next()) {
    for (const step of next.value) yield* step.events;
  }
}

/** Waits until a number has not changed for a while. */
async function untilSteady(read: () => number): Promise<void> {
  for (let before = -1; before !== read(); ) {
    before = read();
    await sleep(300);
  }
}

it("gives every batch once to readers that ask for several at a time", async () => {
  const { run } = start("flood.mjs", { extraArgs: ["2000"], log: false });
  const reader = run.batches()[Symbol.asyncIterator]();
  const seen: number[] = [];
  for (let isDone = false; !isDone; ) {
    const results = await Promise.all([reader.next(), reader.next(), reader.next()]);
    for (const { value, done } of results) {
      if (done) isDone = true;
      else seen.push(...value.flatMap((step) => step.events.map(({ seq }) => seq)));
    }
  }
  expect(seen).toEqual(seen.map((_seq, index) => index));
  expect(seen.length).toBeGreaterThan(2000);
});
