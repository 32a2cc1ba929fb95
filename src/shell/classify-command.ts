// Placeholder until the classifier of src/shell lands; it will be overwritten.
export type ShellOperation =
  | { type: "read"; path: string; startLine?: number; endLine?: number }
  | { type: "search"; query: string; path?: string; exitsOneOnNoMatch?: true }
  | { type: "list"; path?: string };
export interface ClassifiedCommand {
  command: string;
  operations: ShellOperation[];
}
export function classifyCommand(command: string): ClassifiedCommand {
  return { command, operations: [] };
}
