import { availableParallelism } from "node:os";
import type { FlagsOf, OptionDeclaration } from "../declarations.js";
import { defineCommand } from "../define-command.js";
import { lengthOfTime, notEmpty, positiveInteger } from "../option-values.js";
import { withQueue } from "../queue-address.js";
import { trustOption } from "../shared-options.js";

const options = [
  {
    flags: "--queue <url>",
    description:
      "the Redis or Valkey server: redis://host:6379, or rediss:// with TLS (default: HARNESS_QUEUE of the environment)",
    parse: notEmpty,
  },
  {
    flags: "--concurrency <n>",
    description: "how many runs at once",
    parse: positiveInteger,
    default: Math.min(4, availableParallelism()),
    defaultText: "4, or fewer on a machine with fewer cores",
  },
  {
    flags: "--agents <names...>",
    description: "take only cells of these agents, separated by commas (default: all that are installed)",
  },
  {
    flags: "--shelf <address>",
    description: "where this machine finds the files that the batch ships, if it is another address here",
    parse: notEmpty,
  },
  {
    flags: "--work-directory <directory>",
    description: "where the workspaces are made, instead of the directory for temporary files",
    parse: notEmpty,
  },
  {
    flags: "--drain <time>",
    description:
      "after SIGTERM, how long runs under way may take before they go back to the queue (90s, 10m)",
    parse: lengthOfTime,
    default: 20_000,
    defaultText: "20s",
  },
  {
    flags: "--name <name>",
    description: "what reports call this worker (default: machine and process)",
    parse: notEmpty,
  },
  trustOption,
] as const satisfies readonly OptionDeclaration[];
export type WorkerFlags = FlagsOf<typeof options> & { readonly queue: string };

export const workerCommand = defineCommand({
  name: "worker",
  description: "run cells of batches that were started with --queue",
  options,
  help: `It takes cells of the agents that are installed here, of batches that the same version of harness started, and prints what it
does not take and why. It runs until SIGTERM or Ctrl-C: then it takes no more cells, and cells under way end or go back to the
queue. A second signal returns them at once.

Examples:
  harness worker --queue redis://10.0.0.5:6379
  harness worker --queue redis://10.0.0.5:6379 --concurrency 8 --agents claude,codex
  HARNESS_QUEUE=rediss://:PASSWORD@10.0.0.5:6379 harness worker      other users cannot see the password`,
  async run({ flags, refuse }) {
    const { queue } = withQueue(flags);
    if (queue === undefined)
      return refuse("required option '--queue <url>' not specified; give it, or set HARNESS_QUEUE");
    return (await import("./action.js")).workerAction({ ...flags, queue });
  },
});
