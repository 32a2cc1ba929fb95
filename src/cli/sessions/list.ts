import type { Line, Segment } from "../../outputs/text/line.js";
import { listRecordings } from "../../runs/archive/list.js";
import type { Recording } from "../../runs/archive/recording.js";
import { durationBetween } from "../../story/recorded-summary.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatDuration, formatNumberOf, formatShortCount } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { formatAge } from "../moments.js";
import { createOutput } from "../output.js";
import { describeRunCost, describeTotals } from "../run-figures.js";
import { directoryFilter, periodOf } from "../run-filters.js";
import { type Screen, standardScreen, styleOfOutcome } from "../screen.js";
import { type FittedColumn, toFittedTable } from "../table.js";
import type { ListFlags } from "./command.js";
import { toReport } from "./report.js";

/** Lists recordings, newest first. */
export async function listRecordingsAction(flags: ListFlags): Promise<number> {
  const { agent, outcome, model } = flags;
  const limit = flags.all ? Number.POSITIVE_INFINITY : flags.limit;
  let unreadable = 0;
  let ofBatches = 0;
  const found = await listRecordings({
    agent: agent === undefined ? undefined : await idOfAgent(agent),
    outcome,
    model,
    cwd: directoryFilter(flags),
    ...periodOf(flags),
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
  const screen = standardScreen();
  await (flags.json
    ? output.printJson(shown.map(toReport))
    : output.printLines(toList(shown, screen), screen));
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

/** What a list shows of each run. */
const longestPrompt = 100;

function columnsAt(now: number): FittedColumn<Recording>[] {
  return [
    { title: "ID", text: ({ id }) => id },
    { title: "WHEN", text: ({ meta }) => formatAge(meta.startedAt, now), style: () => "dim" },
    { title: "AGENT", text: ({ meta }) => meta.agent, most: 20 },
    { title: "MODEL", text: ({ meta }) => textOr(meta.model), most: 24, rank: 3 },
    { title: "OUTCOME", text: describeOutcome, style: ({ outcome }) => styleOfOutcome(outcome) },
    { title: "TOOK", text: took, isNumber: true, rank: 2 },
    {
      title: "TOKENS",
      text: ({ meta }) => numberOr(meta.usage?.totalTokens, formatShortCount),
      isNumber: true,
      rank: 1,
    },
    { title: "COST", text: ({ meta }) => describeRunCost(meta), isNumber: true, rank: 4 },
    { title: "PROMPT", text: describePrompt, least: 16, most: longestPrompt },
  ];
}

/** The table, and on a terminal what the runs took together. */
export function toList(found: readonly Recording[], screen: Pick<Screen, "columns" | "isTerminal">): Line[] {
  if (found.length === 0) return [];
  const table = toFittedTable(columnsAt(Date.now()), found, screen.columns);
  if (!screen.isTerminal || found.length < 2) return table;
  const counted = found.filter(({ meta }) => !meta.isDemo);
  const demos = found.length - counted.length;
  const left = demos === 0 ? [] : [`${formatNumberOf(demos, "demo run")} not counted`];
  return [...table, [], toTotals([...describeTotals(counted), ...left])];
}

function toTotals(words: readonly string[]): Segment[] {
  return [{ text: words.join(" · "), style: "dim" }];
}

/** `failed: rate_limit`. Other outcomes are their own kind. */
function describeOutcome({ outcome, meta }: Recording): string {
  const kind = meta.outcome?.failure?.kind;
  return outcome === "failed" && typeof kind === "string"
    ? `${outcome}: ${toVisibleLine(kind, 20)}`
    : outcome;
}

/** A run that was not made here is marked. */
function describePrompt({ meta }: Recording): string {
  const mark = meta.isDemo ? "(demo) " : meta.imported === undefined ? "" : "(imported) ";
  return mark + toVisibleLine(meta.prompt, longestPrompt);
}

function took({ meta }: Recording): string {
  return numberOr(durationBetween(meta.startedAt, meta.endedAt), formatDuration);
}

function textOr(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "-";
}

function numberOr(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? "-" : format(value);
}
