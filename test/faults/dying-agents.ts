import { constants } from "node:os";
import { ofType } from "../runs/test-agent.js";
import type { Fault } from "./fault.js";
import { observeRun } from "./observe-run.js";

/** Signals that end a process, without those that stop or continue it or have no effect. */
const notDeadly: ReadonlySet<string> = new Set([
  "SIGCHLD",
  "SIGCONT",
  "SIGSTOP",
  "SIGTSTP",
  "SIGTTIN",
  "SIGTTOU",
  "SIGURG",
  "SIGWINCH",
]);
/** One name for each number: SIGIOT is SIGABRT, SIGPOLL is SIGIO. */
const deadly = [
  ...new Map(
    Object.entries(constants.signals)
      .filter(([name]) => !notDeadly.has(name))
      .reverse()
      .map(([name, number]) => [number, name]),
  ),
];

const lines = 20;

export const dyingAgents: readonly Fault[] = [
  {
    name: `a signal kills the agent in mid-line (each of ${deadly.length} signals)`,
    times: deadly.length,
    attempt(index) {
      const [number, signal] = deadly[index] ?? [9, "SIGKILL"];
      return observeRun({
        behaviour: { helpers: "none", manner: `die-${number}`, lines },
        problemsOf: ({ events, result }) => [
          ...(result.signal === signal ? [] : [`it died by ${result.signal}, not by ${signal}`]),
          ...(result.isSuccess ? ["a crash was reported as a success"] : []),
          ...(ofType(events, "unknown").length === 1 ? [] : ["the incomplete line is missing"]),
        ],
      });
    },
  },
  {
    name: "the agent exits before it has read its 3 MB of input",
    times: 10,
    attempt: () =>
      observeRun({
        behaviour: { helpers: "none", manner: "exit", lines },
        task: { prompt: "x".repeat(3_000_000) },
        problemsOf: ({ result }) => (result.isSuccess ? [] : ["the run failed"]),
      }),
  },
];
