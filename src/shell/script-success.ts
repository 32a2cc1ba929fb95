import type { ScriptPart, ShellPipeline } from "./parse-script.js";
import type { ExitDecision, ShellOperation } from "./shell-operation.js";

/** Programs that may be between file operations, since they do not touch files. They do not fail. */
const bystanders = new Set(["echo", "true", ":"]);

export function isBystander([first, ...filters]: ShellPipeline): boolean {
  return filters.length === 0 && first.input === undefined && bystanders.has(first.program);
}

/**
 * What the exit code of a script says about one of its parts. The exit code is that of the last command that ran:
 * - a command before a `;` may have failed or not, whatever follows it;
 * - commands joined by `&&` have all succeeded if the last one has. If not, it is not known which one failed;
 * - commands joined by `||` have all failed if the last one has. If not, it is not known which one succeeded;
 * - the exit code of a command that is piped into another one is lost.
 */
export function decisionOf(parts: readonly ScriptPart[], index: number): ExitDecision {
  if (parts.length === 1) return (parts[0]?.pipeline.length ?? 0) > 1 ? "never" : "always";
  const start = parts.findLastIndex(({ joint }) => joint === ";");
  if (index < start || (parts[index]?.pipeline.length ?? 0) > 1) return "never";
  const joints = new Set(parts.slice(start + 1).map(({ joint }) => joint));
  if (joints.size > 1) return "never";
  if (joints.has("||")) return "ifFailed";
  const others = parts.filter((_part, other) => other >= start && other !== index);
  return others.every(({ pipeline }) => isBystander(pipeline)) ? "always" : "ifSucceeded";
}

/** The operations of one part. If a command with several files fails, the file that failed is not known. */
export function withDecision(
  operations: readonly ShellOperation[],
  decision: ExitDecision,
): readonly ShellOperation[] {
  if (decision === "always" && operations.length === 1) return operations;
  const isAboutOne = new Set(operations.map(({ path }) => path)).size <= 1;
  const decided = isAboutOne ? decision : decisionForSeveral[decision];
  return decided === "always"
    ? operations
    : operations.map((operation) => ({ ...operation, exitDecides: decided }));
}

const decisionForSeveral: Readonly<Record<ExitDecision, ExitDecision>> = {
  always: "ifSucceeded",
  ifSucceeded: "ifSucceeded",
  ifFailed: "never",
  never: "never",
};
