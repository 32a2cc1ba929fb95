import { messageOf } from "../errors.js";
import type { Reply } from "./post.js";
import type { SendFailure, SendSignals } from "./send-queue.js";

export interface DeliverOptions {
  /** Sends it once. Rejects if there is no answer. */
  attempt(): Promise<Reply>;
  /** Answers after which it makes sense to try again. No answer at all is one, too. */
  isTemporary(status: number): boolean;
  /** False: it is not tried again. `reply` is undefined if there was no answer. `failures`: how many attempts have failed before. */
  isPatient(reply: Reply | undefined, failures: number): boolean;
  signals: SendSignals;
}

/** How long to wait before each further attempt, unless the server says how long. */
const delaysMs = [500, 1000, 2000, 4000, 8000, 16_000];
const longestDelayMs = 60_000;

/** Sends something until it is accepted. Resolves to the reason if that is given up. Never rejects. */
export async function deliver(options: DeliverOptions): Promise<SendFailure | undefined> {
  const { signals } = options;
  const { stop, ending } = signals;
  for (let failures = 0; ; failures += 1) {
    const isAfterRun = ending.aborted;
    const { problem, reply } = await tryOnce(options);
    const isFinal = reply !== undefined && !options.isTemporary(reply.status);
    signals.noteAttempt(problem === undefined || isFinal);
    if (problem === undefined) return undefined;
    if (isFinal) return { problem, isAway: false };
    const failure = { problem, isAway: true };
    const delay = reply?.retryAfterMs ?? delaysMs[failures];
    if (stop.aborted || (isAfterRun && signals.isLastTry) || !options.isPatient(reply, failures))
      return failure;
    if (failures >= delaysMs.length || delay === undefined) return failure;
    // Nobody waits for an attempt that will not be made.
    if (delay > longestDelayMs || delay >= signals.timeLeftMs()) return failure;
    await pause(delay, signals);
    if (stop.aborted) return failure;
  }
}

interface Attempt {
  problem?: string;
  reply?: Reply;
}

async function tryOnce({ attempt }: DeliverOptions): Promise<Attempt> {
  try {
    const reply = await attempt();
    const isAccepted = reply.status >= 200 && reply.status < 300;
    return isAccepted ? {} : { problem: `it answers with status ${reply.status}`, reply };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Waits, but not for longer than until a signal is aborted. After the end of the run, only `stop` counts. */
function pause(milliseconds: number, { stop, ending }: SendSignals): Promise<void> {
  const signals = ending.aborted ? [stop] : [stop, ending];
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    for (const signal of signals) signal.addEventListener("abort", done, { once: true });
    if (stop.aborted) done();
  });
}
