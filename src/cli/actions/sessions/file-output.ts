import { closeSync, writeFileSync } from "node:fs";
import { HarnessError, problemOf } from "../../../errors.js";
import { openNamed } from "../../../recording/open-file.js";
import type { Output } from "../../output.js";

/** Writes to a new file, replacing what was there. Gives how many bytes were written. */
export async function writeToFile(path: string, write: (output: Output) => Promise<void>): Promise<number> {
  let file: number | undefined;
  let bytes = 0;
  try {
    const opened = openNamed(path);
    file = opened;
    await write({
      write(text) {
        writeFileSync(opened, text);
        bytes += Buffer.byteLength(text);
        return undefined;
      },
      isClosed: false,
      onClose: () => undefined,
    });
    return bytes;
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("unwritable_file", `cannot write ${path}: ${problemOf(error)}`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
