import { availableParallelism } from "node:os";
import { cleanLine } from "../../text/cut.js";
import { formatBytes, formatCount, formatNumberOf } from "../../text/numbers.js";
import { complainAtOnce } from "../complain.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { packageFile } from "../package-files.js";
import { setV8Flag } from "../v8-flags.js";
import type { JobOutcome, RunJob, Work } from "./job.js";
import { createOwnLane, createWorkerLane, type JobLane } from "./lanes.js";
import { createProgressLine } from "./progress-line.js";
import { runInOrder } from "./run-in-order.js";

/** Many jobs of one kind. */
export interface ManyJobs<Setup, Given> {
  jobs: readonly RunJob<Given>[];
  /** What one of them is: `log`, `run`. */
  noun: string;
  /** What all of them share. It is sent to workers, so it holds data only. */
  setup: Setup;
  open(setup: Setup): Promise<Work<Given>>;
  /** The file in `dist/cli` that serves the same jobs in a worker (`serveJobs`). */
  entry: string;
  /** `--jobs`. Undefined: as many as are worth it. */
  mostLanes: number | undefined;
  /** How many bytes are to be read, as far as they were counted: a few are not worth a worker. */
  bytes: number;
  /** True if standard output gets something. */
  isPrinting: boolean;
  /** True: a row with its name stands before each job. */
  hasHeadings: boolean;
  /** What could not even be tried. */
  problems: readonly string[];
}

/** A worker takes as long to start as it takes to read this much. */
const bytesPerLane = 4_000_000;

/** So many bytes keep all cores busy. */
export function enoughBytes(): number {
  return availableParallelism() * bytesPerLane;
}

/**
 * Eight times the default of Node 20: a function is optimised after that much more work. The closures of one run are thrown away at
 * its end, and those of the next are optimised anew, in threads of V8 beside ours, which need the cores of other jobs. For recordings
 * of 1.5 MB, that was 40 % of the processor time. This counts for all threads of the process.
 */
const interruptBudget = 540_000;

/** Carries out all jobs, on as many cores as are worth it, and prints them in their order. Resolves to the exit code. */
export async function runMany<Setup, Given>(given: ManyJobs<Setup, Given>): Promise<number> {
  setV8Flag("interrupt-budget", interruptBudget);
  const { jobs, isPrinting, hasHeadings, noun } = given;
  const output = createOutput(process.stdout);
  const stop = new AbortController();
  const progress = createProgressLine(jobs.length, `${noun}s`, isPrinting);
  const tally = createTally(given, progress.clear);
  const lanes = createLanes(given, stop.signal);
  stop.signal.addEventListener("abort", () => void Promise.all(lanes.map((lane) => lane.close())));
  const watch = cancelOnSignals(() => {
    stop.abort();
    output.abandon();
  });
  output.onClose(() => jobs.every(({ files }) => files.length === 0) && stop.abort());
  let headed: RunJob<Given> | undefined;
  progress.show(0, 0);
  await runInOrder(jobs, {
    lanes,
    signal: stop.signal,
    async print(job, bytes) {
      if (hasHeadings && headed !== job)
        await output.print(`${headed === undefined ? "" : "\n"}==> ${cleanLine(job.name)} <==\n`);
      headed = job;
      await output.write(bytes);
    },
    finish(job, outcome) {
      tally.add(job, outcome);
      progress.show(tally.done, tally.failed);
    },
  });
  await Promise.all(lanes.map((lane) => lane.close()));
  watch.stop();
  progress.clear();
  tally.sumUp(watch.signal !== undefined);
  return watch.signal === undefined ? tally.exitCode : exitCodeOfSignal(watch.signal);
}

function createLanes<Setup, Given>(
  { jobs, setup, open, entry, mostLanes, bytes }: ManyJobs<Setup, Given>,
  signal: AbortSignal,
): JobLane<Given>[] {
  const own = createOwnLane(() => open(setup), signal);
  const worthIt = Math.min(availableParallelism(), Math.ceil(bytes / bytesPerLane));
  const count = Math.min(mostLanes ?? worthIt, jobs.length);
  if (count < 2) return [own];
  const file = packageFile(`dist/cli/${entry}`);
  return Array.from({ length: count }, () => createWorkerLane(file, setup, own));
}

interface Tally<Given> {
  readonly done: number;
  readonly failed: number;
  readonly exitCode: number;
  add(job: RunJob<Given>, outcome: JobOutcome): void;
  /** Says what was written, and how many failed. */
  sumUp(isStopped: boolean): void;
}

/** So many sentences are remembered, so that none is repeated for each job. */
const mostRemembered = 1000;

function createTally<Setup, Given>(
  { jobs, noun, problems }: ManyJobs<Setup, Given>,
  clear: () => void,
): Tally<Given> {
  const said = new Set<string>();
  let done = 0;
  let failed = 0;
  let files = 0;
  let bytes = 0;
  let isUnwritten = false;

  function say(sentence: string): void {
    if (said.has(sentence)) return;
    if (said.size < mostRemembered) said.add(sentence);
    clear();
    complainAtOnce(sentence);
  }

  for (const problem of problems) say(problem);
  return {
    get done() {
      return done;
    },
    get failed() {
      return failed;
    },
    get exitCode() {
      if (isUnwritten) return exitCodes.notWritten;
      return failed + problems.length > 0 ? exitCodes.runFailed : exitCodes.success;
    },
    add({ name }, outcome) {
      done += 1;
      files += outcome.files;
      bytes += outcome.bytes;
      isUnwritten ||= outcome.isUnwritten;
      for (const sentence of outcome.complaints)
        say(sentence.includes(name) ? sentence : `${name}: ${sentence}`);
      if (outcome.problem === undefined) return;
      failed += 1;
      say(outcome.problem);
    },
    sumUp(isStopped) {
      if (files > 0) complainAtOnce(`wrote ${formatNumberOf(files, "file")} (${formatBytes(bytes)})`);
      if (isStopped)
        complainAtOnce(`stopped after ${formatCount(done)} of ${formatNumberOf(jobs.length, noun)}`);
      else if (failed > 0)
        complainAtOnce(`${formatCount(failed)} of ${formatNumberOf(jobs.length, noun)} failed`);
    },
  };
}
