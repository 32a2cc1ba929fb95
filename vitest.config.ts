import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/fuzz-seed.ts", "test/support/own-temporary-directory.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Many tests wait for processes of their own; one worker fewer than processors, as is usual, would idle.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
