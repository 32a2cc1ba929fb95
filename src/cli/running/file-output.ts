import { messageOf } from "../../errors.js";
import { type AppendFile, createAppendFile } from "../../runs/files/append-file.js";
import type { Output } from "../output.js";

export interface FileOutput extends Output {
  /** Something could not be written. */
  readonly hasFailed: boolean;
  close(): void;
  /** Drops what has not been taken and waits no longer. */
  abandon(): void;
}

/**
 * `--output-file`: a new file that grows while the run goes on, by whole texts. A disk that refuses is told
 * once; the file then ends with what was written before, and the run goes on.
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
      complain(`the output file ${path} cannot be written (${messageOf(error)}); the run goes on without it`);
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
