import type { ShellOperation } from "../../src/shell/classify-command.js";

/** A command line, what it becomes, and the script when a wrapper is removed from it. */
export interface CommandCase {
  line: string;
  operations: ShellOperation[];
  command?: string;
}

export function read(path: string, startLine?: number, endLine?: number): ShellOperation {
  return {
    type: "read",
    path,
    ...(startLine === undefined ? {} : { startLine }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

export function list(path?: string): ShellOperation {
  return path === undefined ? { type: "list" } : { type: "list", path };
}

/** By a program whose exit code 1 is an error, such as `find`. */
export function found(query: string, path?: string): ShellOperation {
  return path === undefined ? { type: "search", query } : { type: "search", query, path };
}

/** By `grep` or `rg`. */
export function matched(query: string, path?: string): ShellOperation {
  return orNoMatch(found(query, path));
}

/** Piped into `grep` or `rg`. */
export function orNoMatch(operation: ShellOperation): ShellOperation {
  return { ...operation, exitsOneOnNoMatch: true };
}

export function becomes(line: string, ...operations: ShellOperation[]): CommandCase {
  return { line, operations };
}

export function staysCommand(line: string): CommandCase {
  return { line, operations: [] };
}

export function unwraps(line: string, command: string, ...operations: ShellOperation[]): CommandCase {
  return { line, command, operations };
}
