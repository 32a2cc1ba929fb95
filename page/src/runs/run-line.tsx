import type { RunRow } from "../../../src/server/protocol.js";
import { describeStopping, outcomeWords } from "../../../src/story/outcomes.js";
import { durationBetween } from "../../../src/story/recorded-summary.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatShortCount } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { LineCounts } from "../run/line-counts.js";
import { now, toAgo, toMoment } from "../ui/clock.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { OutcomeSign } from "../ui/outcome.js";

interface RunLineProps {
  row: RunRow;
  isCurrent: boolean;
  isChosen: boolean;
  onChoose(): void;
}

export function RunLine({ row, isCurrent, isChosen, onChoose }: RunLineProps) {
  const { id, outcome, agent, model, prompt, cwd, failure, stopping } = row;
  const latest = stopping === undefined ? row.latest : describeStopping(stopping);
  const isRunning = outcome === "running";
  const { requests = 0, isAnswerable = false } = row;
  return (
    <div class={`run-line${isCurrent ? " current" : ""}${isChosen ? " chosen" : ""}`} data-run={id}>
      <label class="choose" title="Choose (x)">
        <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={`Choose ${prompt}`} />
      </label>
      <a
        class="run-link"
        href={toHash({ page: "run", id, tab: "timeline" })}
        aria-current={isCurrent ? "true" : undefined}
      >
        <OutcomeSign outcome={outcome} />
        <span class="what">
          <span class="prompt" dir="auto">
            {prompt || "A run without a prompt"}
          </span>
          <span class="facts">
            <b>{agent}</b>
            {model !== undefined && <span>{toVisibleLine(model, 60)}</span>}
            <span class="cwd" title={cwd}>
              {toVisibleLine(lastParts(cwd), 60)}
            </span>
            {row.isDemo === true && <span class="chip">demo</span>}
            {row.isImported === true && <span class="chip">imported</span>}
            {row.isLive === true && isRunning && <span class="chip">live</span>}
            {requests > 0 && (
              <b class="waits">
                {isAnswerable ? "waits for you" : "waits for an answer"}
                {requests > 1 && ` (${requests})`}
              </b>
            )}
            {isRunning && latest !== undefined && (
              <span class="latest" dir="auto">
                {toVisibleLine(latest, 120)}
              </span>
            )}
            {!isRunning && outcome !== "completed" && (
              <span class={`reason ${outcome}`} dir="auto">
                {failure === undefined || failure.kind === "cancelled"
                  ? outcomeWords[outcome].toLowerCase()
                  : reasonOf(failure)}
              </span>
            )}
          </span>
        </span>
        <Numbers row={row} />
        <time class="ago" dateTime={row.startedAt} title={toMoment(row.startedAt)}>
          {toAgo(row.startedAt, now.value)}
        </time>
      </a>
    </div>
  );
}

function Numbers({ row }: { row: RunRow }) {
  const { files = 0, insertions = 0, deletions = 0, costUsd, costSource } = row;
  const tokens = row.usage?.totalTokens ?? row.tokens;
  return (
    <span class="numbers">
      <span class="number" title="Duration">
        {shownDuration(row)}
      </span>
      <span
        class="number"
        title={tokens === undefined ? "Tokens: not reported" : `${formatCount(tokens)} tokens`}
      >
        {tokens === undefined ? "" : `${formatShortCount(tokens)} tok`}
      </span>
      <span
        class="number"
        title={costUsd === undefined ? "Cost: not reported" : `Cost, ${wordsOfCost(costSource)}`}
      >
        {costUsd === undefined ? "" : formatCost(costUsd, costSource)}
      </span>
      <span class="number" title="Files changed">
        {files === 0 ? "" : formatNumberOf(files, "file")}
      </span>
      <span class="number lines">
        <LineCounts insertions={insertions} deletions={deletions} />
      </span>
    </span>
  );
}

/** Undefined for a log without times. */
export function durationOf({ startedAt, endedAt }: RunRow, at: number): number | undefined {
  return endedAt === undefined
    ? Math.max(0, at - Date.parse(startedAt))
    : durationBetween(startedAt, endedAt);
}

/** Those of a run under way do not flicker. */
function shownDuration(row: RunRow): string {
  const duration = durationOf(row, now.value);
  if (duration === undefined) return "";
  return formatDuration(row.endedAt === undefined ? Math.round(duration / 1000) * 1000 : duration);
}

function reasonOf({ kind, message }: { kind: string; message: string }): string {
  return toVisibleLine(`${kind.replaceAll("_", " ")}: ${message}`, 160);
}

export function lastParts(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join("/")}`;
}
