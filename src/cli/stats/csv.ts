import { type Grouping, type RunGroup, successRate } from "../../story/run-totals.js";
import { cleanText } from "../../text/clean-text.js";

type Value = string | number | undefined;

const columns: readonly [string, (group: RunGroup) => Value][] = [
  ["runs", ({ runs }) => runs],
  ["succeeded", ({ succeeded }) => succeeded],
  ["unsuccessful", ({ unsuccessful }) => unsuccessful],
  ["running", ({ running }) => running],
  ["of_batches", ({ ofBatches }) => ofBatches],
  ["success_rate", (group) => rounded(successRate(group))],
  ["cost_usd", (group) => (group.withoutCost < group.runs ? group.costUsd : undefined)],
  ["estimated_usd", (group) => (group.withoutCost < group.runs ? group.estimatedUsd : undefined)],
  ["runs_without_cost", ({ withoutCost }) => withoutCost],
  ["tokens", (group) => tokensOf(group, group.tokens)],
  ["input_tokens", (group) => tokensOf(group, group.inputTokens)],
  ["cache_read_tokens", (group) => tokensOf(group, group.cacheReadTokens)],
  ["cache_write_tokens", (group) => tokensOf(group, group.cacheWriteTokens)],
  ["output_tokens", (group) => tokensOf(group, group.outputTokens)],
  ["duration_ms", ({ durationMs }) => durationMs],
];

/** The table as CSV (RFC 4180). What is not known is an empty field. */
export function toCsv(by: Grouping, groups: readonly RunGroup[]): string {
  const head = [by, ...columns.map(([name]) => name)];
  const rows = groups.map((group) => [group.key, ...columns.map(([, value]) => value(group))]);
  return [head, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

/** How spreadsheets recognise a formula. A name that begins so would be executed: an apostrophe makes it text. */
const formula = /^[\t\r\n ]*[=+\-@]/;

function toField(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const clean = cleanText(value);
  const text = formula.test(clean) ? `'${clean}` : clean;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function tokensOf({ withoutTokens, runs }: RunGroup, count: number): Value {
  return withoutTokens < runs ? count : undefined;
}

function rounded(rate: number | undefined): Value {
  return rate === undefined ? undefined : Math.round(rate * 10_000) / 10_000;
}
