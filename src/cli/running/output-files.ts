import { statSync } from "node:fs";
import type { OutputName } from "../../outputs/registry.js";
import { formatBytes } from "../../text/numbers.js";
import { complain } from "../complain.js";
import { openNamedPipe } from "../named-pipe.js";
import { checkPlaces } from "./check-places.js";
import { createFileOutput, createPipeOutput, type FileOutput } from "./file-output.js";
import type { OutputTargets } from "./output-targets.js";

/** A file of `--output`, and what is written to it. */
export interface OutputFile {
  format: OutputName;
  path: string;
  output: FileOutput;
}

/** Opens the files of `--output` for a run that is read again. A file that cannot be written is refused. */
export function openOutputFiles({ files }: Pick<OutputTargets, "files">): OutputFile[] {
  checkPlaces({}, { files });
  return files.map(({ name, file: path }) => {
    const pipe = openNamedPipe(path);
    const output =
      pipe === undefined ? createFileOutput(path, complain) : createPipeOutput(pipe, path, complain);
    return { format: name, path, output };
  });
}

/** Says what was written. Returns false if something could not be written, which was said before. */
export function closeOutputFiles(files: readonly OutputFile[]): boolean {
  for (const { path, output } of files) {
    output.close();
    const written = statSync(path, { throwIfNoEntry: false });
    if (!output.hasFailed && written?.isFile()) complain(`wrote ${path} (${formatBytes(written.size)})`);
  }
  return files.every(({ output }) => !output.hasFailed);
}
