import type { BatchOptions } from "../../batch/batch.js";
import { HarnessError } from "../../errors.js";
import { defaultRecordingsDirectory } from "../../runs/recording/paths.js";
import { complain } from "../complain.js";
import { readVersion } from "../package-files.js";
import type { ResumeFlags } from "./command.js";

type QueueFlags = Pick<ResumeFlags, "queue" | "shelf" | "concurrency">;

/** Refuses options that would have no effect. */
export function checkRunning({ queue, shelf }: QueueFlags): void {
  if (shelf !== undefined && queue === undefined)
    throw new HarnessError("invalid_option", "--shelf is for --queue; add it, or leave --shelf out");
}

/** Who carries out the cells: this process, or the workers of a queue. The packages of the queue are loaded only then. */
export function executorFor({ queue, shelf, concurrency }: QueueFlags): Pick<BatchOptions, "executor"> {
  if (queue === undefined) return {};
  return {
    async executor(batch) {
      const { createQueueExecutor } = await import("../../batch/queue/queue-executor.js");
      return createQueueExecutor({
        ...batch,
        url: queue,
        shelf,
        concurrency,
        version: readVersion(),
        sessionsDirectory: defaultRecordingsDirectory(),
        onNotice: complain,
      });
    },
  };
}
