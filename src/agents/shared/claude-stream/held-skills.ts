import { asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { resolvePath } from "../../../text/paths.js";
import type { Finished, OpenCall, Operation, Sink } from "../../contract.js";
import { operationDrafts } from "../../frame/operation-drafts.js";

/**
 * Skills whose call has returned. The record after the result has the text of the skill, which begins with its directory. So
 * the `skill` event waits for it. If something else follows, the skill gets the path that its name suggests.
 */
export interface HeldSkills {
  /** Ends the call. Its operation follows now, if the result itself names the directory, or later. */
  finish(call: OpenCall, operations: Operation[], how: Finished, out: Sink): void;
  /** A text that Claude Code itself gives to the model. True if it is the text of a skill. */
  injected(block: JsonObject, parentCallId: string | undefined, out: Sink): boolean;
  /** The conversation goes on: no directory will follow. */
  release(out: Sink): void;
}

interface Held {
  call: OpenCall;
  operations: Operation[];
  how: Finished;
  line: number;
}

const opening = /^\s*Base directory for this skill: (.+)/;

export function createHeldSkills(): HeldSkills {
  let held: Held[] = [];

  return {
    finish(call, operations, how, out) {
      call.isSilent = true;
      out.finish(call, how);
      const directory = directoryIn(how.output);
      if (directory !== undefined || how.isSuccess !== true)
        emit(call, located(operations, directory), how, out);
      else held.push({ call, operations, how, line: out.lineNumber });
    },
    injected(block, parentCallId, out) {
      const directory = directoryIn(block["text"]);
      const skill = held.find(({ call }) => call.parentCallId === parentCallId);
      if (directory === undefined || skill === undefined) return false;
      held = held.filter((one) => one !== skill);
      emit(skill.call, located(skill.operations, directory), skill.how, out);
      return true;
    },
    release(out) {
      const released = held;
      held = [];
      for (const { call, operations, how, line } of released) emit(call, operations, how, out, line);
    },
  };
}

function emit(call: OpenCall, operations: Operation[], how: Finished, out: Sink, line?: number): void {
  for (const draft of operationDrafts(call, operations, how)) out.emit({ ...draft, line });
}

function directoryIn(text: unknown): string | undefined {
  return typeof text === "string" ? asText(opening.exec(text)?.[1]?.trim()) : undefined;
}

function located(operations: Operation[], directory: string | undefined): Operation[] {
  if (directory === undefined) return operations;
  return operations.map((operation) =>
    operation.type === "skill" ? { ...operation, path: resolvePath("SKILL.md", directory) } : operation,
  );
}
