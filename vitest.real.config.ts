import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** The real agents, several at a time: one is one file, and its scenarios run one after the other. */
export default defineConfig({
  test: {
    include: ["test/real/agents/*.real.ts", "test/real/batch/*.real.ts"],
    pool: "forks",
    // They wait for most of the time: for time limits, grace periods and retries. Two on two processors would leave them idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Programs that are not ours, with time limits that are not ours: one that fails twice has changed.
    retry: 1,
    reporters: ["verbose"],
  },
});
