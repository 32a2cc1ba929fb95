import { readBatch } from "../../batch/read-batch.js";
import { messageOf } from "../../errors.js";
import { toVisibleLine } from "../../text/cut.js";
import { formatUsd } from "../../text/numbers.js";
import { batchesIn, countMissing } from "../batches.js";
import { complain } from "../complain.js";
import { formatAge } from "../moments.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import { type StoredBatch, stateOfBatch, toBatchStatus } from "./batch-status.js";
import type { StatusFlags } from "./command.js";
import { passRateOf, standingsOf } from "./figures.js";
import { formatRate } from "./live-table.js";

/** Lists the batches, newest first. One that cannot be read does not hide the others. */
export async function listBatchesAction(flags: StatusFlags): Promise<number> {
  const found = batchesIn(flags.directory);
  const read = found.flatMap(({ directory }): StoredBatch[] => {
    try {
      return [{ directory, ...readBatch(directory) }];
    } catch (error) {
      complain(messageOf(error));
      return [];
    }
  });
  const output = createOutput(process.stdout);
  if (flags.json) await output.printJson(read.map(toBatchStatus));
  else if (found.length === 0) complain("there is no batch yet; begin one: harness batch PLAN");
  else if (read.length > 0)
    await output.print(toTable(["ID", "WHEN", "STATE", "DONE", "PASS", "COST", "NAME"], read.map(rowOf)));
  return 0;
}

function rowOf(batch: StoredBatch): string[] {
  const { head, cells, costUsd } = batch.state;
  const { all } = standingsOf(batch.state);
  return [
    head.batchId,
    formatAge(head.at, Date.now()),
    stateOfBatch(batch),
    `${cells.size - countMissing(batch.state)}/${cells.size}`,
    formatRate(passRateOf(all)),
    costUsd === 0 ? "-" : formatUsd(costUsd),
    toVisibleLine(head.plan.name, 40),
  ];
}
