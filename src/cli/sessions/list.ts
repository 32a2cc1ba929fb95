import { listRecordings } from "../../runs/archive/list.js";
import type { Recording } from "../../runs/archive/recording.js";
import { durationBetween } from "../../story/recorded-summary.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration, formatNumberOf, formatShortCount, formatUsd } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { formatAge } from "../moments.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { ListFlags } from "./command.js";
import { toReport } from "./report.js";

/** Lists recordings, newest first. */
export async function listRecordingsAction(flags: ListFlags): Promise<number> {
  const { agent, outcome, cwd, since } = flags;
  const limit = flags.all ? Number.POSITIVE_INFINITY : flags.limit;
  let unreadable = 0;
  let ofBatches = 0;
  const found = await listRecordings({
    agent: agent === undefined ? undefined : await idOfAgent(agent),
    outcome,
    cwd,
    since,
    batch: flags.batch === undefined ? (flags.all ? undefined : false) : await idOfBatch(flags.batch),
    onBatchRun: () => {
      ofBatches += 1;
    },
    limit: limit + 1,
    onUnreadable: () => {
      unreadable += 1;
    },
  });
  if (found.length === 0 && agent !== undefined) await refuseUnknown(agent);
  const shown = found.slice(0, limit);
  const output = createOutput(process.stdout);
  await (flags.json ? output.printJson(shown.map(toReport)) : output.print(toList(shown)));
  const notes = [
    ...(shown.length === 0 && !flags.json ? ["no recorded run matches"] : []),
    ...(found.length > shown.length ? [`there are more: --limit ${limit * 5}, or --all`] : []),
    ...(ofBatches > 0
      ? [
          `${formatNumberOf(ofBatches, "run")} of batches not listed: --all, or --batch ID (harness batch list)`,
        ]
      : []),
    ...(unreadable > 0
      ? [`${formatNumberOf(unreadable, "recording")} cannot be read: .meta.json is damaged`]
      : []),
  ];
  for (const note of notes) complain(note);
  return 0;
}

/** The id of an agent by any of its names. The agents are only loaded if one is asked for: there are many. */
async function idOfAgent(name: string): Promise<string> {
  const { findAgent } = await import("../../agents/registry.js");
  return findAgent(name)?.id ?? name;
}

/** The full id of a batch. Its recordings may be there although its own directory is gone. */
async function idOfBatch(id: string): Promise<string> {
  const { findBatch } = await import("../batches.js");
  return findBatch(id).batchId;
}

/** There may be recordings of agents that are not known here; without any, the name is probably wrong. */
async function refuseUnknown(name: string): Promise<void> {
  const { readConfiguration } = await import("../configuration.js");
  const { checkAgentName } = await import("../../config/configured-agents.js");
  checkAgentName(name, readConfiguration());
}

interface Column {
  title: string;
  text(recording: Recording, now: number): string;
  /** Left out if the terminal is too narrow. */
  isOptional?: true;
}

const columns: readonly Column[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "WHEN", text: ({ meta }, now) => formatAge(meta.startedAt, now) },
  { title: "AGENT", text: ({ meta }) => toVisibleLine(meta.agent, 20) },
  { title: "OUTCOME", text: ({ outcome }) => outcome },
  { title: "TOOK", text: ({ meta }) => took(meta), isOptional: true },
  {
    title: "TOKENS",
    text: ({ meta }) => numberOr(meta.usage?.totalTokens, formatShortCount),
    isOptional: true,
  },
  { title: "COST", text: ({ meta }) => cost(meta), isOptional: true },
];

const leastPrompt = 24;
const gap = 2;

function toList(found: readonly Recording[]): string {
  if (found.length === 0) return "";
  const now = Date.now();
  const width = process.stdout.columns ?? 160;
  const cells = columns.map((column) => ({
    ...column,
    cells: found.map((recording) => column.text(recording, now)),
  }));
  const widthOf = (column: (typeof cells)[number]): number =>
    gap + Math.max(column.title.length, ...column.cells.slice(0, 1000).map((cell) => cell.length));
  const needed = cells.reduce((sum, column) => sum + widthOf(column), leastPrompt);
  const kept = needed <= width ? cells : cells.filter((column) => !column.isOptional);
  const left = Math.max(leastPrompt, width - kept.reduce((sum, column) => sum + widthOf(column), 0));
  const rows = found.map((recording, row) => [
    ...kept.map((column) => column.cells[row] ?? ""),
    toVisibleLine(recording.meta.prompt, Math.min(left, 100)),
  ]);
  return toTable([...kept.map(({ title }) => title), "PROMPT"], rows);
}

function took({ startedAt, endedAt }: Recording["meta"]): string {
  return numberOr(durationBetween(startedAt, endedAt), formatDuration);
}

/** `~`: an estimate. */
function cost({ costUsd, costSource }: Recording["meta"]): string {
  return `${costSource === "estimated" ? "~" : ""}${numberOr(costUsd, formatUsd)}`;
}

function numberOr(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "-" : format(value);
}
