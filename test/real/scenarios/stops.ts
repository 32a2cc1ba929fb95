import { call, runCommand, say, writeFile } from "../../../src/testing/index.js";
import type { LiveRun } from "../live-run.js";
import type { Expected, RealScenario } from "../scenario.js";
import { begunTrace, endless } from "./endless.js";
import { usualUsage as usage } from "./usual-files.js";

/** An agent that takes the end of its command for a failure goes on with these. */
const later = ["AFTER.txt", "AFTER-2.txt", "AFTER-3.txt", "AFTER-4.txt", "AFTER-5.txt"];

const inACommand = {
  prompt: "Run something endless.",
  script: {
    usage,
    turns: [
      [call(runCommand(endless))],
      ...later.map((name) => [call(writeFile(name, "written after the stop\n"))]),
      [say("It ended.")],
    ],
  },
};

/** Whatever stops a run, its command is the last thing that it did. */
const nothingMore = {
  operations: [`command ${endless}`],
  changes: { [begunTrace]: "begun\n" },
  requests: 1,
  hasUsage: false,
} satisfies Partial<Expected>;

const cancelled = { reason: "cancelled", failure: "cancelled", ...nothingMore } as const;

/** Every way of stopping a run, with the agent in the middle of a command. */
export const stops: readonly RealScenario[] = [
  {
    name: "cancelled",
    ...inACommand,
    during: (live) => stopBySignal(live, "SIGINT"),
    expected: { exitCode: 130, ...cancelled },
  },
  {
    name: "sigterm",
    ...inACommand,
    during: (live) => stopBySignal(live, "SIGTERM"),
    expected: { exitCode: 143, ...cancelled },
  },
  {
    name: "aborted",
    ...inACommand,
    through: "library",
    during: (live) => stopBySignal(live, "SIGUSR2"),
    expected: { exitCode: 130, ...cancelled },
  },
  {
    name: "orphaned",
    ...inACommand,
    during: (live) => stopBySignal(live, "SIGKILL"),
    // A command is told of when it is over, and nobody is left to tell of it.
    expected: { exitCode: -1, reason: "interrupted", ...nothingMore, operations: [] },
  },
  {
    name: "timedout",
    ...inACommand,
    timer: "--timeout",
    expected: { exitCode: 124, reason: "timed_out", failure: "timed_out", ...nothingMore },
  },
  {
    name: "stalled",
    ...inACommand,
    timer: "--idle-timeout",
    expected: { exitCode: 124, reason: "stalled", failure: "stalled", ...nothingMore },
  },
];

async function stopBySignal(live: LiveRun, signal: NodeJS.Signals) {
  await live.commandBegun(begunTrace);
  await live.modelIsQuiet();
  const moment = live.moment();
  live.signalHarness(signal);
  return moment;
}
