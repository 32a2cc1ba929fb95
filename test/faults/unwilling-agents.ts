import type { Run, Task } from "../../src/run/index.js";
import type { ExitReason } from "../../src/vocabulary/failure.js";
import type { Helpers, Manner } from "./agent.js";
import type { Fault } from "./fault.js";
import { observeRun } from "./observe-run.js";

/** A way in which a run comes to its end. */
interface Ending {
  reason: ExitReason;
  manners: readonly [Manner, ...Manner[]];
  begin?(): {
    task?: Partial<Task>;
    /** When the agent has said all its lines. */
    act?(run: Run): void;
  };
}

const lines = 30;
const staying = ["stay", "deaf", "half", "stopped"] as const;

const endings: readonly Ending[] = [
  { reason: "completed", manners: ["exit"] },
  { reason: "failed", manners: ["fail"] },
  { reason: "completed", manners: ["linger"], begin: () => ({ task: { graceMs: 300 } }) },
  { reason: "cancelled", manners: staying, begin: () => ({ act: (run) => run.cancel() }) },
  { reason: "cancelled", manners: staying, begin: () => ({ act: cancelTwice }) },
  { reason: "cancelled", manners: staying, begin: abortWhenSaid },
  { reason: "timed_out", manners: staying, begin: () => ({ task: { timeoutMs: 1500 } }) },
  { reason: "stalled", manners: staying, begin: () => ({ task: { idleTimeoutMs: 1500 } }) },
];

function cancelTwice(run: Run): void {
  run.cancel();
  run.cancel();
}

function abortWhenSaid(): { task: Partial<Task>; act(): void } {
  const controller = new AbortController();
  return { task: { signal: controller.signal }, act: () => controller.abort() };
}

/** What an agent leaves running, each tried with every way in which a run ends. */
const helpersByName: Record<string, Helpers> = {
  "an agent that takes no notice, hangs in mid-line or is stopped": "none",
  "a child in a session of its own": "session",
  "an orphan in a session of its own": "daemon",
  "a child in a session of its own, without the run's mark": "hidden",
  "an orphan without the mark that holds the output open": "holder",
  "children and orphans that ignore SIGTERM": "deaf",
  "a process that starts others while they are being stopped": "storm",
};

export const unwillingAgents: readonly Fault[] = Object.entries(helpersByName).map(([name, helpers]) => ({
  name: `left running: ${name}`,
  times: endings.length * 2,
  attempt(index, random) {
    const { reason, manners, begin } = endings[index % endings.length] ?? { reason: "failed", manners: ["fail"] };
    const { task, act } = begin?.() ?? {};
    let hasActed = false;
    return observeRun({
      behaviour: { helpers, manner: random.pick(manners), lines },
      ...(task !== undefined && { task }),
      onEvent(run, said) {
        if (said < lines || hasActed) return;
        hasActed = true;
        act?.(run);
      },
      problemsOf: ({ result }) =>
        result.reason === reason ? [] : [`the run was ${result.reason} and not ${reason}`],
    });
  },
}));
