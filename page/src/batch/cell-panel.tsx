import { useEffect, useState } from "preact/hooks";
import type { CellResult, ShellResult } from "../../../src/batch/model/cell.js";
import type {
  BatchAbout,
  CellDetail,
  CellFileName,
  CellFileText,
  CellRow,
} from "../../../src/server/batch-protocol.js";
import { cleanText } from "../../../src/text/clean-text.js";
import { cutText, toVisibleLine } from "../../../src/text/cut.js";
import { formatBytes, formatCount, formatDuration, formatNumberOf } from "../../../src/text/numbers.js";
import { toHash } from "../router.js";
import { ValueView } from "../run/agent-text.js";
import { getJson } from "../server/api.js";
import { now, toMoment } from "../ui/clock.js";
import { formatCost, wordsOfCost } from "../ui/cost.js";
import { runToOpen } from "./cell-grid.js";

/** Cells that are only passed by are not asked for. */
const restMs = 80;
const shownTail = 2000;

interface CellPanelProps {
  batchId: string;
  about: BatchAbout;
  cell: CellRow | undefined;
}

/** What became of one cell. */
export function CellPanel({ batchId, about, cell }: CellPanelProps) {
  const detail = useDetail(batchId, cell);
  if (cell === undefined)
    return (
      <aside class="cell-panel" aria-label="Cell">
        <p class="dim">
          Point at a square, or use the arrow keys, to see what became of it. A click or Enter opens its run.
        </p>
      </aside>
    );
  const task = about.tasks[cell.task];
  const run = runToOpen(cell);
  return (
    <aside class="cell-panel" aria-label="Cell">
      <header>
        <span class={`square ${cell.sign}`} aria-hidden="true" />
        <h2>
          {toVisibleLine(task?.id ?? "", 60)} · {toVisibleLine(about.arms[cell.arm]?.id ?? "", 60)}
          {about.row.repeats > 1 && <small> {cell.repetition}</small>}
        </h2>
        <span class="word">{cell.sign}</span>
      </header>
      <Facts cell={cell} result={detail?.result} />
      <p class="why" dir="auto">
        {whyOf(cell, about)}
      </p>
      {run !== undefined && (
        <p>
          <a class="open-run" href={toHash({ page: "run", id: run, tab: "timeline" })}>
            {cell.sign === "running" ? "Watch the run" : "Open the run"}
          </a>
        </p>
      )}
      {detail?.result !== undefined && <Result result={detail.result} />}
      {detail !== undefined && detail.files.length > 0 && (
        <Files key={cell.id} path={cellPath(batchId, cell.id)} files={detail.files} />
      )}
    </aside>
  );
}

function cellPath(batchId: string, cellId: string): string {
  return `/api/batches/${encodeURIComponent(batchId)}/cells/${encodeURIComponent(cellId)}`;
}

/** The details of a cell, asked for again whenever the cell has changed. */
function useDetail(batchId: string, cell: CellRow | undefined): CellDetail | undefined {
  const [detail, setDetail] = useState<CellDetail | undefined>(undefined);
  useEffect(() => {
    if (cell === undefined) return;
    let isGone = false;
    const timer = setTimeout(async () => {
      const next = await getJson<CellDetail>(cellPath(batchId, cell.id)).catch(() => undefined);
      if (!isGone) setDetail(next);
    }, restMs);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [batchId, cell]);
  return detail?.row.id === cell?.id ? detail : undefined;
}

/** Why a cell is as it is, in a sentence. */
function whyOf({ sign, reason, until, worker }: CellRow, { row }: BatchAbout): string {
  const because = reason === undefined ? "" : `: ${reason}`;
  if (sign === "waiting")
    return row.phase === "running"
      ? "It waits for its turn."
      : "It has not been run. Resume the batch to run it.";
  if (sign === "running")
    return worker === undefined
      ? ""
      : `It runs on ${toVisibleLine(worker, 60)}. Its recording comes when the run has ended.`;
  if (sign === "retrying")
    return `It is tried again ${until === undefined ? "soon" : `at ${toMoment(until)}`}${because}`;
  if (sign === "skipped") return `It was skipped${because}`;
  return reason ?? "";
}

function Facts({ cell, result }: { cell: CellRow; result: CellResult | undefined }) {
  const { attempts = 0, startedAt, endedAt, costUsd, costSource, worker } = cell;
  const end = endedAt === undefined ? now.value : Date.parse(endedAt);
  const isTimed = startedAt !== undefined && (cell.sign === "running" || endedAt !== undefined);
  return (
    <p class="facts">
      {isTimed && <span title="With setup and check">{formatDuration(end - Date.parse(startedAt))}</span>}
      {costUsd !== undefined && (
        <span title={wordsOfCost(costSource)}>{formatCost(costUsd, costSource)}</span>
      )}
      {attempts > 1 && <span>{formatNumberOf(attempts, "attempt")}</span>}
      {result?.model !== undefined && <span>{toVisibleLine(result.model, 60)}</span>}
      {result?.agentVersion !== undefined && <span>version {toVisibleLine(result.agentVersion, 30)}</span>}
      {result?.turns !== undefined && <span>{formatNumberOf(result.turns, "turn")}</span>}
      {result?.changes !== undefined && (
        <span title="Changed in the workspace">
          {formatNumberOf(result.changes.files, "file")} +{formatCount(result.changes.insertions)} −
          {formatCount(result.changes.deletions)}
        </span>
      )}
      {worker !== undefined && <span title="Worker">{toVisibleLine(worker, 60)}</span>}
    </p>
  );
}

function Result({ result }: { result: CellResult }) {
  const { outcome, check, setup, retries = [], output } = result;
  const failure = outcome?.failure;
  return (
    <>
      {outcome !== undefined && (
        <p class="own-outcome">
          The agent itself: {outcome.isSuccess ? "done" : String(outcome.reason).replaceAll("_", " ")}
          {failure !== undefined && (
            <span dir="auto">
              {" "}
              ({String(failure.kind).replaceAll("_", " ")}: {toVisibleLine(String(failure.message), 300)})
            </span>
          )}
        </p>
      )}
      {setup !== undefined && !setup.isSuccess && <Shell name="Setup" shell={setup} />}
      {check !== undefined && <Shell name="Check" shell={check} />}
      {retries.length > 0 && (
        <details class="part">
          <summary>{formatNumberOf(retries.length, "earlier attempt")} did not count</summary>
          <ul>
            {retries.map(({ runId, failure }) => (
              <li key={runId}>
                <a href={toHash({ page: "run", id: runId, tab: "timeline" })}>
                  {String(failure.kind).replaceAll("_", " ")}
                </a>
                : {toVisibleLine(String(failure.message), 200)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {output !== undefined && <ValueView title="Output" value={output} />}
    </>
  );
}

function Shell({ name, shell }: { name: string; shell: ShellResult }) {
  const { isSuccess, exitCode, signal, isTimedOut, durationMs, tail } = shell;
  const end = isTimedOut ? "time limit" : (signal ?? `exit code ${exitCode}`);
  const text = cleanText(cutText(tail, shownTail * 4).tail || tail).trimEnd();
  return (
    <div class={`shell ${isSuccess ? "passed" : "failed"}`}>
      <p>
        {name}: {isSuccess ? "passed" : "failed"}
        <small>
          {" "}
          {end}, {formatDuration(durationMs)}
        </small>
      </p>
      {text !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre dir="auto" tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  );
}

const titles: Record<CellFileName, string> = {
  "check.log": "Check log",
  "setup.log": "Setup log",
  "changes.patch": "Changes",
};

/** The files of a cell, each loaded when it is asked for. */
function Files({ path, files }: { path: string; files: CellDetail["files"] }) {
  const [shown, setShown] = useState<{ name: CellFileName; text: string } | undefined>(undefined);
  const show = async (name: CellFileName): Promise<void> => {
    if (shown?.name === name) return setShown(undefined);
    const file = await getJson<CellFileText>(`${path}/files/${name}`).catch((error: Error) => error);
    setShown({ name, text: file instanceof Error ? file.message : toText(file) });
  };
  return (
    <>
      <p class="cell-files">
        {files.map(({ name, size }) => (
          <button
            key={name}
            type="button"
            aria-pressed={shown?.name === name}
            onClick={() => void show(name)}
          >
            {titles[name]} <small>{formatBytes(size)}</small>
          </button>
        ))}
      </p>
      {shown !== undefined && <ValueView title={titles[shown.name]} value={shown.text} />}
    </>
  );
}

function toText({ head, tail, omitted }: CellFileText): string {
  return omitted === 0 ? head : `${head}\n… ${formatBytes(omitted)} left out …\n${tail}`;
}
