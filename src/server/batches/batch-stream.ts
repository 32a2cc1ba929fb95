import type { BatchState } from "../../batch/model/batch-state.js";
import { HarnessError, messageOf } from "../../errors.js";
import type { BatchAbout, BatchRowMessage, CellsMessage, ReportMessage } from "../batch-protocol.js";
import type { EventStream } from "../event-stream.js";
import type { Refusal } from "../protocol.js";
import { createPulse } from "../pulse.js";
import type { BatchIndex } from "./batch-index.js";
import { toBatchAbout, toBatchRow } from "./batch-row.js";
import { createToCellRow } from "./cell-row.js";
import type { FollowedBatch } from "./followed-batch.js";
import { reportOf } from "./report-message.js";

/** How often the ledger is read on. All readers share the beat. */
const pulse = createPulse(250);
const cellsPerMessage = 1000;

/**
 * Streams one batch until the reader is gone: `batch`, `cells` …, `row`, `report`, and then what changes. A batch that has
 * ended can be resumed, so its stream goes on too.
 */
export async function streamBatch(stream: EventStream, id: string, index: BatchIndex): Promise<void> {
  try {
    await index.open(id, (batch) => streamOpened(stream, batch));
  } catch (error) {
    const code = error instanceof HarnessError ? error.code : "unreadable_batch";
    await stream.send("refusal", { code, message: messageOf(error) } satisfies Refusal);
  }
}

async function streamOpened(stream: EventStream, batch: FollowedBatch): Promise<void> {
  let changed: Set<string> | undefined;
  const stop = batch.listen((ids) => {
    if (ids === undefined || changed === undefined) changed = undefined;
    else for (const id of ids) changed.add(id);
  });
  let lastReport = 0;
  let lastRow = "";
  try {
    while (!stream.signal.aborted) {
      const { state } = batch;
      if (state === undefined) throw new HarnessError("unreadable_batch", problemOf(batch));
      const isAll = changed === undefined;
      const ids = changed ?? new Set(state.cells.keys());
      changed = new Set();
      if (isAll) await stream.send("batch", toBatchAbout(batch, state) satisfies BatchAbout);
      await sendCells(stream, state, ids);
      const message = toRowMessage(batch, state);
      const text = JSON.stringify(message);
      if (text !== lastRow) await stream.send("row", message);
      lastRow = text;
      const report = reportOf(batch);
      if (report !== undefined && report.number > lastReport)
        await stream.send("report", report.message satisfies ReportMessage);
      lastReport = report?.number ?? 0;
      await pulse.next(stream.signal);
      await batch.update();
    }
  } finally {
    stop();
  }
}

async function sendCells(stream: EventStream, state: BatchState, ids: Iterable<string>): Promise<void> {
  const toCellRow = createToCellRow(state);
  const rows = [...ids].flatMap((id) => {
    const cell = state.cells.get(id);
    return cell === undefined ? [] : toCellRow(cell);
  });
  for (let start = 0; start < rows.length; start += cellsPerMessage)
    await stream.send("cells", { cells: rows.slice(start, start + cellsPerMessage) } satisfies CellsMessage);
}

function toRowMessage(batch: FollowedBatch, state: BatchState): BatchRowMessage {
  return {
    row: toBatchRow(batch, state),
    stopped: Array.from(state.stoppedAgents, ([agent, { message }]) => ({ agent, message })),
    problems: [...batch.problems],
  };
}

function problemOf({ problems }: FollowedBatch): string {
  return problems[0] ?? "the ledger of this batch is empty";
}
