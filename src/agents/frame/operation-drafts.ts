import type { PlannedOperation, RequestedOperation } from "../../events/live-event.js";
import type { Draft, Finished, OpenCall, Operation } from "../contract.js";

/** What a finished call did, as events. */
export function operationDrafts(call: OpenCall, operations: readonly Operation[], how: Finished): Draft[] {
  return operations.map((operation) => toDraft(operation, call, successOf(operation, how), how.exitCode));
}

/**
 * An operation succeeds if its call does. A part of a script has an outcome only if the exit code decides it. `grep` and
 * `rg` exit 1 if nothing matched, although the search completed.
 */
function successOf({ exitDecides, exitsOneOnNoMatch }: Operation, how: Finished): boolean | undefined {
  if (exitDecides === undefined) return exitsOneOnNoMatch && how.exitCode === 1 ? true : how.isSuccess;
  if (exitDecides === "ifSucceeded") return how.isSuccess || undefined;
  // A `grep` that ends with 1 may have found nothing, so a failed chain does not say that it failed.
  return exitDecides === "ifFailed" && how.isSuccess === false && !exitsOneOnNoMatch ? false : undefined;
}

function toDraft(
  operation: Operation,
  call: OpenCall,
  isSuccess: boolean | undefined,
  exitCode: number | undefined,
): Draft {
  const { callId, parentCallId } = call;
  switch (operation.type) {
    case "command": {
      const { command, workingDirectory } = operation;
      return { type: "command", parentCallId, command, workingDirectory, exitCode, isSuccess, callId };
    }
    case "search":
      return {
        type: "search",
        parentCallId,
        query: operation.query,
        path: operation.path,
        isSuccess,
        callId,
      };
    case "list":
      return { type: "list", parentCallId, path: operation.path, isSuccess, callId };
    case "skill":
      return {
        type: "skill",
        parentCallId,
        path: operation.path,
        skillName: operation.skillName,
        isSuccess,
        callId,
      };
    default: {
      const { type, path, startLine, endLine } = operation;
      return { type, parentCallId, path, startLine, endLine, isSuccess, callId };
    }
  }
}

/**
 * The operation as `tool_start` announces it: without what only decides its outcome, and without empty fields. Written out for each
 * type: this runs for every call, and V8 is slow when it copies any fields of any object.
 */
export function toPlanned(operation: Operation): PlannedOperation {
  switch (operation.type) {
    case "command": {
      const { command, workingDirectory } = operation;
      return workingDirectory === undefined
        ? { type: "command", command }
        : { type: "command", command, workingDirectory };
    }
    case "search": {
      const { query, path } = operation;
      return path === undefined ? { type: "search", query } : { type: "search", query, path };
    }
    case "list":
      return operation.path === undefined ? { type: "list" } : { type: "list", path: operation.path };
    case "skill": {
      const { path, skillName } = operation;
      return skillName === undefined ? { type: "skill", path } : { type: "skill", path, skillName };
    }
    default: {
      const { type, path, startLine, endLine } = operation;
      const planned: PlannedOperation = { type, path };
      if (startLine !== undefined) planned.startLine = startLine;
      if (endLine !== undefined) planned.endLine = endLine;
      return planned;
    }
  }
}

/**
 * The operations as a request for permission has them. A shell command is always a `command`, also one that only reads: rules
 * and people must judge the whole of it.
 */
export function toRequested(operations: readonly Operation[]): RequestedOperation[] {
  const scripts = new Set<Operation["script"]>();
  return operations.flatMap((operation): RequestedOperation[] => {
    const { script } = operation;
    if (script === undefined) return [toPlanned(operation)];
    if (scripts.has(script)) return [];
    scripts.add(script);
    return [toPlanned({ type: "command", ...script })];
  });
}
