import { defineConfig } from "vitest/config";

/** The real agents, two at a time: one is one file, and its scenarios run one after the other. */
export default defineConfig({
  test: {
    include: ["test/real/agents/*.real.ts", "test/real/batch/*.real.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Programs that are not ours, with time limits that are not ours: one that fails twice has changed.
    retry: 1,
    reporters: ["verbose"],
  },
});
