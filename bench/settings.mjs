/** How large and how long a run of the benchmarks is. `--quick` shows that everything works, and not what it costs. */
export const isQuick = process.argv.includes("--quick");

/** How often each time is measured. The best counts. */
export const rounds = Number(process.env.BENCH_ROUNDS ?? (isQuick ? 1 : 3));

/**
 * The size of one input in MB. `harness translate` starts 0.12 s of processor time later than the yardstick. At 40 MB, which the
 * yardstick reads in 0.6 s, that alone would change a ratio by a fifth.
 */
export const megabytes = Number(process.env.BENCH_MB ?? (isQuick ? 4 : 100));

/** How many GB go through the memory figure, compared with a tenth of it. */
export const gigabytes = Number(process.env.BENCH_GB ?? (isQuick ? 0.04 : 1));
