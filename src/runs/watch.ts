import { monotonicTime } from "../process/monotonic-time.js";

export interface WatchOptions {
  timeoutMs?: number | undefined;
  idleTimeoutMs?: number | undefined;
  silenceMs: number;
  graceMs: number;
  /** True while we do not read, so silence does not count against the agent. */
  isPaused(): boolean;
  onTimeout(): void;
  onStalled(): void;
  onSilence(silentMs: number): void;
  /** The agent has sent its final message and is still there after the grace period. */
  onLingering(graceMs: number): void;
}

export interface Watch {
  /** Something was printed. */
  output(): void;
  /** The agent has sent its final message, or is working again. Call it again whenever the agent speaks after that. */
  finalMessage(isSaid: boolean): void;
  end(): void;
}

/** How long an agent may linger after its final message. */
export const defaultGraceMs = 10_000;

/** Longest delay that a timer takes; a longer one is waited for in parts. */
const longestDelayMs = 2 ** 31 - 1;

/** All clocks of one run in one timer: output only notes the time, so a flood of it costs nothing. */
export function createWatch(options: WatchOptions): Watch {
  const startedAt = monotonicTime();
  let outputAt = startedAt;
  let finalMessageAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const reached = { timeout: false, stalled: false, silence: false, lingering: false };

  const deadlines = [
    { name: "timeout", at: () => after(startedAt, options.timeoutMs), act: options.onTimeout },
    { name: "stalled", at: () => after(outputAt, options.idleTimeoutMs), act: options.onStalled },
    {
      name: "silence",
      at: () => after(outputAt, options.silenceMs),
      act: () => options.onSilence(options.silenceMs),
    },
    {
      name: "lingering",
      at: () => after(finalMessageAt, options.graceMs),
      act: () => options.onLingering(options.graceMs),
    },
  ] as const;

  function arm(): void {
    clearTimeout(timer);
    if (hasEnded) return;
    const next = Math.min(
      ...deadlines.map(({ name, at }) => (reached[name] ? Number.POSITIVE_INFINITY : at())),
    );
    if (next === Number.POSITIVE_INFINITY) return;
    const delay = Math.max(0, Math.ceil(next - monotonicTime()));
    // Our own process may have been held up: what was printed meanwhile is read before we judge.
    timer = setTimeout(() => setImmediate(check), Math.min(delay, longestDelayMs));
  }

  function check(): void {
    if (hasEnded) return;
    const now = monotonicTime();
    if (options.isPaused()) outputAt = now;
    for (const { name, at, act } of deadlines) {
      if (reached[name] || now < at()) continue;
      reached[name] = true;
      act();
    }
    arm();
  }

  arm();
  return {
    output() {
      outputAt = monotonicTime();
      if (!reached.silence) return;
      reached.silence = false;
      arm();
    },
    finalMessage(isSaid) {
      const wasSaid = finalMessageAt !== undefined;
      finalMessageAt = isSaid ? monotonicTime() : undefined;
      if (isSaid && !wasSaid) arm();
    },
    end() {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}

function after(from: number | undefined, delay: number | undefined): number {
  return from === undefined || delay === undefined ? Number.POSITIVE_INFINITY : from + delay;
}
