import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/fuzz-seed.ts", "test/support/own-temporary-directory.ts"],
    // Runs in this repository would each compare all of it. What is about changes asks for them.
    env: { HARNESS_CHANGES: "0" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Many tests wait for processes of their own; one worker fewer than processors, as is usual, would idle.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
