import { lstatSync } from "node:fs";
import { join } from "node:path";
import { batchPlaces } from "../../batch/places.js";
import { HarnessError } from "../../errors.js";
import { openRegularFile } from "../../runs/files/regular-file.js";
import type { CellFileAbout, CellFileName, CellFileText } from "../batch-protocol.js";

const names: readonly CellFileName[] = ["check.log", "setup.log", "changes.patch"];
/** Of a longer file, only the beginning and the end are sent. */
const headBytes = 192 * 1024;
const tailBytes = 64 * 1024;

/** The files of a cell that exist. `cellId` must be the id of a cell of the batch. */
export function listCellFiles(directory: string, cellId: string): CellFileAbout[] {
  return names.flatMap((name) => {
    const size = sizeOf(directory, cellId, name);
    return size === undefined ? [] : { name, size };
  });
}

export async function readCellFile(directory: string, cellId: string, wanted: string): Promise<CellFileText> {
  const name = names.find((each) => each === wanted);
  if (name === undefined || sizeOf(directory, cellId, name) === undefined)
    throw new HarnessError("unknown_cell", `the cell ${cellId} has no such file`);
  const file = await openRegularFile(join(batchPlaces(directory).cell(cellId), name));
  try {
    const { size } = await file.stat();
    const read = async (start: number, length: number): Promise<string> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
      return buffer.toString("utf8", 0, bytesRead);
    };
    if (size <= headBytes + tailBytes) return { head: await read(0, size), tail: "", omitted: 0 };
    const omitted = size - headBytes - tailBytes;
    return { head: await read(0, headBytes), tail: await read(size - tailBytes, tailBytes), omitted };
  } finally {
    await file.close();
  }
}

/** Undefined if there is no such plain file. Agents can write here: a link could lead to any file. */
function sizeOf(directory: string, cellId: string, name: CellFileName): number | undefined {
  const folder = batchPlaces(directory).cell(cellId);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.size : undefined;
}
