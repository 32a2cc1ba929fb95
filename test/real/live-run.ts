import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Moment, momentOf } from "./moment.js";
import type { Output } from "./output.js";
import { agentPidOf } from "./processes.js";
import { conversationOf } from "./seen.js";
import type { Stage } from "./stage.js";

/** Longer than anything takes on a busy machine. A run that needs longer has failed. */
export const patienceMs = 240_000;

/** A run in progress. */
export interface LiveRun {
  /** Resolves when the command has left this trace, and the stream has reported it, if the agent reports it in time. */
  commandBegun(trace: string): Promise<void>;
  /** Resolves this long after the request for the first turn. */
  modelAsked(msAgo: number): Promise<void>;
  /** Resolves when the model has answered all requests, and no new one has come for a while. */
  modelIsQuiet(): Promise<void>;
  /** The present state. */
  moment(): Moment;
  /**
   * The last state before the run's timer can end it. Undefined if the command had not started by then, or was already
   * over. `limitMs` counts from the start of the run, or from its last output.
   */
  lastMoment(trace: string, limitMs: number, after: "start" | "output"): Promise<Moment | undefined>;
  /** Signals the agent's own process only. */
  signalAgent(signal: NodeJS.Signals): Promise<void>;
  signalHarness(signal: NodeJS.Signals): void;
  /** The time until the command started, and the longest silence until then. Infinity if it did not start. */
  readonly pace: { begunMs: number; silenceMs: number };
}

/** What the stream reports while a command is running. */
export interface Announces {
  calls: boolean;
  session: boolean;
}

export interface LiveRunOptions {
  child: ChildProcess;
  stage: Stage;
  output: Output;
  announces: Announces;
  firstRequest: number;
  startedAt: number;
}

/** If no request comes for this long, none for a title will come either. */
const quietMs = 500;
const lookEveryMs = 20;
/** We may see an output this much later than `harness` has read it. */
const lateMs = 1000;

export function createLiveRun(options: LiveRunOptions): LiveRun {
  const { child, stage, output, announces, firstRequest, startedAt } = options;
  const pace = { begunMs: Number.POSITIVE_INFINITY, silenceMs: 0 };
  const moment = () => momentOf(stage, firstRequest);
  const hasSession = () => output.events().some(({ sessionId }) => sessionId !== undefined);
  const hasCall = () => output.events().some(({ type }) => type === "tool_start");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  function hasBegun(trace: string): boolean {
    if (pace.begunMs !== Number.POSITIVE_INFINITY) return true;
    pace.silenceMs = Math.max(pace.silenceMs, Date.now() - output.lastAt());
    if (!existsSync(join(stage.workspace, trace))) return false;
    pace.begunMs = Date.now() - startedAt;
    return true;
  }

  async function until(condition: () => boolean, what: string): Promise<void> {
    for (const deadline = Date.now() + patienceMs; !condition(); await sleep(lookEveryMs)) {
      if (Date.now() > deadline || hasEnded())
        throw new Error(`${what} never came; the run printed ${JSON.stringify(output.events().slice(-5))}`);
    }
  }

  return {
    pace,
    moment,
    async commandBegun(trace) {
      await until(() => hasBegun(trace), trace);
      if (announces.session) await until(hasSession, "the session");
      if (announces.calls) await until(hasCall, "the call");
    },
    async modelAsked(msAgo) {
      const isDue = () => {
        const [first] = conversationOf(stage.model.requests.slice(firstRequest));
        return first !== undefined && Date.now() - Date.parse(first.time) >= msAgo;
      };
      await until(isDue, "the first request");
    },
    async modelIsQuiet() {
      let asked = -1;
      let since = Date.now();
      await until(() => {
        const requests = stage.model.requests.slice(firstRequest);
        if (requests.length !== asked || requests.some(({ answer }) => !answer.isComplete)) {
          asked = requests.length;
          since = Date.now();
        }
        return Date.now() - since >= quietMs;
      }, "a quiet model");
    },
    async lastMoment(trace, limitMs, after) {
      const from = () => (after === "start" ? startedAt : output.lastAt() - lateMs);
      let last: Moment | undefined;
      for (; !hasEnded() && Date.now() < from() + limitMs; await sleep(lookEveryMs))
        if (hasBegun(trace)) last = moment();
      return last?.turns === 1 ? last : undefined;
    },
    async signalAgent(signal) {
      await until(() => output.events().length > 0, "the first event");
      const pid = agentPidOf(child.pid ?? 0, output.events()[0]?.runId ?? "");
      if (pid === undefined) throw new Error("the agent's process was not found");
      process.kill(pid, signal);
    },
    signalHarness: (signal) => {
      child.kill(signal);
    },
  };
}
