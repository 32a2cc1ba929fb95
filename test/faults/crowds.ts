import { setImmediate } from "node:timers/promises";
import { ofType } from "../runs/test-agent.js";
import type { Helpers, Manner } from "./agent.js";
import type { Fault } from "./fault.js";
import { observeRun } from "./observe-run.js";

const floodLines = 20_000;
const helpers = ["none", "session", "daemon", "deaf"] as const satisfies readonly Helpers[];
const manners = ["exit", "fail", "stay", "half", "linger"] as const satisfies readonly Manner[];

export const crowds: readonly Fault[] = [
  {
    name: "100 runs at once in one process, each with different lines",
    times: 100,
    atOnce: 100,
    attempt: (index, random) =>
      observeRun({
        behaviour: { helpers: random.pick(helpers), manner: random.pick(manners), lines: 1 + index * 3 },
        task: { timeoutMs: 4000, graceMs: 500 },
        problemsOf: () => [],
      }),
  },
  {
    name: "floods on stdout and stderr at once, read slowly",
    times: 6,
    attempt: () =>
      observeRun({
        behaviour: { helpers: "noise", manner: "exit", lines: floodLines },
        onEvent: async (_run, said) => void (said % 1000 === 0 && (await setImmediate())),
        problemsOf({ events, result }) {
          const noise = ofType(events, "warning").filter(({ message }) => /^noise \d+$/.test(message)).length;
          return [
            ...(result.isSuccess ? [] : ["the run failed"]),
            ...(noise === floodLines ? [] : [`${noise} of ${floodLines} lines of standard error`]),
          ];
        },
      }),
  },
];
