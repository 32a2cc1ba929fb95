import { expect, it } from "vitest";
import { countTurns, spin } from "../process/turn-count.js";
import { start } from "./test-agent.js";

/** What a reader does with the events of one line. */
const msPerLine = 0.01;
const flood = { binary: "yes", extraArgs: ["123456789"] };

it.each([{ log: true }, { log: false }])(
  "a flood of short lines leaves signals and timers their turns (recorded: $log)",
  async ({ log }) => {
    const { run } = start("", { ...flood, log });
    const turns = countTurns();
    for await (const steps of run.batches()) {
      spin(steps.length * msPerLine);
      turns.add(steps.length);
      if (turns.total > 25_000) break;
    }
    run.cancel();
    expect(await run.result).toMatchObject({ reason: "cancelled" });
    expect(turns.most() * msPerLine).toBeLessThan(50);
  },
);

it("a flood of short lines is ended by its time limit, and what was read is kept", async () => {
  const { run } = start("", { ...flood, timeoutMs: 500 });
  let lines = 0;
  let last: string | undefined;
  for await (const event of run) {
    if (event.type === "unknown") lines += 1;
    last = event.type;
  }
  expect(await run.result).toMatchObject({ reason: "timed_out" });
  expect(lines).toBeGreaterThan(1000);
  expect(last).toBe("exited");
});
