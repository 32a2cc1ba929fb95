import type { EventOf, HarnessEvent } from "../../events/event.js";
import { run } from "../../live/run.js";
import { jsonFormat } from "../../outputs/json/output.js";
import type { RunReport } from "../../outputs/json/schema.js";
import type { Run, RunResult, Task } from "../../runs/task.js";
import { slimEvent } from "../../server/slim-event.js";
import { describePlan } from "../../story/describe-operation.js";
import { toOneLine } from "../../text/cut.js";
import { type DelegationLimits, refused } from "./limits.js";

/** A run that this server has started. */
export interface DelegatedRun {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly startedAt: string;
  /** Undefined while it goes on. */
  readonly end: { result: RunResult; report: RunReport | undefined } | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  /** What it is doing, in one line. */
  readonly latest: string | undefined;
  /** How many events there were. */
  readonly count: number;
  /** The events from a number on that are still kept. Streamed pieces are left out: the whole texts follow. */
  eventsSince(seq: number): HarnessEvent[];
  /** The number of the oldest event that is kept. */
  readonly oldest: number;
  cancel(): void;
}

export interface DelegatedRuns {
  start(task: Task, agent: string): DelegatedRun;
  find(id: string): DelegatedRun;
  all(): DelegatedRun[];
  /** Ends all of them, and resolves when they have ended. */
  close(): Promise<void>;
}

/** So many runs are remembered. Older ones are in `harness sessions`. */
const mostRuns = 100;

export function createDelegatedRuns(limits: DelegationLimits): DelegatedRuns {
  const runs = new Map<string, DelegatedRun>();
  const going = (): DelegatedRun[] => [...runs.values()].filter(({ end }) => end === undefined);
  const costUsd = (): number =>
    [...runs.values()].reduce((sum, { end }) => sum + (end?.result.costUsd ?? 0), 0);
  let spentOnForgotten = 0;

  function refuseMore(): void {
    const { maxRuns, maxBudgetUsd, depthLeft } = limits;
    if (depthLeft <= 0)
      throw refused(
        "this agent was itself started by harness mcp, and runs may not be nested deeper; do the work yourself",
      );
    if (going().length >= maxRuns)
      throw refused(
        `${maxRuns === 1 ? "a run goes" : `${maxRuns} runs go`} on already (${going()
          .map(({ id }) => id)
          .join(", ")}), and this server may have no more at once; wait with run_result, or cancel one`,
      );
    const spent = costUsd() + spentOnForgotten;
    if (maxBudgetUsd !== undefined && spent >= maxBudgetUsd)
      throw refused(
        `the runs of this server have cost $${spent.toFixed(2)}, and its budget is $${maxBudgetUsd}; no more can be started`,
      );
  }

  function forgetOld(): void {
    for (const [id, { end }] of runs) {
      if (runs.size <= mostRuns) return;
      if (end === undefined) continue;
      spentOnForgotten += end.result.costUsd ?? 0;
      runs.delete(id);
    }
  }

  return {
    start(task, agent) {
      refuseMore();
      const own = follow(run(task), agent, task.cwd ?? "");
      runs.set(own.id, own);
      forgetOld();
      return own;
    },
    find(id) {
      const own = runs.get(id);
      if (own !== undefined) return own;
      throw refused(`this server has no run ${JSON.stringify(id)}; list_runs names those that it has`);
    },
    all: () => [...runs.values()],
    async close() {
      const open = going();
      for (const own of open) own.cancel();
      await Promise.all(open.map(({ ended }) => ended));
    },
  };
}

/** So many events of a run are kept, without the middle of long contents. */
const mostEvents = 5000;

/** Reads a run to its end, so that the agent never waits for the client. */
function follow(started: Run, agent: string, cwd: string): DelegatedRun {
  const view = jsonFormat.create();
  let kept: HarnessEvent[] = [];
  let oldest = 0;
  let count = 0;
  let latest: string | undefined;
  let report: RunReport | undefined;
  let end: DelegatedRun["end"];

  function add(event: HarnessEvent): void {
    count = event.seq + 1;
    if (event.type === "tool_start") latest = latestOf(event, cwd);
    if (event.type === "agent" && event.role === undefined) latest = toOneLine(event.message);
    if (event.type === "text" || (event.type === "thinking" && event.delta !== undefined)) return;
    kept.push(slimEvent(event).event);
    if (kept.length < mostEvents * 2) return;
    kept = kept.slice(-mostEvents);
    oldest = kept[0]?.seq ?? oldest;
  }

  async function read(): Promise<void> {
    for await (const steps of started.batches()) {
      for (const { events } of steps) {
        for (const event of events) add(event);
        report = view.push(events)[0] ?? report;
      }
    }
    end = { result: await started.result, report };
  }

  return {
    id: started.runId,
    agent,
    cwd,
    startedAt: new Date().toISOString(),
    ended: read(),
    get end() {
      return end;
    },
    get latest() {
      return latest;
    },
    get count() {
      return count;
    },
    get oldest() {
      return oldest;
    },
    eventsSince: (seq) => kept.filter((event) => event.seq >= seq),
    cancel: () => started.cancel(),
  };
}

function latestOf(event: EventOf<"tool_start">, cwd: string): string {
  const [operation] = event.operations ?? [];
  return operation === undefined ? toOneLine(event.name) : describePlan(operation, cwd);
}
