import type { Context, Hono } from "hono";
import type { CellState } from "../../batch/model/batch-state.js";
import { HarnessError } from "../../errors.js";
import type { BatchesChange, CellDetail } from "../batch-protocol.js";
import { type EventStream, eventStream } from "../event-stream.js";
import { createGatheredChanges } from "../gathered-changes.js";
import type { BatchIndex } from "./batch-index.js";
import { streamBatch } from "./batch-stream.js";
import { listCellFiles, readCellFile } from "./cell-files.js";
import { createToCellRow, toShownResult } from "./cell-row.js";
import type { FollowedBatch } from "./followed-batch.js";

/** Everything under `/api/batches`. Access has been checked before. */
export function addBatchRoutes(api: Hono, batches: BatchIndex): void {
  api.get("/batches", async (context) => {
    await batches.refresh();
    return context.json(batches.list());
  });

  api.get("/batches/live", (context) => eventStream(context, (stream) => streamBatches(stream, batches)));

  api.get("/batches/:id/stream", (context) =>
    eventStream(context, (stream) => streamBatch(stream, context.req.param("id"), batches)),
  );

  api.get("/batches/:id/cells/:cell", (context) =>
    withCell(context, batches, async (batch, cell) => context.json(toDetail(batch, cell))),
  );

  api.get("/batches/:id/cells/:cell/files/:name", (context) =>
    withCell(context, batches, async ({ directory }, { cell }) =>
      context.json(await readCellFile(directory, cell.id, context.req.param("name") ?? "")),
    ),
  );
}

/** The list of batches, then every change of it, until the reader is gone. */
async function streamBatches(stream: EventStream, batches: BatchIndex): Promise<void> {
  let sending = Promise.resolve();
  const send = (event: string, data: () => unknown): void => {
    sending = sending.then(() => stream.send(event, data())).catch(() => undefined);
  };
  const changes = createGatheredChanges<BatchesChange>();
  const stop = batches.watch((change) => {
    if (changes.add(change)) send("change", changes.take);
  });
  const list = { ...batches.list(), isAll: false };
  send("list", () => list);
  await batches.refresh();
  const all = batches.list();
  send("list", () => all);
  await new Promise<void>((resolve) => {
    if (stream.signal.aborted) resolve();
    else stream.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  stop();
}

function toDetail(batch: FollowedBatch, cell: CellState): CellDetail {
  const { state, directory } = batch;
  if (state === undefined) throw new HarnessError("unknown_cell", "the batch cannot be read");
  const result = cell.result && toShownResult(cell.result);
  return {
    row: createToCellRow(state)(cell),
    ...(result !== undefined && { result }),
    files: listCellFiles(directory, cell.cell.id),
  };
}

/** Only the ids of the batch's own cells lead to files. */
function withCell(
  context: Context,
  batches: BatchIndex,
  use: (batch: FollowedBatch, cell: CellState) => Promise<Response>,
): Promise<Response> {
  return batches.open(context.req.param("id") ?? "", async (batch) => {
    const cell = batch.state?.cells.get(context.req.param("cell") ?? "");
    if (cell === undefined) throw new HarnessError("unknown_cell", "the batch has no such cell");
    return use(batch, cell);
  });
}
