import { findAgent } from "../../agents/registry.js";
import type { Recording } from "../../runs/archive/recordings.js";
import { failureOf, hasFailed, nextStepOf, outcomeWords, signOf, signOfRun } from "../../story/outcomes.js";
import { costSourceWords, type RecordedSummary } from "../../story/recorded-summary.js";
import { cleanText } from "../../text/clean-text.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatCount, formatDuration, formatUsd } from "../../text/numbers.js";
import { relativeTo } from "../../text/paths.js";
import { formatAge, formatMoment } from "../moments.js";
import { toTable } from "../table.js";

const lineLength = 120;
const shownEntries = 20;

/** A recorded run for people: how it ended and why, what it did, what it took, where its files are. */
export function describeRecording(recording: Recording, summary: RecordedSummary): string {
  const { meta, paths } = recording;
  const cwd = summary.cwd ?? meta.cwd;
  const failed = summary.commands.filter(hasFailed).length;
  const parts = [
    `${toVisibleLine(meta.prompt, lineLength) || "(no prompt)"}\n${describeOutcome(recording, summary)}\n`,
    toFacts(factsOf(recording, summary)),
    toSection(
      `Files changed: ${summary.filesWritten.length}`,
      summary.filesWritten.map(
        ({ path, count }) =>
          `${toVisibleLine(relativeTo(path, cwd), lineLength)}${count > 1 ? ` (${count} times)` : ""}`,
      ),
    ),
    toSection(
      `Commands: ${summary.commands.length}${failed > 0 ? `, ${failed} failed` : ""}`,
      summary.commands.map((command) => {
        const exit = command.exitCode === undefined ? "" : `  exit ${command.exitCode}`;
        return `${signOf(hasFailed(command))} ${toVisibleLine(command.command, lineLength)}${exit}`;
      }),
    ),
    toSection(`Errors: ${summary.errors.length}`, summary.errors.map(toLine)),
    toSection(`Warnings: ${summary.warnings.length}`, summary.warnings.map(toLine)),
    toSection("Recording", [paths.meta, paths.ndjson, paths.raw, paths.events]),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function describeOutcome({ outcome, meta }: Recording, summary: RecordedSummary): string {
  const reason = failureOf(summary);
  const why = [
    ...(outcome === "running" ? [`process ${meta.harness?.pid}`] : []),
    ...(reason?.kind === undefined ? [] : [reason.kind]),
    ...(reason === undefined ? [] : [indent(cleanText(reason.message))]),
  ];
  return [`${signOfRun(outcome)} ${outcomeWords[outcome]}`, ...why].join(": ");
}

/** The lines of a message, below each other. */
function indent(text: string): string {
  return text.trim().split("\n").slice(0, shownEntries).join("\n  ");
}

type Fact = readonly [string, string | undefined];

function factsOf(recording: Recording, summary: RecordedSummary): Fact[] {
  const { id, meta } = recording;
  const { durationMs, costUsd, costSource = "agent", sessionId = meta.sessionId } = summary;
  const { agentVersion = summary.agentVersion, model = summary.model } = meta;
  const agent = [meta.agent, agentVersion, model && `· ${model}`];
  const cost = costUsd === undefined ? undefined : `${formatUsd(costUsd)} (${costSourceWords[costSource]})`;
  return [
    ["next step", nextStepOf(summary.failure)],
    ["id", id],
    ["agent", agent.filter((part) => part !== undefined).join(" ")],
    ["directory", meta.cwd],
    ["permissions", typeof meta.permissions === "string" ? meta.permissions : undefined],
    ["started", `${formatMoment(meta.startedAt)} (${formatAge(meta.startedAt, Date.now())})`],
    ["took", took(recording, durationMs)],
    ["tokens", describeTokens(summary.usage)],
    ["cost", cost ?? "not reported"],
    ["subagents", summary.subagents === 0 ? undefined : String(summary.subagents)],
    ["session", sessionId && `${sessionId}${howToContinue(id, meta)}`],
    ["problem", meta.problem],
  ];
}

/** An agent that is only a protocol needs its command again. */
function howToContinue(id: string, { agent, isIsolated }: Recording["meta"]): string {
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

function toFacts(facts: readonly Fact[]): string {
  const rows = facts.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [["", label, toVisibleLine(value, 400)]],
  );
  return toTable(["", "", ""], rows).split("\n").slice(1).join("\n");
}

function toSection(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const rest = lines.length - shownEntries;
  const shown = rest > 0 ? [...lines.slice(0, shownEntries), `and ${formatCount(rest)} more`] : lines;
  return `${title}\n${shown.map((line) => `  ${line}\n`).join("")}`;
}

function toLine({ message }: { message: string }): string {
  return toVisibleLine(message, lineLength);
}
