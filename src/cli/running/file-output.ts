import type { Socket } from "node:net";
import { messageOf } from "../../errors.js";
import { type AppendFile, createAppendFile } from "../../runs/files/append-file.js";
import { createOutput, type PrintTarget } from "../output.js";

export interface FileOutput extends PrintTarget {
  /** True if something could not be written. */
  readonly hasFailed: boolean;
  close(): void;
  /** Drops what the reader has not taken, and stops waiting for it. */
  abandon(): void;
}

/**
 * `--output-file`: a new file that grows during the run, by whole texts. The first write that fails is reported; the file
 * then ends with what was written before, and the run continues.
 */
export function createFileOutput(path: string, complain: (sentence: string) => void): FileOutput {
  let file: AppendFile | undefined;
  let hasFailed = false;

  function attempt(action: () => void): undefined {
    if (hasFailed) return;
    try {
      action();
    } catch (error) {
      hasFailed = true;
      file?.close();
      complain(
        `the output file ${path} cannot be written (${messageOf(error)}); the rest goes on without it`,
      );
    }
  }

  attempt(() => {
    file = createAppendFile(path);
  });
  return {
    write(piece) {
      if (piece.length === 0) return undefined;
      return attempt(() =>
        file?.append((writer) => (typeof piece === "string" ? writer.text(piece) : writer.bytes(piece))),
      );
    },
    writeWhole(pieces) {
      attempt(() =>
        file?.append(({ text }) => {
          for (const piece of pieces) text(piece);
        }),
      );
    },
    isClosed: false,
    onClose: () => undefined,
    get hasFailed() {
      return hasFailed;
    },
    close() {
      if (!hasFailed) file?.close();
    },
    abandon: () => undefined,
  };
}

/**
 * `--output-file` with the path of a named pipe. A slow reader slows the run, as that of standard output does. If it
 * goes away, that is reported once, and the run continues.
 */
export function createPipeOutput(
  pipe: Socket,
  path: string,
  complain: (sentence: string) => void,
): FileOutput {
  const output = createOutput(pipe);
  let hasFailed = false;
  output.onClose(() => {
    hasFailed = true;
    complain(`the reader of the output file ${path} has closed it; the rest goes on without it`);
  });
  return {
    write: output.write,
    isClosed: false,
    onClose: () => undefined,
    get hasFailed() {
      return hasFailed;
    },
    close: () => void pipe.end(),
    abandon: output.abandon,
  };
}
