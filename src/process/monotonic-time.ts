/**
 * Milliseconds that only ever grow, whatever is done to the clock. As `performance.now()`, without loading what measures
 * performance: that takes longer than to start a run.
 */
export function monotonicTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
