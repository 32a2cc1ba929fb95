import { messageOf } from "../../errors.js";
import { monotonicTime } from "../../process/monotonic-time.js";
import { cleanText } from "../../text/clean-text.js";
import { agentOf } from "../check-plan.js";
import type { ExecutorHost } from "../executor.js";
import type { Cell } from "../model/cell.js";
import { readKnownAttempts } from "./known-attempts.js";
import { type GivenCell, type Lane, openLane } from "./lane.js";
import { type Giving, isFinishedJob, isResult, look } from "./look.js";
import { jobIdOf } from "./protocol.js";

/** The cells of a batch on the queue. */
export interface GivenOut {
  /** Resolves when every cell has ended or was refused. */
  run(): Promise<void>;
  /** Takes back what waits, and stops what runs. */
  cancel(): void;
  /** Waits for nothing any more. */
  giveUp(): void;
}

const defaultReconcileMs = 2000;
/** What runs must have stopped after this long. */
const longestCancelMs = 20_000;
const longestCloseMs = 2000;
const fewestGiven = 4;

/**
 * Few cells are given out at a time: twice what the workers can carry out, so that nobody waits for the batch. Redis stays small, a
 * budget holds, and a batch that dies leaves little work behind.
 *
 * Events of the queue are hints to look at a job. What is true is in the job, and every job is looked at again from time to time. So
 * missed events, a server that restarts and one that comes back empty are all the same.
 */
export function createGivenOut(
  options: Omit<Giving, "host" | "known" | "lanes" | "touched" | "isCancelling" | "isGivenUp">,
  cells: readonly Cell[],
  host: ExecutorHost,
): GivenOut {
  const lanes = new Map<string, Lane>();
  const touched = createTouched();
  for (const cell of cells) {
    const agent = agentOf(cell.arm);
    const lane = lanes.get(agent) ?? openLane({ ...options, agent, onEvent: touched.add });
    lanes.set(agent, lane);
    lane.waiting.push(cell);
  }
  const known = readKnownAttempts(options.places.ledger);
  const giving: Giving = { ...options, host, known, lanes, touched, isCancelling: false, isGivenUp: false };
  let onGiveUp: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    onGiveUp = resolve;
  });
  const giveUp = () => {
    giving.isGivenUp = true;
    onGiveUp();
  };
  return {
    async run() {
      try {
        await Promise.race([work(giving), over]);
      } finally {
        giveUp();
        const closing = Promise.allSettled([...lanes.values()].map((lane) => lane.close()));
        await Promise.race([closing, after(longestCloseMs)]);
      }
    },
    cancel() {
      giving.isCancelling = true;
      touched.wake();
      after(longestCancelMs).then(giveUp);
    },
    giveUp,
  };
}

async function work(giving: Giving): Promise<void> {
  const { lanes, published, touched, reconcileMs = defaultReconcileMs } = giving;
  const agents = [...lanes.keys()];
  await published.renew(agents);
  await applyLimits(giving);
  for (const lane of lanes.values()) await adopt(giving, lane);
  // The clock may be set back, and everything must be looked at nevertheless.
  let looked = monotonicTime();
  const turn = async (): Promise<void> => {
    if (giving.isCancelling) await takeBack(giving);
    else await fill(giving);
    if (isOver(giving)) return;
    const touchedIds = await touched.wait(reconcileMs);
    const isDue = monotonicTime() - looked >= reconcileMs;
    if (isDue) looked = monotonicTime();
    if (isDue && (await published.renew(agents))) await applyLimits(giving);
    const found = allGiven(giving).filter(({ jobId }) => isDue || touchedIds.has(jobId));
    await Promise.all(found.map((one) => look(giving, one)));
  };
  let problem: string | undefined;
  while (!isOver(giving) && !giving.isGivenUp) {
    try {
      await turn();
      problem = undefined;
    } catch (error) {
      // A server that is full or read-only may recover. What is given out is not lost.
      const sentence = `the queue cannot be used now, and is tried again: ${cleanText(messageOf(error))}`;
      if (sentence !== problem && !giving.isGivenUp) giving.onNotice(sentence);
      problem = sentence;
      await new Promise((resolve) => setTimeout(resolve, reconcileMs));
    }
  }
  if (!giving.isGivenUp) await sweep(giving);
}

function isOver({ lanes, isCancelling }: Giving): boolean {
  return [...lanes.values()].every(
    ({ given, waiting }) => given.size === 0 && (isCancelling || waiting.length === 0),
  );
}

function allGiven({ lanes }: Giving): GivenCell[] {
  return [...lanes.values()].flatMap((lane) => [...lane.given.values()]);
}

async function fill(giving: Giving): Promise<void> {
  const { lanes, host } = giving;
  for (const lane of lanes.values()) {
    const chosen: GivenCell[] = [];
    let room = roomIn(giving, lane);
    let cell = lane.waiting[0];
    while (room > 0 && cell !== undefined && !host.mustWait(cell)) {
      lane.waiting.shift();
      if (host.mayStart(cell)) {
        chosen.push(toGiven(giving, cell, lane));
        room--;
      }
      cell = lane.waiting[0];
    }
    if (chosen.length === 0) continue;
    // First: what cannot be added now is found missing, and is added again.
    for (const one of chosen) lane.given.set(one.jobId, one);
    await lane.add(chosen);
  }
}

function roomIn(giving: Giving, { agent, given }: Lane): number {
  const { plan, published, concurrency = Number.POSITIVE_INFINITY } = giving;
  const slots = published.slots(agent);
  const wanted = plan.budgetUsd === undefined ? Math.max(fewestGiven, 2 * slots) : Math.max(1, slots);
  return Math.min(wanted - given.size, concurrency - allGiven(giving).length);
}

function toGiven({ batchId }: Giving, cell: Cell, lane: Lane): GivenCell {
  return { cell, lane, jobId: jobIdOf(batchId, cell.id), attempts: [], isCollecting: false };
}

/** Goes on with what a batch that was killed has left in the queue. */
async function adopt(giving: Giving, lane: Lane): Promise<void> {
  const { batchId, host, touched } = giving;
  const byJob = new Map(lane.waiting.map((cell) => [jobIdOf(batchId, cell.id), cell]));
  for (const job of await lane.jobsOfBatch()) {
    const jobId = job.id ?? "";
    const cell = byJob.get(jobId);
    const isUseful = cell !== undefined && (!isFinishedJob(job) || isResult(job, cell));
    if (!isUseful) {
      await lane.remove(jobId);
      continue;
    }
    lane.waiting.splice(lane.waiting.indexOf(cell), 1);
    if (!host.mayStart(cell) && (await lane.remove(jobId))) continue;
    lane.given.set(jobId, toGiven(giving, cell, lane));
    touched.add(jobId);
  }
}

/** The limits of the plan. Those of another batch stay, and those of nobody go. */
async function applyLimits({ lanes, plan, published }: Giving): Promise<void> {
  for (const lane of lanes.values()) {
    const limit = plan.limits[lane.agent];
    if (limit !== undefined || !(await published.hasOthers(lane.agent))) await lane.limit(limit);
  }
}

async function takeBack(giving: Giving): Promise<void> {
  await giving.published.cancel();
  for (const { lane, jobId, isCollecting } of allGiven(giving))
    if (!isCollecting && (await lane.remove(jobId))) lane.given.delete(jobId);
}

/** After a server was restored from an older state, jobs may be there that have ended long ago. */
async function sweep({ lanes, plan, published }: Giving): Promise<void> {
  for (const lane of lanes.values()) {
    for (const { id = "" } of await lane.jobsOfBatch())
      if (!(await lane.remove(id))) await published.cancel();
    const isLimited = plan.limits[lane.agent] !== undefined;
    if (isLimited && !(await published.hasOthers(lane.agent))) await lane.limit(undefined);
  }
}

function createTouched(): Giving["touched"] {
  let ids = new Set<string>();
  let wakeUp: () => void = () => {};
  let isAwake = false;
  const wake = () => {
    isAwake = true;
    wakeUp();
  };
  return {
    wake,
    add(id: string) {
      ids.add(id);
      wake();
    },
    async wait(milliseconds: number): Promise<ReadonlySet<string>> {
      if (!isAwake)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wakeUp = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      const found = ids;
      ids = new Set();
      isAwake = false;
      return found;
    },
  };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
