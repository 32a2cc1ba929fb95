import type { Finished, OpenCall, Sink } from "../contract.js";
import { operationDrafts } from "../frame/operation-drafts.js";

/**
 * Ends a call whose operations have no outcome, or none yet: its command goes on in the background, or no record says how it
 * ended. The call itself has the outcome that it reports.
 */
export function finishRunning(call: OpenCall, how: Finished, out: Sink): void {
  const operations = call.operations ?? [];
  call.isSilent = operations.length > 0;
  out.finish(call, how);
  for (const draft of operationDrafts(call, operations, {})) out.emit(draft);
}
