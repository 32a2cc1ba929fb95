import { classifyPipeline } from "./classify-pipeline.js";
import { firstProgram } from "./first-program.js";
import { parseScript, type ScriptPart } from "./parse-script.js";
import { remember } from "./remember.js";
import { decisionOf, isBystander, withDecision } from "./script-success.js";
import type { ShellOperation } from "./shell-operation.js";
import { unwrapShell } from "./unwrap-shell.js";

export type { ListOperation, ReadOperation, SearchOperation, ShellOperation } from "./shell-operation.js";

/** What a shell command did to files, as far as that is certain. */
export interface ClassifiedCommand {
  /** The script without its `bash -lc` wrappers. */
  command: string;
  /** In order. Empty if the command is not certainly a file operation. It is then reported as one `command`. */
  operations: readonly ShellOperation[];
}

/** Every level doubles the quoting, so real wrappers are never this deep. */
const deepestWrapper = 8;

/**
 * What one shell command line did. Never throws; text that is not shell syntax, or is longer than a shell could run, stays a command.
 *
 *     classifyCommand("bash -lc \"sed -n '10,20p' app.ts\"")
 *     // { command: "sed -n '10,20p' app.ts", operations: [{ type: "read", path: "app.ts", startLine: 10, endLine: 20 }] }
 */
export const classifyCommand: (command: string) => ClassifiedCommand = remember(classify, 3_200_000);

function classify(command: string): ClassifiedCommand {
  let script = command;
  let first = firstProgram(script);
  for (let depth = 0; depth < deepestWrapper && first.mayBeShell; depth++) {
    const inner = unwrapShell(script);
    if (inner === undefined || inner.trim() === "") break;
    script = inner;
    first = firstProgram(script);
  }
  const parts = first.mayBeFileOperation ? parseScript(script) : undefined;
  return { command: script, operations: parts ? toOperations(parts) : [] };
}

/** The operations of all pipelines. Empty if one of them is not understood. */
function toOperations(parts: readonly ScriptPart[]): ShellOperation[] {
  const operations: ShellOperation[] = [];
  for (const [index, { pipeline }] of parts.entries()) {
    if (index > 0 && isBystander(pipeline)) continue;
    const found = classifyPipeline(pipeline);
    if (found === undefined) return [];
    for (const operation of withDecision(found, decisionOf(parts, index))) operations.push(operation);
  }
  return operations;
}
