import { type ReadonlySignal, signal } from "@preact/signals";
import type {
  BatchAbout,
  BatchRowMessage,
  CellsMessage,
  ReportMessage,
} from "../../../src/server/batch-protocol.js";
import type { Refusal } from "../../../src/server/protocol.js";
import { openStream } from "../server/stream.js";
import { type CellTable, createCellTable } from "./grid-model.js";

/** A batch on the server, as it is now. */
export interface BatchSource {
  id: string;
  about: ReadonlySignal<BatchAbout | undefined>;
  status: ReadonlySignal<BatchRowMessage | undefined>;
  report: ReadonlySignal<ReportMessage | undefined>;
  /** Replaced whenever cells have changed: whoever reads it is drawn again. */
  cells: ReadonlySignal<{ table: CellTable }>;
  /** Why the batch cannot be shown. */
  problem: ReadonlySignal<string>;
  close(): void;
}

const nothing = { arms: 0, tasks: 0, repeats: 0 };

export function openBatch(id: string): BatchSource {
  const about = signal<BatchAbout | undefined>(undefined);
  const status = signal<BatchRowMessage | undefined>(undefined);
  const report = signal<ReportMessage | undefined>(undefined);
  const cells = signal({ table: createCellTable(nothing) });
  const problem = signal("");
  const stream = openStream<{
    batch: BatchAbout;
    cells: CellsMessage;
    row: BatchRowMessage;
    report: ReportMessage;
    refusal: Refusal;
  }>(`/api/batches/${encodeURIComponent(id)}/stream`, {
    batch(message) {
      const { table } = cells.value;
      // The same batch again: its squares are replaced one by one, and none disappears meanwhile.
      const isSame = about.value?.row.startedAt === message.row.startedAt;
      about.value = message;
      cells.value = { table: isSame ? table : createCellTable(message.row) };
    },
    cells(message) {
      cells.value.table.put(message.cells);
      cells.value = { table: cells.value.table };
    },
    row(message) {
      status.value = message;
    },
    report(message) {
      report.value = message;
    },
    refusal(refusal) {
      problem.value = refusal.message;
      stream.close();
    },
  });
  return { id, about, status, report, cells, problem, close: stream.close };
}
