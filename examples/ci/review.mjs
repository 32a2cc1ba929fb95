// A CI job that asks an agent about a change: node review.mjs [agent]. It fails if the agent fails, or finds a bug.
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { run } from "harness-stream";

const agent = process.argv[2] ?? "claude";
const base = process.env.BASE ?? "HEAD~1";
const longestDiff = 60_000;
const diff = execFileSync("git", ["diff", base, "--"], { encoding: "utf8", maxBuffer: 100_000_000 });

const { isSuccess, text, failure, costUsd } = await run({
  agent,
  prompt: `Review this change. Begin your answer with the one word OK or BUG.\n\n${diff.slice(0, longestDiff)}`,
  // The change comes from anybody: the agent only reads, and your settings and servers do not reach it.
  permissions: "read-only",
  isolated: true,
  timeoutMs: 600_000,
  redact: true,
}).result;

const answer = isSuccess ? (text ?? "") : [failure?.message, failure?.hint].filter(Boolean).join("\n\n");
const cost = costUsd === undefined ? "" : `\n\nIt cost $${costUsd.toFixed(4)}.`;
const summary = `## Review by ${agent}\n\n${answer}${cost}\n`;
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, summary);
console.log(summary);
process.exitCode = isSuccess && /^\W*OK\b/.test(answer) ? 0 : 1;
