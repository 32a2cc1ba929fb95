import { messageOf } from "../errors.js";
import type { Reply } from "./post.js";
import type { SendSignals } from "./send-queue.js";

export interface DeliverOptions {
  /** Sends it once. Rejects if there is no answer. */
  attempt(): Promise<Reply>;
  /** Answers after which it makes sense to try again. No answer at all is one, too. */
  isTemporary(status: number): boolean;
  /** False: it is not tried again. `reply` is undefined if there was no answer. */
  isPatient(reply: Reply | undefined): boolean;
  signals: SendSignals;
}

/** How long to wait before each further attempt, unless the server says how long. */
const delaysMs = [500, 1000, 2000, 4000, 8000, 16_000];
const longestDelayMs = 60_000;
/** After the end of the run, nobody waits as long as that. */
const longestLastDelayMs = 5000;

/** Sends something until it is accepted. Resolves to the reason if that is given up. Never rejects. */
export async function deliver(options: DeliverOptions): Promise<string | undefined> {
  const { stop, ending } = options.signals;
  for (let failures = 0; ; failures += 1) {
    const { problem, reply } = await tryOnce(options);
    if (problem === undefined) return undefined;
    const delay = reply?.retryAfterMs ?? delaysMs[failures];
    const isFinal = reply !== undefined && !options.isTemporary(reply.status);
    if (isFinal || stop.aborted || !options.isPatient(reply)) return problem;
    const longest = ending.aborted ? longestLastDelayMs : longestDelayMs;
    if (failures >= delaysMs.length || delay === undefined || delay > longest) return problem;
    await pause(delay, options.signals);
    if (stop.aborted) return problem;
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
