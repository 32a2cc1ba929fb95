import { expect, it } from "vitest";
import { type FollowedPart, followRun } from "../../src/batch/queue/follow-run.js";
import { createLiveEvents, streamBytes } from "../../src/batch/queue/live-events.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { describeWithRedis, startRedis } from "./support/redis-server.js";

const eventOf = (number: number, text = ""): HarnessEvent => ({
  type: "agent",
  timestamp: "2026-01-01T00:00:00.000Z",
  runId: "run",
  seq: number,
  message: `${number} ${text}`,
});

describeWithRedis("the events of a run, live", () => {
  it("reach whoever follows, in order, before and after the run has begun, until it ends", async () => {
    const server = await startRedis();
    const followed = collect(followRun(server.url, "run"));
    const stream = createLiveEvents(server.client(), "run");
    for (let number = 0; number < 500; number++) stream.push([{ events: [eventOf(number)] }]);
    await stream.end();
    const numbers = Array.from({ length: 500 }, (_, number) => number);
    expect(numbersIn(await followed)).toEqual(numbers);
    expect(numbersIn(await collect(followRun(server.url, "run")))).toEqual(numbers);
    expect((await followed).at(-1)).toEqual({ kind: "end" });
    await server.close();
  });

  it("take a bounded part of Redis, expire, and say how many lines are missing", async () => {
    const server = await startRedis();
    const redis = server.client();
    const stream = createLiveEvents(redis, "run");
    const count = 400;
    const text = "x".repeat(30_000);
    for (let number = 0; number < count; number++) {
      stream.push([{ events: [eventOf(number, text)] }]);
      if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await stream.end();
    const bytes = await redis.call("MEMORY", "USAGE", "harness:events:run", "SAMPLES", "0");
    expect(Number(bytes)).toBeLessThan(1.5 * streamBytes);
    expect(await redis.pttl("harness:events:run")).toBeGreaterThan(0);
    const parts = await collect(followRun(server.url, "run"));
    const missing = parts.reduce((sum, part) => sum + (part.kind === "gap" ? part.lines : 0), 0);
    const numbers = numbersIn(parts);
    expect(missing).toBeGreaterThan(0);
    expect(missing + numbers.length).toBe(count);
    expect(numbers.at(-1)).toBe(count - 1);
    await server.close();
  });

  it("are dropped rather than kept in memory while Redis is away", async () => {
    const server = await startRedis();
    const redis = server.client();
    await redis.ping();
    await server.kill();
    const stream = createLiveEvents(redis, "run");
    const text = "x".repeat(100_000);
    for (let number = 0; number < 200; number++) stream.push([{ events: [eventOf(number, text)] }]);
    await server.start();
    for (let number = 200; number < 210; number++) {
      stream.push([{ events: [eventOf(number)] }]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await stream.end();
    const parts = await collect(followRun(server.url, "run"));
    const numbers = numbersIn(parts);
    expect(numbers.at(-1)).toBe(209);
    expect(numbers.length).toBeLessThan(60);
    await server.close();
  });
});

async function collect(parts: AsyncIterable<FollowedPart>): Promise<FollowedPart[]> {
  const all: FollowedPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

function numbersIn(parts: readonly FollowedPart[]): number[] {
  return parts.flatMap((part) =>
    part.kind !== "lines"
      ? []
      : part.text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => Number.parseInt(JSON.parse(line).message, 10)),
  );
}
