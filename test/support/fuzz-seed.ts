import fc from "fast-check";

/**
 * `npm test` tries the same inputs every time, so that a failure means a change and not bad luck. To search for more:
 * `HARNESS_FUZZ_SEED=$RANDOM HARNESS_FUZZ_RUNS=1000 npm run test:unit`.
 */
const { HARNESS_FUZZ_SEED: seed = "20261115", HARNESS_FUZZ_RUNS: runs } = process.env;
fc.configureGlobal({ seed: Number(seed), ...(runs !== undefined && { numRuns: Number(runs) }) });
