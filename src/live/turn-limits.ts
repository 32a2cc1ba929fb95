import { monotonicTime } from "../process/monotonic-time.js";

export interface TurnLimitsOptions {
  turnTimeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  silenceMs: number;
  /** How long an interrupted turn may take to end. */
  interruptMs: number;
  /** True while we do not read, or the agent waits for an answer: silence does not count then. */
  isWaiting(): boolean;
  onTimeout(): void;
  onStalled(): void;
  onSilence(silentMs: number): void;
  /** The turn goes on although it was interrupted. */
  onUninterrupted(): void;
}

/** The limits of one turn after the other. Between turns no timer runs. */
export interface TurnLimits {
  begin(): void;
  /** Something was printed. */
  output(): void;
  interrupted(): void;
  end(): void;
}

interface Clocks {
  startedAt: number;
  outputAt: number;
  interruptedAt: number | undefined;
  reached: Set<Limit["name"]>;
}

interface Limit {
  name: "timeout" | "stalled" | "silence" | "uninterrupted";
  at(clocks: Clocks): number;
  act(): void;
}

const longestDelayMs = 2 ** 31 - 1;

export function createTurnLimits(options: TurnLimitsOptions): TurnLimits {
  const { turnTimeoutMs, idleTimeoutMs, silenceMs, interruptMs } = options;
  const limits: readonly Limit[] = [
    { name: "timeout", at: ({ startedAt }) => after(startedAt, turnTimeoutMs), act: options.onTimeout },
    { name: "stalled", at: ({ outputAt }) => after(outputAt, idleTimeoutMs), act: options.onStalled },
    {
      name: "silence",
      at: ({ outputAt }) => after(outputAt, silenceMs),
      act: () => options.onSilence(silenceMs),
    },
    {
      name: "uninterrupted",
      at: ({ interruptedAt }) => after(interruptedAt, interruptMs),
      act: options.onUninterrupted,
    },
  ];
  let clocks: Clocks | undefined;
  let timer: NodeJS.Timeout | undefined;

  function arm(): void {
    clearTimeout(timer);
    if (clocks === undefined) return;
    const { reached } = clocks;
    const next = Math.min(
      ...limits.map((limit) =>
        reached.has(limit.name) ? Number.POSITIVE_INFINITY : limit.at(clocks as Clocks),
      ),
    );
    if (next === Number.POSITIVE_INFINITY) return;
    const delay = Math.max(1, Math.ceil(next - monotonicTime()));
    // Our own process may have been held up: what was printed meanwhile is read before we judge.
    timer = setTimeout(() => setImmediate(check), Math.min(delay, longestDelayMs));
  }

  function check(): void {
    if (clocks === undefined) return;
    const now = monotonicTime();
    if (options.isWaiting()) clocks.outputAt = now;
    for (const limit of limits) {
      // Acting on one limit may end the turn.
      if (clocks === undefined || clocks.reached.has(limit.name) || now < limit.at(clocks)) continue;
      clocks.reached.add(limit.name);
      limit.act();
    }
    arm();
  }

  return {
    begin() {
      const now = monotonicTime();
      clocks = { startedAt: now, outputAt: now, interruptedAt: undefined, reached: new Set() };
      arm();
    },
    output() {
      if (clocks === undefined) return;
      clocks.outputAt = monotonicTime();
      if (clocks.reached.delete("silence")) arm();
    },
    interrupted() {
      if (clocks === undefined || clocks.interruptedAt !== undefined) return;
      clocks.interruptedAt = monotonicTime();
      arm();
    },
    end() {
      clocks = undefined;
      clearTimeout(timer);
    },
  };
}

function after(from: number | undefined, delay: number | undefined): number {
  return from === undefined || delay === undefined ? Number.POSITIVE_INFINITY : from + delay;
}
