import { call, runCommand, say, slow, writeFile } from "../../../src/testing/index.js";
import type { LiveRun } from "../live-run.js";
import type { Moment } from "../moment.js";
import type { Expected, RealScenario } from "../scenario.js";
import { begunTrace, endless } from "./endless.js";
import { usualUsage as usage } from "./usual-files.js";

/** The next turns for an agent that takes the end of its command for a failure and continues. */
const later = ["AFTER.txt", "AFTER-2.txt", "AFTER-3.txt", "AFTER-4.txt", "AFTER-5.txt"];
const writesLater = later.map((name) => [call(writeFile(name, "written after the stop\n"))]);

const inACommand = {
  prompt: "Run something endless.",
  script: {
    usage,
    turns: [[call(runCommand(endless))], ...writesLater, [say("It ended.")]],
  },
};

/** However a run is stopped, the command must be the last thing that it did. */
const nothingMore = {
  operations: [`command ${endless}`],
  changes: { [begunTrace]: "begun\n" },
  requests: 1,
  hasUsage: false,
} satisfies Partial<Expected>;

const cancelled = { reason: "cancelled", failure: "cancelled", ...nothingMore } as const;

/** The delay of the model's answer, and the earlier moment of the stop. The late answer must have no effect. */
const thinksMs = 4000;
const stopsAfterMs = 3000;

/** Every way to stop a run in the middle of a command, and one while the agent waits for its model. */
export const stops: readonly RealScenario[] = [
  {
    name: "cancelled",
    ...inACommand,
    during: (live) => stopInCommand(live, "SIGINT"),
    expected: { exitCode: 130, ...cancelled },
  },
  {
    name: "sigterm",
    ...inACommand,
    during: (live) => stopInCommand(live, "SIGTERM"),
    expected: { exitCode: 143, ...cancelled },
  },
  {
    name: "aborted",
    ...inACommand,
    through: "library",
    during: (live) => stopInCommand(live, "SIGUSR2"),
    expected: { exitCode: 130, ...cancelled },
  },
  {
    name: "orphaned",
    ...inACommand,
    during: (live) => stopInCommand(live, "SIGKILL"),
    // The agent reports a command at its end, and it is killed before that.
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
  {
    name: "unanswered",
    prompt: "Answer when it is too late.",
    script: {
      usage,
      turns: [
        [slow(thinksMs), call(writeFile("AFTER.txt", "written after the stop\n"))],
        ...writesLater.slice(1),
        [say("It ended.")],
      ],
    },
    during: async (live) => {
      await live.modelAsked(stopsAfterMs);
      return stopBy(live, "SIGINT");
    },
    expected: { exitCode: 130, ...cancelled, operations: [], changes: {} },
  },
];

async function stopInCommand(live: LiveRun, signal: NodeJS.Signals): Promise<Moment> {
  await live.commandBegun(begunTrace);
  await live.modelIsQuiet();
  return stopBy(live, signal);
}

function stopBy(live: LiveRun, signal: NodeJS.Signals): Moment {
  const moment = live.moment();
  live.signalHarness(signal);
  return moment;
}
