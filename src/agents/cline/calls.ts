import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import type { OpenCall, Operation, Sink } from "../contract.js";
import { operationDrafts } from "../frame/operation-drafts.js";
import { newCall } from "../shared/call-shapes.js";
import type { Author } from "./author.js";
import { finishedOf, type ItemOutcome, itemsOf, rejectionOf } from "./call-result.js";
import type { Mistakes } from "./mistakes.js";
import { type Subagents, spawnTool } from "./subagents.js";
import { operationsOf } from "./tools.js";

/** Tool calls. `content_start` has the input, `content_end` the outcome. */
export interface Calls {
  start(event: JsonObject, about: { author: Author; native: JsonObject }, out: Sink): void;
  end(event: JsonObject, about: { author: Author; native: JsonObject }, out: Sink): void;
}

export function createCalls(parts: { subagents: Subagents; mistakes: Mistakes }): Calls {
  function open(
    event: JsonObject,
    { author, native }: { author: Author; native: JsonObject },
    out: Sink,
  ): OpenCall | undefined {
    const callId = asText(event["toolCallId"]);
    const name = asText(event["toolName"]);
    if (callId === undefined || name === undefined) return undefined;
    const input = event["input"];
    const { parentCallId } = author;
    const isSilent = name === spawnTool;
    const operations = isSilent ? undefined : operationsOf(name, input, out.cwd);
    const call = newCall({ callId, name, input, parentCallId, native, isSilent, operations });
    out.open(call);
    parts.subagents.opened(call);
    return call;
  }

  /** Only for the lead's own calls, since a subagent that gives up does not end the run. */
  function judge(event: JsonObject, call: OpenCall, isSuccess: boolean | undefined): void {
    if (call.parentCallId !== undefined) return;
    const rejection = rejectionOf(event);
    if (rejection !== undefined) parts.mistakes.made(rejection);
    else if (isSuccess !== false) parts.mistakes.recovered();
  }

  return {
    start: (event, about, out) => void open(event, about, out),
    /** If the start is missing, the call is opened from the fields of its end. */
    end(event, about, out) {
      const call = out.call(asText(event["toolCallId"]) ?? "") ?? open(event, about, out);
      if (call === undefined) return;
      const how = finishedOf(event, about.native);
      const items = itemsOf(event["output"]);
      const operations = operationsByItem(call.operations ?? [], items);
      if (operations !== undefined) call.isSilent = true;
      out.finish(call, how);
      operations?.forEach((operation, index) => {
        for (const draft of operationDrafts(call, [operation], items[index] ?? {})) out.emit(draft);
      });
      judge(event, call, how.isSuccess);
      parts.subagents.closed(call, { isSuccess: how.isSuccess, output: how.output }, out);
    },
  };
}

/**
 * The operations of a batch whose output lists them one by one, so that each has its own outcome. Cline joins a
 * here-document that was sent line by line into one command. Then the commands come from the output.
 */
function operationsByItem(
  operations: readonly Operation[],
  items: readonly ItemOutcome[],
): readonly Operation[] | undefined {
  if (items.length === 0 || operations.length === 0) return undefined;
  if (items.length === operations.length) return operations;
  if (operations[0]?.type !== "command") return undefined;
  const commands = items.flatMap(({ query }): Operation[] =>
    query === undefined ? [] : [{ type: "command", command: query }],
  );
  return commands.length === items.length ? commands : undefined;
}
