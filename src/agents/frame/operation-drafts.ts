import type { Draft, Finished, OpenCall, Operation } from "../contract.js";

/**
 * What a finished call did, as events. An operation succeeds if its call does. The exception are `grep` and
 * `rg`, which exit 1 if nothing matched: the search completed, and so did what ran before it.
 */
export function operationDrafts(call: OpenCall, operations: readonly Operation[], how: Finished): Draft[] {
  const last = operations.at(-1);
  const foundNothing = how.exitCode === 1 && last?.exitsOneOnNoMatch === true;
  return operations.map((operation) => {
    const isSuccess =
      foundNothing || (how.exitCode === 1 && operation.exitsOneOnNoMatch === true) ? true : how.isSuccess;
    return toDraft(operation, call, isSuccess, how.exitCode);
  });
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
