import { formatShare } from "../../../src/batch/report/words.js";
import type { BatchRow } from "../../../src/server/batch-protocol.js";
import { toVisibleLine } from "../../../src/text/cut.js";
import { formatCount, formatDuration, formatNumberOf, formatUsd } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { now, toAgo, toMoment } from "../ui/clock.js";
import {
  cellSigns,
  countCells,
  countDone,
  countMissing,
  describeShape,
  passRate,
  phaseSigns,
  phaseWords,
} from "./batch-words.js";

export function BatchListLine({ row, isCurrent }: { row: BatchRow; isCurrent: boolean }) {
  const { id, name, phase, startedAt, endedAt, costUsd, counts } = row;
  const rate = passRate(row);
  const end = endedAt === undefined ? now.value : Date.parse(endedAt);
  return (
    <div class={`run-line batch-line${isCurrent ? " current" : ""}`} data-batch={id}>
      <a class="run-link" href={toHash({ page: "batch", id })} aria-current={isCurrent ? "true" : undefined}>
        <span
          class={`sign ${phaseSigns[phase]}`}
          role="img"
          aria-label={phaseWords[phase]}
          title={phaseWords[phase]}
        />
        <span class="what">
          <span class="prompt" dir="auto">
            {name || id}
          </span>
          <span class="facts">
            <span>{describeShape(row)}</span>
            <span>
              {formatCount(countDone(row))} of {formatCount(countCells(row))} done
            </span>
            {counts.running > 0 && <span class="latest">{formatCount(counts.running)} running</span>}
            {counts.error > 0 && (
              <span class="reason cancelled">{formatNumberOf(counts.error, "error")}</span>
            )}
            <Resumable row={row} />
          </span>
          <BatchProgressBar row={row} />
        </span>
        <span class="numbers">
          <span class="number" title="Passed, of the cells that could be judged">
            {rate === undefined ? "" : `${formatShare(rate)} passed`}
          </span>
          <span class="number" title="Cost, as far as it is known">
            {costUsd > 0 ? formatUsd(costUsd) : ""}
          </span>
          <span class="number" title="Duration">
            {formatDuration(end - Date.parse(startedAt))}
          </span>
        </span>
        <time class="ago" dateTime={startedAt} title={toMoment(startedAt)}>
          {toAgo(startedAt, now.value)}
        </time>
      </a>
    </div>
  );
}

/** How to go on with a batch that is not finished. */
function Resumable({ row }: { row: BatchRow }) {
  const missing = countMissing(row);
  if (missing === 0 || row.phase === "completed") return null;
  return (
    <span class="reason cancelled">
      {phaseWords[row.phase].toLowerCase()}: <code>harness batch resume {toVisibleLine(row.id, 60)}</code>
    </span>
  );
}

/** The cells as a bar: one part for each sign. The words beside it say the same. */
export function BatchProgressBar({ row }: { row: BatchRow }) {
  const all = Math.max(1, countCells(row));
  return (
    <span class="progress" aria-hidden="true">
      {cellSigns.map(
        (sign) =>
          row.counts[sign] > 0 && (
            <span key={sign} class={sign} style={{ width: `${(100 * row.counts[sign]) / all}%` }} />
          ),
      )}
    </span>
  );
}
