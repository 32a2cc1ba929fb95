import { type FileHandle, open } from "node:fs/promises";
import { HarnessError, problemOf } from "../../../errors.js";
import type { Output } from "../../output.js";

/** Writes to a new file, replacing what was there. Gives how many bytes were written. */
export async function writeToFile(path: string, write: (output: Output) => Promise<void>): Promise<number> {
  let file: FileHandle | undefined;
  let bytes = 0;
  try {
    const opened = await open(path, "w");
    file = opened;
    await write({
      async write(text) {
        await opened.writeFile(text);
        bytes += Buffer.byteLength(text);
      },
      isClosed: false,
      onClose: () => undefined,
    });
    return bytes;
  } catch (error) {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("unwritable_file", `cannot write ${path}: ${problemOf(error)}`, { cause: error });
  } finally {
    await file?.close();
  }
}
