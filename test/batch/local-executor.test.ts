import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createBudget } from "../../src/batch/budget.js";
import type { ExecutorHost } from "../../src/batch/executor.js";
import { createLocalExecutor, type LocalExecutorOptions } from "../../src/batch/local-executor.js";
import type { Cell } from "../../src/batch/model/cell.js";
import type { AttemptEnd } from "../../src/batch/run-cell.js";
import { createWaitingJobs } from "../../src/batch/waiting-jobs.js";
import type { Failure } from "../../src/events/failure.js";
import { cellsOf, resultOf } from "./support/cells.js";

const twoAgents = { arms: [{ agent: "x" }, { agent: "y" }] };
const nameOf = ({ arm, repetition }: Cell): string => `${arm.id}${repetition}`;

interface Attempted {
  cell: Cell;
  attempt: number;
  end(end?: AttemptEnd): void;
}

/** An executor whose attempts end when the test says so. */
function drive(
  cells: readonly Cell[],
  options: Partial<LocalExecutorOptions> = {},
  host: Partial<ExecutorHost> = {},
) {
  const under: Attempted[] = [];
  const log: string[] = [];
  const executor = createLocalExecutor({
    concurrency: 2,
    limits: {},
    retryDelay: () => 5,
    attempt: (cell, { attempt, signal }) =>
      new Promise((resolve, reject) => {
        const end = (how: AttemptEnd = { kind: "done", result: resultOf(cell) }) => {
          under.splice(under.indexOf(attempted), 1);
          resolve(how);
        };
        const attempted: Attempted = { cell, attempt, end };
        signal?.addEventListener("abort", () => reject(signal.reason));
        under.push(attempted);
      }),
    ...options,
  });
  const finished = executor.run(cells, {
    mustWait: () => false,
    mayStart: () => true,
    started: (cell, { attempt }) => void log.push(`start ${nameOf(cell)} ${attempt}`),
    retrying: (cell, { until }) => void log.push(`retry ${nameOf(cell)} ${until}`),
    done: (cell) => void log.push(`done ${nameOf(cell)}`),
    ...host,
  });
  const names = () => under.map(({ cell }) => nameOf(cell)).sort();
  const end = async (name: string, how?: AttemptEnd) => {
    under.find(({ cell }) => nameOf(cell) === name)?.end(how);
    await vi.waitFor(() => expect(names()).not.toContain(name));
    await new Promise(setImmediate);
  };
  return { executor, finished, log, names, end, under };
}

function failed(kind: Failure["kind"], retryAt?: string): AttemptEnd {
  const failure: Failure = { kind, message: "no", ...(retryAt !== undefined && { retryAt }) };
  return { kind: "retry", runId: "r", failure };
}

describe("cells in this process", () => {
  it("are started in their order, and no more at once than allowed", async () => {
    const { names, end, finished, log } = drive(cellsOf({ ...twoAgents, repeats: 2 }));
    expect(names()).toEqual(["x1", "y1"]);
    await end("y1");
    expect(names()).toEqual(["x1", "x2"]);
    await end("x2");
    await end("x1");
    await end("y2");
    await finished;
    expect(log.filter((line) => line.startsWith("start"))).toEqual([
      "start x1 1",
      "start y1 1",
      "start x2 1",
      "start y2 1",
    ]);
  });

  it("of an agent that is at its limit let others pass", async () => {
    const { names, end } = drive(cellsOf({ ...twoAgents, repeats: 3 }), { concurrency: 3, limits: { x: 1 } });
    expect(names()).toEqual(["x1", "y1", "y2"]);
    await end("x1");
    expect(names()).toEqual(["x2", "y1", "y2"]);
  });

  it("that wait for another attempt take no place", async () => {
    const delays = { retryDelay: () => 3_600_000 };
    const { names, end, log } = drive(cellsOf({ ...twoAgents, repeats: 2 }), { ...delays, concurrency: 1 });
    await end("x1", failed("provider"));
    expect(names()).toEqual(["y1"]);
    expect(log.some((line) => line.startsWith("retry x1"))).toBe(true);
  });

  it("are tried again after their delay, before later ones", async () => {
    const { names, end, under } = drive(cellsOf({ repeats: 3, arms: [{ agent: "x" }] }), { concurrency: 1 });
    await end("x1", failed("network"));
    expect(names()).toEqual(["x2"]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await end("x2");
    expect(under.map(({ cell, attempt }) => [nameOf(cell), attempt])).toEqual([["x1", 2]]);
  });

  it("are held back while their agent's limit lasts, and those of others are not", async () => {
    const cells = cellsOf({ ...twoAgents, repeats: 2 });
    const { names, end, finished } = drive(cells, { concurrency: 1, retryDelay: () => 300 });
    await end("x1", failed("rate_limit", new Date(Date.now() + 300).toISOString()));
    expect(names()).toEqual(["y1"]);
    await end("y1");
    expect(names()).toEqual(["y2"]);
    await end("y2");
    expect(names()).toEqual([]);
    await vi.waitFor(() => expect(names()).toEqual(["x1"]), 5000);
    await end("x1");
    await end("x2");
    await finished;
  });

  it("are looked at again if their pause ends between two looks", () => {
    const [cell, other] = cellsOf({ ...twoAgents, arms: [{ agent: "x" }], repeats: 2 });
    if (cell === undefined || other === undefined) throw new Error("there are no cells");
    const waiting = createWaitingJobs([cell, other]);
    const job = waiting.take(() => true);
    if (job === undefined) throw new Error("there is no job");
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    waiting.pause(job, 1000, true);
    expect(waiting.take(() => true)).toBeUndefined();
    vi.setSystemTime(1001);
    expect(waiting.nextMs).toBeGreaterThan(0);
    expect(waiting.take(() => true)).toBe(job);
  });

  it("go on when the clock is set back while they wait", async () => {
    const { names, end } = drive(cellsOf(), { retryDelay: () => 100 });
    await end("shell1", failed("provider"));
    const hourAgo = Date.now() - 3_600_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(hourAgo);
    try {
      await vi.waitFor(() => expect(names()).toEqual(["shell1"]), 5000);
    } finally {
      clock.mockRestore();
    }
  });

  it("that may not start are left, and the others run", async () => {
    const refused = { mayStart: (cell: Cell) => cell.arm.id === "y" };
    const { names, end, finished, log } = drive(cellsOf({ ...twoAgents, repeats: 2 }), {}, refused);
    expect(names()).toEqual(["y1", "y2"]);
    await end("y1");
    await end("y2");
    await finished;
    expect(log.filter((line) => line.includes("x"))).toEqual([]);
  });

  it("that must wait are asked again when another has ended", async () => {
    let isKnown = false;
    const host = { mustWait: ({ repetition }: Cell) => repetition > 1 && !isKnown };
    const { names, end } = drive(cellsOf({ ...twoAgents, repeats: 2 }), { concurrency: 4 }, host);
    expect(names()).toEqual(["x1", "y1"]);
    isKnown = true;
    await end("x1");
    expect(names()).toEqual(["x2", "y1", "y2"]);
  });

  it("do not wait for each other's budget while none of them runs", async () => {
    const cells = cellsOf({ arms: [{ agent: "x", maxBudgetUsd: 4 }], repeats: 2 });
    const budget = createBudget(10);
    const host = {
      mustWait: (cell: Cell) => budget.ask(cell) === "wait",
      mayStart: (cell: Cell) => {
        if (budget.ask(cell) === "over") return false;
        budget.begin(cell);
        return true;
      },
      retrying: (cell: Cell) => budget.spend(cell, 3),
    };
    const { names, end, finished } = drive(cells, {}, host);
    // What both have spent leaves room for one more attempt, and for each of them the other's share is set aside.
    await end("x1", failed("network"));
    await end("x2", failed("network"));
    await vi.waitFor(() => expect(names()).toHaveLength(1));
    const [first = ""] = names();
    budget.end(cells.find((cell) => nameOf(cell) === first) ?? (cells[0] as Cell), true);
    await end(first);
    await vi.waitFor(() => expect(names()).toHaveLength(1));
    await end(names()[0] ?? "");
    await finished;
  });

  it("that are cancelled end without a result, and nothing more is started", async () => {
    const { executor, finished, log } = drive(cellsOf({ repeats: 5 }));
    executor.cancel();
    await finished;
    expect(log).toEqual(["start shell1 1", "start shell2 1"]);
  });

  it("end at once when they are cancelled while all of them wait", async () => {
    const { executor, finished, end } = drive(cellsOf(), { retryDelay: () => 3_600_000 });
    await end("shell1", failed("provider"));
    executor.cancel();
    await finished;
  });

  it("whose attempt breaks without being cancelled are not lost in silence", async () => {
    const { finished } = drive(cellsOf(), { attempt: () => Promise.reject(new Error("broken")) });
    await expect(finished).rejects.toThrow("broken");
  });

  it("none: it is over at once", async () => {
    await drive([]).finished;
  });
});
