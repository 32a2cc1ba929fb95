import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSendQueue, type SendQueueOptions, type SendSignals } from "../../src/sending/send-queue.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { sizeOf: () => 1, maxWaiting: 100, maxSent: 1, gatherMs: 0, endMs: 10_000 };

/** A delivery that hangs until its time is over. */
function hang({ stop }: SendSignals): Promise<{ problem: string; isAway: boolean }> {
  const failure = { problem: "it hangs", isAway: true };
  return new Promise((resolve) => {
    stop.addEventListener("abort", () => resolve(failure));
    if (stop.aborted) resolve(failure);
  });
}

/** How long `end` takes, and what it says, by the clock of the test. */
async function ending(
  send: SendQueueOptions<number>["send"],
  options: Partial<SendQueueOptions<number>> = {},
): Promise<{ ms: number; sent: number; givenUp: number }> {
  const queue = createSendQueue<number>({ ...limits, ...options, send });
  queue.push(1);
  await vi.advanceTimersByTimeAsync(10);
  for (let item = 2; item <= 5; item += 1) queue.push(item);
  const begin = performance.now();
  const ended = queue.end().then(({ sent, givenUp }) => ({ ms: performance.now() - begin, sent, givenUp }));
  await vi.runAllTimersAsync();
  return ended;
}

describe("the end of a queue", () => {
  it("waits 2.5 s for an address that nobody has heard from", async () => {
    expect(await ending(async (_, signals) => hang(signals))).toEqual({ ms: 2500, sent: 0, givenUp: 5 });
  });

  it("waits 1 s for an address that was away in the run, and sends the rest if it is back", async () => {
    const away = async ([item]: readonly number[], signals: SendSignals, isBack: boolean) => {
      if (item === 1) signals.noteAttempt(false);
      if (item === 1) return { problem: "refused", isAway: true };
      if (!isBack) return hang(signals);
      signals.noteAttempt(true);
      return undefined;
    };
    expect(await ending((items, signals) => away(items, signals, false))).toEqual({
      ms: 1000,
      sent: 0,
      givenUp: 5,
    });
    expect(await ending((items, signals) => away(items, signals, true))).toEqual({
      ms: 0,
      sent: 4,
      givenUp: 1,
    });
  });

  it("gives up everything after the first delivery that does not arrive", async () => {
    const tried: number[] = [];
    const found = await ending(async ([item = 0], signals) => {
      tried.push(item);
      if (item > 1) return { problem: "refused", isAway: true };
      signals.noteAttempt(true);
      return undefined;
    });
    expect({ ...found, tried }).toEqual({ ms: 0, sent: 1, givenUp: 4, tried: [1, 2] });
  });

  it("goes on after an answer that is final", async () => {
    const found = await ending(async ([item], signals) => {
      signals.noteAttempt(true);
      return item === 2 ? { problem: "it answers with status 400", isAway: false } : undefined;
    });
    expect(found).toEqual({ ms: 0, sent: 4, givenUp: 1 });
  });

  it("waits 5 s for the next answer of an address that answers, and 10 s in all", async () => {
    const answer =
      (ms: number) =>
      async ([item = 0]: readonly number[], signals: SendSignals) => {
        if (item > 1) await new Promise((resolve) => setTimeout(resolve, ms));
        if (signals.stop.aborted) return { problem: "too late", isAway: true };
        signals.noteAttempt(true);
        return undefined;
      };
    expect(await ending(answer(2000))).toEqual({ ms: 8000, sent: 5, givenUp: 0 });
    expect(await ending(answer(4000))).toMatchObject({ sent: 3, givenUp: 2 });
    const silent = await ending(async ([item = 0], signals) => {
      if (item > 1) return hang(signals);
      signals.noteAttempt(true);
      return undefined;
    });
    expect(silent).toEqual({ ms: 5000, sent: 1, givenUp: 4 });
  });

  it("takes all its time if it was asked to", async () => {
    const found = await ending(
      async (_, signals) => {
        signals.noteAttempt(false);
        return hang(signals);
      },
      { isPatient: true, endMs: 600_000 },
    );
    expect(found).toEqual({ ms: 600_000, sent: 0, givenUp: 5 });
  });
});

describe("what waits", () => {
  it("keeps the order and gives up the oldest first, precious ones last, however many come by", async () => {
    const taken: number[] = [];
    let release: (() => void) | undefined;
    const queue = createSendQueue<number>({
      ...limits,
      isPrecious: (item) => item % 5000 === 1,
      async send([item = -1], signals) {
        taken.push(item);
        if (item === 0) await new Promise<void>((resolve) => (release = resolve));
        signals.noteAttempt(true);
        return undefined;
      },
    });
    queue.push(0);
    await vi.advanceTimersByTimeAsync(10);
    for (let item = 1; item <= 20_000; item += 1) queue.push(item);
    release?.();
    const { sent, givenUp } = await queue.end();
    const precious = [1, 5001, 10_001, 15_001];
    expect(taken).toEqual([0, ...precious, ...Array.from({ length: 96 }, (_, at) => 19_905 + at)]);
    expect({ sent, givenUp }).toEqual({ sent: 101, givenUp: 19_900 });
  });
});
