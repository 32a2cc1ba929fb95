import { createTranslator } from "../../../src/agents/create-translator.js";
import { requireAgent } from "../../../src/agents/registry.js";
import type { EventOf, HarnessEvent } from "../../../src/events/event.js";
import type { FailureKind } from "../../../src/events/failure.js";
import { isOperation, type OperationEvent } from "../../../src/events/operation.js";
import { claudeFormat } from "../../../src/outputs/claude/format.js";
import type { ClaudeRecord } from "../../../src/outputs/claude/schema.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { classifyCommand } from "../../../src/shell/classify-command.js";
import { resolvePath } from "../../../src/text/paths.js";
import { toJsonText, toNdjson } from "../../../src/text/to-json.js";

export function recordsOf(events: readonly HarnessEvent[]): ClaudeRecord[] {
  return formatEvents(claudeFormat, events, { prompt: "Do it" });
}

/** Reads the records with the translator of Claude Code, as `harness translate --agent claude` does. */
export function readBack(records: readonly ClaudeRecord[]): HarnessEvent[] {
  const translator = createTranslator(requireAgent("claude"), { runId: "back" });
  const events = [...translator.start()];
  for (const record of records)
    for (const event of translator.line(toNdjson([record]).trimEnd())) events.push(event);
  for (const event of translator.end({ exitCode: 0 })) events.push(event);
  return events;
}

/** What does not come back as it was. docs/interop/claude.md says the same to users. */
export const rules = {
  readingCommand:
    "a command that only reads is reported as what it read: the translator of Claude Code looks into commands",
  otherThanAnnounced: "a call that did something else than it announced comes back as both",
  unreportedStart: "a subagent of which only the end was reported comes back with its start",
  nameOfSubagent: "a subagent without an id has the name that its call gives it",
  fileOfSkill: "a skill comes back with the path of its SKILL.md",
  unknownOutcome:
    "a call of which nobody said how it ended comes back as a success, if it returned something",
  kindOfFailure: "a kind of failure that Claude Code has no word for comes back as what its message says",
  withoutAnswer: "a run without an answer has its last message, or what was streamed of one",
  sumOfTurns: "a session of which only turns report tokens comes back with their sum",
} as const;
export type Rule = keyof typeof rules;

type Use = (rule: Rule) => void;

/** How the run that was read back differs from the run, apart from the rules. */
export function differencesOf(
  run: readonly HarnessEvent[],
  records: readonly ClaudeRecord[],
  back: readonly HarnessEvent[],
  use: Use,
): string[] {
  return [
    ...operationDifferences(run, records, back, use),
    ...messageDifferences(run, back, use),
    ...callDifferences(run, records, back, use),
    ...outcomeDifferences(run, back, use),
    ...usageDifferences(run, back, use),
  ];
}

function ofType<T extends HarnessEvent["type"]>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** What is in one list and not in the other, in any order: parallel calls end in any order. */
function compare(what: string, wanted: readonly string[], found: readonly string[]): string[] {
  const extra = [...found];
  const missing = wanted.filter((one) => {
    const at = extra.indexOf(one);
    if (at !== -1) extra.splice(at, 1);
    return at === -1;
  });
  return [
    ...missing.map((one) => `${what} missing: ${one.slice(0, 300)}`),
    ...extra.map((one) => `${what} added: ${one.slice(0, 300)}`),
  ];
}

/** The call of the run that a call in the records stands for. */
function originsOf(records: readonly ClaudeRecord[]): (callId: string | undefined) => string | undefined {
  const origins = new Map<string, string>();
  for (const record of records) {
    const origin = record.type === "assistant" ? record["harness-stream"]?.["callId"] : undefined;
    if (record.type !== "assistant" || typeof origin !== "string") continue;
    for (const block of record.message.content) if (block.type === "tool_use") origins.set(block.id, origin);
  }
  return (callId) => origins.get(callId ?? "") ?? callId;
}

function operationDifferences(
  run: readonly HarnessEvent[],
  records: readonly ClaudeRecord[],
  back: readonly HarnessEvent[],
  use: Use,
): string[] {
  const originOf = originsOf(records);
  const excused = excusedCalls(run, use);
  const cwd = ofType(run, "session")[0]?.cwd || ofType(run, "started")[0]?.cwd || undefined;
  const starts = ofType(run, "orchestration").filter(({ action }) => action === "subagent_started");
  /** True if the subagent had an id when it started. */
  const hasId = ({ callId, subagentId }: EventOf<"orchestration">): boolean =>
    starts.some((start) =>
      subagentId === undefined
        ? start.callId === callId && start.subagentId !== undefined
        : start.subagentId === subagentId,
    );
  const names = (events: readonly HarnessEvent[]): string =>
    ofType(events, "orchestration")
      .map(({ subagentName }) => subagentName)
      .join();
  if (names(run) !== names(back) && starts.some((start) => !hasId(start))) use("nameOfSubagent");

  const keyOf = (event: OperationEvent): string[] => {
    if (event.type === "orchestration") {
      const { action, subagentName, isSuccess } = event;
      return [JSON.stringify([action, hasId(event) ? subagentName : "", isSuccess])];
    }
    if (excused.has(originOf(event.callId) ?? "")) return [];
    const { path, query, command, startLine, endLine, skillName, exitCode } = { ...nothing, ...event };
    const where = path === undefined ? undefined : resolvePath(path, cwd);
    const isWrite = event.type === "write";
    const file = event.type === "skill" ? where?.replace(/[^/]*$/, "SKILL.md") : where;
    if (file !== where) use("fileOfSkill");
    return [
      JSON.stringify([
        event.type,
        file,
        query,
        command,
        // Claude Code's edits have no lines, and a command that succeeded has no exit code.
        isWrite ? undefined : [startLine, endLine],
        skillName,
        event.isSuccess,
        exitCode || undefined,
        event.parentCallId,
      ]),
    ];
  };
  const reported = new Set(starts.map(({ callId }) => callId));
  const seen = back.filter((event) => {
    if (event.type !== "orchestration" || event.action !== "subagent_started") return true;
    const isUnreported = !reported.has(event.callId);
    if (isUnreported) use("unreportedStart");
    return !isUnreported;
  });
  return compare(
    "operation",
    run.filter(isOperation).flatMap(keyOf),
    seen.filter(isOperation).flatMap(keyOf),
  );
}

const nothing = {
  path: undefined as string | undefined,
  query: undefined as string | undefined,
  command: undefined as string | undefined,
  startLine: undefined as number | undefined,
  endLine: undefined as number | undefined,
  skillName: undefined as string | undefined,
  exitCode: undefined as number | undefined,
};

/** The calls whose operations come back in another way, by a rule. */
function excusedCalls(run: readonly HarnessEvent[], use: Use): Set<string> {
  const excused = new Set<string>();
  const announced = new Map<string, string>();
  const done = new Map<string, string[]>();
  const keyOf = ({
    type,
    path,
    query,
    command,
  }: {
    type: string;
    path?: string;
    query?: string;
    command?: string;
  }) => (type === "skill" ? type : JSON.stringify([type, path, query, command]));
  for (const event of run) {
    if (event.type === "tool_start" && event.operations !== undefined) {
      announced.set(event.callId, event.operations.map(keyOf).sort().join());
      done.set(event.callId, []);
    }
    if (!isOperation(event) || event.type === "orchestration" || event.callId === undefined) continue;
    done.get(event.callId)?.push(keyOf(event));
    if (event.type === "command" && classifyCommand(event.command).operations.length > 0) {
      excused.add(event.callId);
      use("readingCommand");
    }
  }
  for (const [callId, keys] of done) {
    if (announced.get(callId) === keys.sort().join()) continue;
    excused.add(callId);
    use("otherThanAnnounced");
  }
  return excused;
}

function messageDifferences(run: readonly HarnessEvent[], back: readonly HarnessEvent[], use: Use): string[] {
  const said = (events: readonly HarnessEvent[]): string[] =>
    ofType(events, "agent").flatMap(({ role, message, parentCallId }) =>
      role === undefined ? [JSON.stringify([message, parentCallId])] : [],
    );
  const thought = (events: readonly HarnessEvent[]): string[] => {
    const threads = new Map<string | undefined, string>();
    for (const { parentCallId, delta, message } of ofType(events, "thinking"))
      threads.set(parentCallId, (threads.get(parentCallId) ?? "") + (delta ?? message ?? ""));
    return Array.from(threads, (thread) => JSON.stringify(thread));
  };
  const streamed = (events: readonly HarnessEvent[]): string[] => [
    ofType(events, "text")
      .map(({ delta }) => delta)
      .join(""),
  ];
  const wanted = said(run);
  const found = said(back);
  const last = ofType(run, "result")[0];
  if (last?.text === undefined && found.length === wanted.length + 1) {
    const cut = found.findIndex((message) => !wanted.includes(message));
    if (cut !== -1) found.splice(cut, 1);
    use("withoutAnswer");
  }
  return [
    ...compare("message", wanted, found),
    ...compare("thinking", thought(run), thought(back)),
    ...compare("text", streamed(run), streamed(back)),
  ];
}

/** Calls: their names and inputs are beside the call, their ends come back. */
function callDifferences(
  run: readonly HarnessEvent[],
  records: readonly ClaudeRecord[],
  back: readonly HarnessEvent[],
  use: Use,
): string[] {
  const originOf = originsOf(records);
  const native = (events: readonly HarnessEvent[]): string[] =>
    ofType(events, "tool_start").map(({ callId, name, input }) =>
      JSON.stringify([callId, name, input ?? {}]),
    );
  const kept = records.flatMap((record) => {
    if (record.type !== "assistant") return [];
    const facts = record["harness-stream"];
    return record.message.content.flatMap((block) => {
      if (block.type !== "tool_use" || facts?.["callId"] !== undefined || block.id.startsWith("harness_"))
        return [];
      const native = facts ?? { name: block.name, input: block.input };
      return [JSON.stringify([block.id, native["name"], native["input"] ?? {}])];
    });
  });
  const ends = new Map<string, { isSuccess: boolean | undefined; output: string }[]>();
  for (const { callId, isSuccess, output } of ofType(back, "tool_end")) {
    if (callId.startsWith("harness_")) continue;
    const first = ends.get(originOf(callId) ?? callId)?.at(-1);
    // Calls that are several calls of Claude Code: one that fails is enough.
    if (first !== undefined && originOf(callId) !== callId)
      first.isSuccess = first.isSuccess === true && isSuccess;
    else {
      // An id may be used again.
      const same = ends.get(callId) ?? [];
      same.push({ isSuccess, output: output === undefined ? "" : toJsonText(output) });
      ends.set(callId, same);
    }
  }
  const differences = ofType(run, "tool_end").flatMap(({ callId, name, isSuccess, output }) => {
    const end = ends.get(callId)?.shift();
    const text = output === undefined ? "" : toJsonText(output);
    if (end === undefined) return [`call missing: ${callId} ${name}`];
    if (isSuccess === undefined && output !== undefined) use("unknownOutcome");
    else if (isSuccess !== end.isSuccess)
      return [`call ${callId} ${name}: ${isSuccess} became ${end.isSuccess}`];
    const isKept = end.output === text || /^Exit code \d+$/.test(end.output.replace(text, "").trim());
    return isKept
      ? []
      : [`output of ${callId} ${name}: ${text.slice(0, 100)} became ${end.output.slice(0, 100)}`];
  });
  return [...compare("call", native(run), kept), ...differences];
}

/** The kinds that a record of Claude Code can say. */
const carried: ReadonlySet<FailureKind> = new Set([
  "auth",
  "quota",
  "rate_limit",
  "provider",
  "context_overflow",
  "max_turns",
  "budget",
  "schema",
  "cancelled",
  "refusal",
]);

function outcomeDifferences(run: readonly HarnessEvent[], back: readonly HarnessEvent[], use: Use): string[] {
  const [wanted] = ofType(run, "result");
  const [found] = ofType(back, "result");
  if (wanted === undefined || found === undefined) return ["no result"];
  const kinds = [wanted.failure?.kind, found.failure?.kind];
  const isKindLost = kinds[0] !== undefined && kinds[0] !== kinds[1] && !carried.has(kinds[0]);
  if (isKindLost) use("kindOfFailure");
  const isWithoutText = wanted.text === undefined && found.text !== undefined;
  if (isWithoutText) use("withoutAnswer");
  const facts = ({ isSuccess, failure, text, output, costUsd }: EventOf<"result">): string =>
    JSON.stringify([
      isSuccess,
      isKindLost ? "" : failure?.kind,
      failure?.message,
      isWithoutText ? "" : text,
      output,
      costUsd === undefined ? undefined : costUsd.toFixed(9),
    ]);
  return compare("outcome", [facts(wanted)], [facts(found)]);
}

function usageDifferences(run: readonly HarnessEvent[], back: readonly HarnessEvent[], use: Use): string[] {
  const keyOf = (usage: EventOf<"usage">): string =>
    JSON.stringify([
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.outputTokens,
      usage.reasoningTokens,
      usage.totalTokens,
    ]);
  const steps = (events: readonly HarnessEvent[]): string[] =>
    ofType(events, "usage")
      .filter(({ scope }) => scope === "step")
      .map(keyOf);
  const total = (events: readonly HarnessEvent[]): string[] =>
    ofType(events, "usage")
      .filter(({ scope }) => scope === "run" || scope === "session")
      .slice(-1)
      .map(keyOf);
  const hasSum = total(run).length === 0 && ofType(run, "usage").some(({ scope }) => scope === "turn");
  if (hasSum && total(back).length > 0) use("sumOfTurns");
  return [
    ...compare("step", steps(run), steps(back)),
    ...(hasSum ? [] : compare("usage", total(run), total(back))),
  ];
}
