import type { EventOf } from "../../events/event.js";
import type { PlannedOperation } from "../../events/live-event.js";
import type { OperationEvent } from "../../events/operation.js";
import type { Messages } from "./messages.js";
import type { Records } from "./records.js";
import type { Subagents } from "./subagents.js";
import { toolUseOf } from "./tool-input.js";
import { resultOf, type ToolResult } from "./tool-result.js";
import { isSubagentCall, type ToolUses, toolUsesOf } from "./tool-uses.js";

/** What a call did, apart from starting subagents. */
export type FileOperation = Exclude<OperationEvent, { type: "orchestration" }>;

/**
 * Tool calls. The result of a call waits for what the call did, which says how its command exited. That follows the end of the
 * call directly, so the next event releases the result at the latest.
 */
export interface Calls {
  started(event: EventOf<"tool_start">): void;
  ended(event: EventOf<"tool_end">): void;
  done(event: FileOperation): void;
  /** A subagent has started. If its call has ended right before, the result of the call comes after it. */
  subagentStarted(event: EventOf<"orchestration">): void;
  /** A subagent has ended. True if its call has ended right before: the result of the call says so. */
  subagentEnded(event: EventOf<"orchestration">): boolean;
  /** Something else follows. */
  release(): void;
}

/** A call that has begun: the calls of Claude Code that it became, and their ids. */
interface Begun extends ToolUses {
  ids: string[];
  start: EventOf<"tool_start">;
}

/** A call that has ended, and what it did so far. */
interface Held extends Begun {
  end: EventOf<"tool_end">;
  done: FileOperation[];
}

export interface CallParts {
  cwd: string;
  records: Records;
  messages: Messages;
  subagents: Subagents;
}

export function createCalls(parts: CallParts): Calls {
  const { subagents } = parts;
  const open = new Map<string, Begun>();
  let held: Held | undefined;

  function begin(start: EventOf<"tool_start">): Begun {
    const id = open.has(start.callId) ? `${start.callId}#${start.seq}` : start.callId;
    const call = beginCall(start, id, parts);
    open.set(start.callId, call);
    return call;
  }

  function release(): void {
    const call = held;
    held = undefined;
    if (call !== undefined) endCall(call, parts);
  }

  return {
    started(event) {
      release();
      begin(event);
    },
    ended(event) {
      release();
      const { type: _, isSuccess: __, output: ___, ...rest } = event;
      const call = open.get(event.callId) ?? begin({ type: "tool_start", ...rest });
      open.delete(event.callId);
      held = { ...call, end: event, done: [] };
      if (call.expected === 0 && !isSubagentCall(call.start.name)) release();
    },
    done(event) {
      if (held === undefined || held.end.callId !== event.callId) {
        release();
        return addCall(event, parts);
      }
      held.done.push(event);
      if (held.done.length >= held.expected) release();
    },
    subagentStarted(event) {
      if (held?.end.callId !== event.callId) release();
      subagents.started(event);
      release();
    },
    subagentEnded(event) {
      const isHeld =
        held !== undefined && held.end.callId === event.callId && isSubagentCall(held.start.name);
      if (isHeld) subagents.endedWith(event, held?.end.isSuccess !== false);
      release();
      return isHeld;
    },
    release,
  };
}

/** Writes the calls of Claude Code that a call is. The agent's own name and input are beside them. */
function beginCall(start: EventOf<"tool_start">, id: string, { cwd, messages, subagents }: CallParts): Begun {
  const { name, input, parentCallId, seq } = start;
  const found = toolUsesOf(start, cwd);
  const ids = found.uses.map((_, index) => (index === 0 ? id : `${id}#${index + 1}`));
  for (const [index, use] of found.uses.entries()) {
    const isNative = use.name === name && use.input === input;
    const facts = { name, ...(index === 0 ? input !== undefined && { input } : { callId: id }) };
    const block = { type: "tool_use" as const, id: ids[index] ?? id, ...use };
    messages.call(block, { parentCallId, seq, facts: isNative ? undefined : facts });
  }
  if (isSubagentCall(name)) subagents.called(start);
  return { ...found, ids, start };
}

/** Writes the results of a call whose operations are known. */
function endCall({ uses, ids, isSplit, start, end, done }: Held, parts: CallParts): void {
  const { parentCallId, isSuccess, output, callId } = end;
  // It never ended. Claude Code prints no result then, either.
  if (isSuccess === undefined && output === undefined) return;
  for (const [index, use] of uses.entries()) {
    const operation = done[index];
    if (isSplit && operation === undefined && index > 0) break;
    const { details, ...result } = resultOf(use, {
      isSuccess: isSplit ? (operation?.isSuccess ?? isSuccess) : isSuccess,
      output: index === 0 ? output : undefined,
      done: isSplit ? done.slice(index, index + 1) : done,
      isMain: parentCallId === undefined,
      cwd: parts.cwd,
    });
    const about = { ...details, ...(isSubagentCall(start.name) && parts.subagents.returned(callId)) };
    answer(ids[index] ?? callId, { ...result, details: about }, parentCallId, parts);
    if (operation?.type === "skill" && !result.is_error) inject(operation, parts);
  }
  parts.messages.answered(parentCallId);
  const announced = start.operations ?? [];
  for (const operation of done) if (!isAnnounced(operation, announced)) addCall(operation, parts);
}

/** What no call announced is a call of its own. */
function addCall(operation: FileOperation, parts: CallParts): void {
  const { seq, callId, parentCallId, isSuccess } = operation;
  const { cwd, messages } = parts;
  const id = `harness_${seq}`;
  const use = toolUseOf(plannedOf(operation), { name: "" }, cwd);
  const facts = callId === undefined ? undefined : { callId };
  messages.call({ type: "tool_use", id, ...use }, { parentCallId, seq, facts });
  if (isSuccess === undefined) return;
  const isMain = parentCallId === undefined;
  const result = resultOf(use, { isSuccess, output: undefined, done: [operation], isMain, cwd });
  answer(id, result, parentCallId, parts);
  if (operation.type === "skill" && isSuccess) inject(operation, parts);
}

function answer(
  id: string,
  { content, is_error, details, facts }: ToolResult,
  parentCallId: string | undefined,
  { records }: CallParts,
): void {
  const block = {
    type: "tool_result" as const,
    tool_use_id: id,
    ...(content !== undefined && { content }),
    is_error,
  };
  records.add({
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: parentCallId ?? null,
    ...(Object.keys(details).length > 0 && { tool_use_result: details }),
    ...(facts !== undefined && { "harness-stream": facts }),
  });
}

/** Claude Code gives the text of a skill to the model in a record of its own, which names the directory. */
function inject({ path, parentCallId }: EventOf<"skill">, { records }: CallParts): void {
  const text = `Base directory for this skill: ${path.replace(/[\\/][^\\/]*$/, "")}`;
  records.add({
    type: "user",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: parentCallId ?? null,
    isSynthetic: true,
  });
}

function isAnnounced(done: FileOperation, announced: readonly PlannedOperation[]): boolean {
  if (done.type === "skill") return announced.some(({ type }) => type === "skill");
  const key = keyOf(plannedOf(done));
  return announced.some((operation) => keyOf(operation) === key);
}

function keyOf(operation: PlannedOperation): string {
  const { type, path, query, command } = { path: "", query: "", command: "", ...operation };
  return JSON.stringify([type, path, query, command]);
}

/** What was done, without how it went. */
function plannedOf(event: FileOperation): PlannedOperation {
  switch (event.type) {
    case "command":
      return { type: "command", command: event.command };
    case "read":
    case "write": {
      const { type, path, startLine, endLine } = event;
      return {
        type,
        path,
        ...(startLine !== undefined && { startLine }),
        ...(endLine !== undefined && { endLine }),
      };
    }
    case "search":
      return { type: "search", query: event.query, ...(event.path !== undefined && { path: event.path }) };
    case "list":
      return { type: "list", ...(event.path !== undefined && { path: event.path }) };
    case "skill":
      return {
        type: "skill",
        path: event.path,
        ...(event.skillName !== undefined && { skillName: event.skillName }),
      };
  }
}
