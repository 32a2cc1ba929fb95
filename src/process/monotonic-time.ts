/**
 * Milliseconds that never go backwards, even if the clock is changed. Like `performance.now()`, but without loading
 * Node's performance module, which takes longer than starting a run.
 */
export function monotonicTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
