import { findAgent } from "../../agents/registry.js";
import type { FileChange } from "../../events/changes.js";
import { cutEnd } from "../../outputs/text/cut.js";
import type { Line, Segment } from "../../outputs/text/line.js";
import { wrapText } from "../../outputs/text/wrap.js";
import type { Recording } from "../../runs/archive/recordings.js";
import { checkOfRecording } from "../../runs/recording/recorded-check.js";
import { describeCheck } from "../../story/describe-check.js";
import { failureOf, hasFailed, nextStepOf, outcomeWords, signOf, signOfRun } from "../../story/outcomes.js";
import { costSourceWords, type RecordedSummary } from "../../story/recorded-summary.js";
import { cleanText } from "../../text/clean-text.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatUsd } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { type Fact, toFactLines } from "../facts.js";
import { formatAge, formatMoment } from "../moments.js";
import { styleOfOutcome } from "../screen.js";

const longestPrompt = 500;
const lineLength = 120;
const shownEntries = 20;

/** A recorded run for people: what was asked, how it ended and why, what it changed and did, what it took, where its files are. */
export function describeRecording(recording: Recording, summary: RecordedSummary, columns: number): Line[] {
  const width = Math.min(columns, lineLength);
  const { paths } = recording;
  const failed = summary.commands.filter(hasFailed).length;
  // The reason of the failure is above.
  const errors = summary.errors.filter(({ message }) => message !== summary.failure?.message);
  const parts: Line[][] = [
    [
      ...wrapText(promptOf(recording, summary), width).map((text): Line => [{ text, style: "bold" }]),
      ...describeOutcome(recording, summary),
    ],
    toFactLines(factsOf(recording, summary), columns),
    changedFiles(recording, summary, width),
    toSection(
      `Commands: ${summary.commands.length}${failed > 0 ? `, ${failed} failed` : ""}`,
      summary.commands.map((command) => {
        const exit = command.exitCode === undefined ? "" : `  exit ${command.exitCode}`;
        const isFailed = hasFailed(command);
        return [
          { text: `${signOf(isFailed)} `, style: isFailed ? "failure" : "success" },
          { text: toRow(command.command, width - 4 - exit.length) },
          { text: exit, style: "dim" },
        ];
      }),
    ),
    toSection(`Errors: ${errors.length}`, errors.map(toReportLine(width))),
    toSection(`Warnings: ${summary.warnings.length}`, summary.warnings.map(toReportLine(width))),
    toSection(
      "Recording",
      [paths.meta, paths.ndjson, paths.raw, paths.events].map((path) => [{ text: path }]),
    ),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : [[], ...part]));
}

/** A live session is begun without a prompt: then it is the one of its first turn. */
function promptOf({ meta }: Recording, { turns = [] }: RecordedSummary): string {
  const prompt = meta.prompt || (turns.find((turn) => turn.prompt !== undefined)?.prompt ?? "");
  return toVisibleLine(prompt, longestPrompt) || "(no prompt)";
}

function describeOutcome({ outcome, meta }: Recording, summary: RecordedSummary): Line[] {
  const reason = failureOf(summary);
  const why = [
    ...(outcome === "running" ? [`process ${meta.harness?.pid}`] : []),
    ...(reason?.kind === undefined ? [] : [reason.kind]),
    ...(reason === undefined ? [] : [cleanText(reason.message).trim()]),
  ];
  const [first = "", ...rest] = why.join(": ").split("\n").slice(0, shownEntries);
  return [
    [
      { text: `${signOfRun(outcome)} ${outcomeWords[outcome]}`, style: styleOfOutcome(outcome) },
      { text: first === "" ? "" : `: ${first}` },
    ],
    ...rest.map((text): Line => [{ text: `  ${text}` }]),
  ];
}

function factsOf(recording: Recording, summary: RecordedSummary): Fact[] {
  const { id, meta } = recording;
  const { durationMs, costUsd, costSource = "agent", sessionId = meta.sessionId } = summary;
  const { agentVersion = summary.agentVersion, model = summary.model } = meta;
  const agent = [meta.agent, agentVersion, model && `· ${model}`];
  const cost = costUsd === undefined ? undefined : `${formatUsd(costUsd)} (${costSourceWords[costSource]})`;
  const permissions = typeof meta.permissions === "string" ? meta.permissions : undefined;
  return [
    ["next step", nextStepOf(summary.failure), "warning"],
    ["id", id],
    ["agent", agent.filter((part) => part !== undefined).join(" ")],
    ["directory", meta.cwd],
    ["permissions", permissions],
    ["started", `${formatMoment(meta.startedAt)} (${formatAge(meta.startedAt, Date.now())})`],
    ["took", took(recording, durationMs)],
    ["tokens", describeTokens(summary.usage)],
    ["cost", cost ?? "not reported"],
    ["check", describeCheckOf(recording)],
    ["subagents", summary.subagents === 0 ? undefined : String(summary.subagents)],
    ["turns", summary.turns?.length ? String(summary.turns.length) : undefined],
    ["session", sessionId && `${sessionId}${howToContinue(id, meta)}`],
    ["batch", meta.batch && `${meta.batch.id}, cell ${meta.batch.cell}`],
    ["source", describeSource(meta)],
    ["problem", meta.problem],
  ];
}

/** `Check passed in 2 s: npm test`. */
function describeCheckOf({ meta }: Recording): string | undefined {
  const check = checkOfRecording(meta);
  return check && `${describeCheck(check)}: ${toVisibleLine(check.command, lineLength)}`;
}

/** A run that was not made here. */
function describeSource({ isDemo, imported }: Recording["meta"]): string | undefined {
  if (isDemo) return "demo: a recorded run was played, nothing was paid";
  if (imported === undefined) return undefined;
  return `imported from ${imported.file}${imported.isUntimed ? ", a log without times" : ""}`;
}

/** An agent that is only a protocol needs its command again. */
function howToContinue(id: string, { agent, isIsolated, isDemo, imported }: Recording["meta"]): string {
  // A log says nothing about where its session is. A store is where the agent looks for it.
  if (isDemo || (imported !== undefined && (imported.store === undefined || imported.isFromOtherHome)))
    return "";
  if (isIsolated) return " (it went with the home of the isolated run)";
  const found = findAgent(agent);
  if (!found?.capabilities.resume) return "";
  const command = found.traits.isLiveOnly ? " -- COMMAND" : "";
  return ` (continue with: harness run --resume ${id} -p "…"${command})`;
}

function took({ outcome, meta }: Recording, durationMs: number | undefined): string | undefined {
  if (outcome === "running") return `${formatDuration(Date.now() - Date.parse(meta.startedAt))} so far`;
  return durationMs === undefined ? undefined : formatDuration(durationMs);
}

function describeTokens(usage: RecordedSummary["usage"]): string {
  if (usage === undefined) return "not reported";
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens, totalTokens } =
    usage;
  const classes: [string, number | undefined][] = [
    ["input", inputTokens],
    ["cache read", cacheReadTokens],
    ["cache write", cacheWriteTokens],
    ["output", outputTokens],
    ["of it reasoning", reasoningTokens],
  ];
  const parts = classes.flatMap(([name, count]) =>
    count === undefined ? [] : [`${name} ${formatCount(count)}`],
  );
  const total = totalTokens === undefined ? "" : `${formatCount(totalTokens)}: `;
  const scope = usage.scope === "session" ? " (the whole session, not only this run)" : "";
  return `${total}${parts.join(", ")}${scope}`;
}

/** What git saw, else what the agent's edits said. */
function changedFiles(recording: Recording, summary: RecordedSummary, width: number): Line[] {
  const { changes, filesWritten } = summary;
  const cwd = summary.cwd ?? recording.meta.cwd;
  if (changes === undefined)
    return toSection(
      `Files changed: ${filesWritten.length}`,
      filesWritten.map(({ path, count }) => {
        const times = count > 1 ? ` (${count} times)` : "";
        return [
          { text: toRow(relativeTo(path, cwd), width - 2 - times.length) },
          { text: times, style: "dim" },
        ];
      }),
    );
  const { source, files, moreFiles = 0, insertions, deletions } = changes;
  const count = files.length + moreFiles;
  const hasLines = insertions + deletions > 0;
  const figures = hasLines ? `, +${formatCount(insertions)} −${formatCount(deletions)}` : "";
  const title = `Files changed: ${formatCount(count)}${figures}`;
  const section = toSection(
    title,
    files.map((file) => toChange(file, width)),
    count,
  );
  // The edits of some agents only name the files.
  if (count === 0 || (source === "edits" && !hasLines)) return section;
  return [...section, [{ text: `  the diff: harness sessions diff ${recording.id}`, style: "dim" }]];
}

const changeSigns: Readonly<Record<FileChange["kind"], string>> = {
  added: "A",
  modified: "M",
  deleted: "D",
  renamed: "R",
};

function toChange({ kind, path, from, insertions, deletions, isBinary }: FileChange, width: number): Line {
  const name = from === undefined ? path : `${from} → ${path}`;
  const numbers: Line = isBinary
    ? [{ text: "  binary", style: "dim" }]
    : [
        { text: `  +${formatCount(insertions)}`, style: "success" },
        { text: ` −${formatCount(deletions)}`, style: "failure" },
      ];
  const isUncounted = isBinary !== true && insertions === 0 && deletions === 0;
  return [
    { text: `${changeSigns[kind]} `, style: "dim" },
    { text: toRow(name, width - 20) },
    ...(isUncounted ? [] : numbers),
  ];
}

/** `count`: how many there are, if not all of them are given. */
function toSection(title: string, lines: readonly Line[], count: number = lines.length): Line[] {
  if (count === 0) return [];
  const shown = lines.slice(0, shownEntries);
  const rest = count - shown.length;
  const more: Segment[] = [{ text: `  and ${formatCount(rest)} more`, style: "dim" }];
  return [
    [{ text: title, style: "bold" }],
    ...shown.map((line): Line => [{ text: "  " }, ...line]),
    ...(rest > 0 ? [more] : []),
  ];
}

function toReportLine(width: number): (report: { message: string }) => Line {
  return ({ message }) => [{ text: toRow(message, width - 2) }];
}

function toRow(text: string, width: number): string {
  return cutEnd(toVisibleLine(text, lineLength), Math.max(10, width));
}
