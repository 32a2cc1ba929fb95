import { setTimeout as sleep } from "node:timers/promises";
import type { ExitReason } from "../../src/events/failure.js";
import type { Run, Task } from "../../src/runs/task.js";
import type { Helpers, Manner } from "./agent.js";
import { canEnclose } from "./can-enclose.js";
import type { Attempt, Fault } from "./fault.js";
import { observeRun } from "./observe-run.js";
import type { Random } from "./random.js";

/** A way to end a run. */
interface Ending {
  reason: ExitReason;
  manners: readonly [Manner, ...Manner[]];
  begin?(): {
    task?: Partial<Task>;
    /** Called when the agent has printed all its lines. */
    act?(run: Run): void;
  };
}

const lines = 30;
const staying = ["stay", "deaf", "half", "stopped"] as const;

const endedByItself: readonly Ending[] = [
  { reason: "completed", manners: ["exit"] },
  { reason: "failed", manners: ["fail"] },
];

const endedByUs: readonly Ending[] = [
  { reason: "completed", manners: ["linger"], begin: () => ({ task: { graceMs: 300 } }) },
  { reason: "cancelled", manners: staying, begin: () => ({ act: (run) => run.cancel() }) },
  { reason: "cancelled", manners: staying, begin: () => ({ act: cancelTwice }) },
  { reason: "cancelled", manners: staying, begin: abortWhenSaid },
  { reason: "timed_out", manners: staying, begin: () => ({ task: { timeoutMs: 1500 } }) },
  { reason: "stalled", manners: staying, begin: () => ({ task: { idleTimeoutMs: 1500 } }) },
];

/** Long enough for the harness to have scanned the processes. */
const seenAfterMs = 2500;
const endedLate: readonly Ending[] = [
  { reason: "completed", manners: ["signalled"], begin: () => ({ act: signalToExit }) },
];

function cancelTwice(run: Run): void {
  run.cancel();
  run.cancel();
}

function abortWhenSaid(): { task: Partial<Task>; act(): void } {
  const controller = new AbortController();
  return { task: { signal: controller.signal }, act: () => controller.abort() };
}

async function signalToExit(run: Run): Promise<void> {
  await sleep(seenAfterMs);
  if (run.pid !== undefined) process.kill(run.pid, "SIGUSR1");
}

/** Only root can become another user. */
const asRoot = process.geteuid?.() === 0 ? {} : { times: 0, skipped: "it needs root" };
const withCgroups = canEnclose() ? {} : { times: 0, skipped: "control groups cannot be created here" };

const every = [...endedByItself, ...endedByUs];

export const unwillingAgents: readonly Fault[] = [
  leftRunning("an agent that ignores signals, hangs in mid-line or is suspended", "none", every),
  leftRunning("a child in its own process session", "session", every),
  leftRunning("an orphan in its own process session", "daemon", every),
  leftRunning("a child in its own process session, without the run's mark", "hidden", endedByUs),
  leftRunning("the same child, orphaned after harness has seen it", "hidden", endedLate, 8),
  leftRunning("an orphan without the run's mark that holds the output open", "holder", every),
  leftRunning("children and orphans that ignore SIGTERM", "deaf", every),
  { ...leftRunning("children and orphans that switched to another user", "user", every), ...asRoot },
  {
    ...leftRunning("an orphan that hides every trace, with control groups", "vanished", endedLate, 8),
    ...withCgroups,
  },
];

/** A few in parallel, because a machine has a limited number of processes. */
export const storms: readonly Fault[] = [
  {
    ...leftRunning("a process that keeps starting others while they are stopped", "storm", every),
    atOnce: 4,
  },
];

/** Tries every way to end a run. */
function leftRunning(
  name: string,
  helpers: Helpers,
  endings: readonly Ending[],
  times = endings.length * 2,
): Fault {
  return {
    name: `left running: ${name}`,
    times,
    atOnce: 16,
    attempt: (index, random) =>
      tryEnding(helpers, endings[index % endings.length] ?? { reason: "failed", manners: ["fail"] }, random),
  };
}

function tryEnding(helpers: Helpers, { reason, manners, begin }: Ending, random: Random): Promise<Attempt> {
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
      result.reason === reason ? [] : [`the run was ${result.reason}, not ${reason}`],
  });
}
