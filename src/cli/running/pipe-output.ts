import type { Socket } from "node:net";
import { createOutput } from "../output.js";
import type { FileOutput } from "./file-output.js";

/**
 * `--output-file` at a named pipe: its reader is waited for, as that of standard output is. When it goes away, that
 * is told once, and the run goes on.
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
    complain(`whoever read the output file ${path} has closed it; the run goes on without it`);
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
