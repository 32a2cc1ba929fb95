// A page about your recorded runs: node dashboard.mjs [days] > dashboard.html
import { sessions } from "harness-stream";

const days = Number(process.argv[2] ?? 30);
const since = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
const recorded = (await sessions.list({ since })).filter(({ meta }) => !meta.isDemo);

/** What agents and prompts say is text, never markup. */
const escaped = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const sum = (numbers) => numbers.reduce((total, number) => total + (number ?? 0), 0);
const dollars = (amount) => (amount === 0 ? "" : `$${amount.toFixed(2)}`);
const row = (cells, tag = "td") =>
  `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;

function totals([agent, runs]) {
  const succeeded = runs.filter(({ outcome }) => outcome === "completed").length;
  const tokens = sum(runs.map(({ meta: { usage } }) => sum([usage?.inputTokens, usage?.outputTokens])));
  const cost = dollars(sum(runs.map(({ meta }) => meta.costUsd)));
  return row([agent, runs.length, `${Math.round((100 * succeeded) / runs.length)}%`, tokens || "", cost]);
}

const byAgent = new Map();
for (const run of recorded) byAgent.set(run.meta.agent, [...(byAgent.get(run.meta.agent) ?? []), run]);
const newest = recorded.slice(0, 50).map(({ outcome, meta }) => {
  const why = meta.outcome?.failure?.kind ?? outcome;
  return row([meta.startedAt.slice(0, 16).replace("T", " "), meta.agent, why, meta.prompt.slice(0, 100)]);
});

console.log(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Runs of the last ${days} days</title>
<style>body { font: 15px system-ui; margin: 2rem } td, th { padding: .2rem 1rem .2rem 0; text-align: left }</style>
<h1>${recorded.length} runs in ${days} days</h1>
<table>${row(["Agent", "Runs", "Success", "Tokens", "Cost"], "th")}
${[...byAgent].map(totals).join("\n")}</table>
<h2>Newest</h2>
<table>${row(["Started", "Agent", "Outcome", "Prompt"], "th")}
${newest.join("\n")}</table></html>`);
