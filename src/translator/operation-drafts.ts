import type { Draft, Finished, OpenCall, Operation } from "./contract.js";

/**
 * What a finished call did, as events. An operation's success is the call's, except that `grep` and
 * `rg` exit 1 when nothing matched: the search completed, and so did what ran before it.
 */
export function operationDrafts(call: OpenCall, operations: readonly Operation[], how: Finished): Draft[] {
  const last = operations.at(-1);
  const foundNothing = how.exitCode === 1 && last !== undefined && exitsOneOnNoMatch(last);
  return operations.map((operation) => {
    const isSuccess = foundNothing || (how.exitCode === 1 && exitsOneOnNoMatch(operation)) ? true : how.isSuccess;
    const about = { isSuccess, callId: call.callId, parentCallId: call.parentCallId };
    if (operation.type === "command") return { ...operation, exitCode: how.exitCode, ...about };
    if (operation.type !== "search") return { ...operation, ...about };
    return { type: "search", query: operation.query, path: operation.path, ...about };
  });
}

function exitsOneOnNoMatch(operation: Operation): boolean {
  return operation.type === "search" && operation.exitsOneOnNoMatch === true;
}
