import { type FileHandle, open } from "node:fs/promises";
import type { Socket } from "node:net";
import { finished } from "node:stream/promises";
import { HarnessError, problemOf } from "../../../errors.js";
import { openNamedPipe } from "../../named-pipe.js";
import { createOutput, type Output } from "../../output.js";

/** Writes to a new file, replacing what was there. Gives how many bytes were written. */
export async function writeToFile(path: string, write: (output: Output) => Promise<void>): Promise<number> {
  const pipe = openNamedPipe(path);
  if (pipe !== undefined) return writeToPipe(pipe, path, write);
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

/** A reader that goes away before the end has not got the document. */
async function writeToPipe(
  pipe: Socket,
  path: string,
  write: (output: Output) => Promise<void>,
): Promise<number> {
  const output = createOutput(pipe);
  await write(output);
  pipe.end();
  await finished(pipe, { readable: false }).catch(() => undefined);
  if (!output.isClosed) return pipe.bytesWritten;
  throw new HarnessError("unwritable_file", `cannot write ${path}: whoever read this pipe has closed it`);
}
