import { closeSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { finished } from "node:stream/promises";
import { HarnessError, problemOf } from "../errors.js";
import { openNamed } from "../runs/files/open-file.js";
import { openNamedPipe } from "./named-pipe.js";
import { createOutput, type PrintTarget } from "./output.js";

/** Writes a file, replacing an existing one. Resolves to how many bytes were written. */
export async function writeToFile(
  path: string,
  write: (output: PrintTarget) => Promise<void>,
): Promise<number> {
  const pipe = openNamedPipe(path);
  if (pipe !== undefined) return writeToPipe(pipe, path, write);
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

/** A reader that goes away early has not received the whole document, which is an error. */
async function writeToPipe(
  pipe: Socket,
  path: string,
  write: (output: PrintTarget) => Promise<void>,
): Promise<number> {
  const output = createOutput(pipe);
  await write(output);
  pipe.end();
  await finished(pipe, { readable: false }).catch(() => undefined);
  if (!output.isClosed) return pipe.bytesWritten;
  throw new HarnessError("unwritable_file", `cannot write ${path}: the reader of this pipe has closed it`);
}
