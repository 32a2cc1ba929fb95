import { defineConfig } from "vitest/config";

/** The real agents, two at a time: one is one file, and its scenarios run one after the other. */
export default defineConfig({
  test: {
    include: ["test/real/agents/*.real.ts"],
    pool: "forks",
    maxWorkers: 2,
    reporters: ["verbose"],
  },
});
