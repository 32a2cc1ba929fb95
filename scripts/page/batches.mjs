/**
 * Writes batches for the page: one under way, one that has ended, one that was killed, and a large one. Needs a build.
 */
import { join } from "node:path";
import { makeCells } from "../../dist/batch/make-cells.js";
import { writeBatch } from "../../test/support/write-batch.mjs";

export function batchesDirectory(home) {
  return join(home, "harness", "batches");
}

const tasks = [
  ["fix-total", "The test for the cart total fails. Find out why and fix it."],
  ["add-coupon", "Add coupons: a percentage off the whole cart, at most one per order."],
  ["rename-option", "Rename the option `currency` to `money` and update every use of it."],
  ["empty-cart", "Add a test for the empty cart, and make it pass."],
  ["slow-search", "The search takes two seconds with 10,000 items. Make it fast."],
  ["health-endpoint", "Add a health endpoint that says whether the database answers."],
].map(([id, prompt]) => ({ id, prompt, setup: "npm ci", check: "npm test" }));

const arms = [
  { agent: "claude", model: "opus", chance: 0.86, cost: 0.21, seconds: 95 },
  { agent: "codex", chance: 0.7, cost: 0.09, seconds: 70 },
  { agent: "opencode", model: "sonnet", chance: 0.55, cost: 0.05, seconds: 120 },
];

/** Always the same numbers between 0 and 1. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const tail = `
  cart
    ✓ adds items
    ✗ total with a coupon

  AssertionError: expected 54 to equal 48.6
      at total.test.js:21:18

  1 failing, 11 passing`;

/** What became of a cell, at random but always the same. */
function createOutcomes(random, { runs, workers = [], progress = 1, running = 0 }) {
  let underWay = 0;
  return (cell, index, count) => {
    const { chance, cost, seconds } = arms.find((arm) => cell.arm.id.startsWith(arm.agent));
    const worker = workers.length === 0 ? {} : { worker: workers[index % workers.length] };
    const value = random();
    if (index >= progress * count) {
      underWay += 1;
      if (underWay <= running) return [{ type: "started", ...worker }];
      if (underWay === running + 1)
        return [
          { type: "started", ...worker },
          { type: "retrying", failure: { kind: "rate_limit", message: "429: too many requests" } },
        ];
      return [];
    }
    const common = {
      type: "done",
      ...worker,
      runId: runs[cell.arm.agent] ?? `${cell.id}-a1`,
      model: cell.arm.model ?? "gpt-5.6-terra",
      agentVersion: "2.1.4",
      costUsd: Math.round(cost * (0.6 + value) * 1e4) / 1e4,
      durationMs: Math.round(seconds * 1000 * (0.5 + random())),
      usage: { totalTokens: Math.round(40_000 * (0.5 + random())) },
      turns: 4 + Math.floor(random() * 9),
      changes: { files: 2, insertions: 18, deletions: 5 },
    };
    if (index % 41 === 17)
      return [
        {
          ...common,
          verdict: "error",
          reason: "the provider did not answer after 4 attempts",
          attempts: 4,
          outcome: {
            isSuccess: false,
            reason: "failed",
            failure: { kind: "provider", message: "529: overloaded" },
          },
        },
      ];
    const isPassed = value < chance;
    const check = {
      isSuccess: isPassed,
      exitCode: isPassed ? 0 : 1,
      durationMs: 2300,
      tail: isPassed ? "12 passing" : tail,
    };
    return [
      { ...common, check, ...(!isPassed && { verdict: "failed", reason: "the check failed: exit code 1" }) },
    ];
  };
}

function write(batches, id, { repeats = 5, minutesAgo, plan = {}, ...options }) {
  const size = tasks.length * arms.length * repeats;
  const outcomeOf = createOutcomes(createRandom(7), options);
  const done = [];
  const planned = {
    name: "cart",
    budgetUsd: 25,
    tasks,
    arms: arms.map(({ agent, model }) => ({ agent, ...(model && { model }) })),
    repeats,
    ...plan,
  };
  const written = writeBatch({
    batches,
    id,
    makeCells,
    plan: planned,
    startedAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    outcomeOf(cell, index) {
      const lines = outcomeOf(cell, index, size);
      if (lines.some(({ type }) => type === "done")) done.push(cell);
      return lines;
    },
    ...options,
  });
  for (const cell of done) {
    written.writeFile(cell, "check.log", `> cart@1.0.0 test\n> node --test\n${tail}\n`);
    written.writeFile(cell, "changes.patch", patch);
  }
  return id;
}

const patch = `diff --git a/src/total.js b/src/total.js
--- a/src/total.js
+++ b/src/total.js
@@ -3,4 +3,5 @@ export function total(items, coupon) {
   const sum = items.reduce((all, { price, count }) => all + price * count, 0);
-  return sum;
+  const off = coupon === undefined ? 0 : coupon.percent / 100;
+  return Math.round(sum * (1 - off) * 100) / 100;
 }
`;

/** `runs`: a recording to open for the cells of each agent. */
export function writeBatches(batches, runs) {
  return {
    running: write(batches, "20261117-091500-running", {
      minutesAgo: 14,
      runs,
      progress: 0.55,
      running: 4,
      isRunning: true,
    }),
    ended: write(batches, "20261116-173000-ended", { minutesAgo: 60 * 16, runs, end: "completed" }),
    killed: write(batches, "20261116-120000-killed", {
      minutesAgo: 60 * 22,
      runs,
      progress: 0.4,
      running: 3,
      plan: { name: "prompts" },
    }),
    queue: write(batches, "20261115-120000-queue", {
      minutesAgo: 60 * 40,
      runs,
      repeats: 20,
      progress: 0.7,
      running: 9,
      isRunning: true,
      workers: ["oak-1", "oak-2", "elm-7"],
      plan: { name: "nightly" },
    }),
  };
}

/** 10,000 cells: 50 tasks × 4 arms × 50. */
export function writeLargeBatch(batches, id = "20261101-000000-large") {
  const many = Array.from({ length: 50 }, (_, index) => ({ id: `task-${index + 1}` }));
  const four = [...arms, { agent: "claude", model: "sonnet" }].map(({ agent, model }) => ({
    agent,
    ...(model && { model }),
  }));
  const outcomeOf = createOutcomes(createRandom(11), { runs: {}, progress: 0.6, running: 8 });
  const plan = { name: "large", tasks: many, arms: four, repeats: 50 };
  return writeBatch({
    batches,
    id,
    makeCells,
    plan,
    isRunning: true,
    outcomeOf: (cell, index) => outcomeOf(cell, index, 10_000),
  });
}
