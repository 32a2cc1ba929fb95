import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, in this order. One that began last would be waited for alone. */
const longest = ["batch", "kilo", "opencode", "copilot", "cline", "kimi", "qwen", "claude"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.indexOf(basename(moduleId, ".real.ts"));
      return index === -1 ? longest.length : index;
    };
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

/** The real agents, several at a time: one is one file, and its scenarios run one after the other. */
export default defineConfig({
  test: {
    include: ["test/real/agents/*.real.ts", "test/real/batch/*.real.ts"],
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    // They wait for most of the time: for time limits, grace periods and retries. Two on two processors would leave them idle.
    maxWorkers: Math.max(3, availableParallelism()),
    // Programs that are not ours, with time limits that are not ours: one that fails twice has changed.
    retry: 1,
    reporters: ["verbose"],
  },
});
