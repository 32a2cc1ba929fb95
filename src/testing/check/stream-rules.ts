import * as v from "valibot";
import { type EventType, HarnessEvent } from "../../events/event.js";

/** Events that do not fit the schema, as sentences. */
export function invalidEvents(events: readonly HarnessEvent[]): string[] {
  return events.flatMap((event) => {
    const parsed = v.safeParse(HarnessEvent, event);
    if (parsed.success) return [];
    const [issue] = parsed.issues;
    const place = issue.path?.map(({ key }) => String(key)).join(".") ?? "the event";
    return [
      `an event "${event.type}" is invalid: ${place}: ${issue.message} (${JSON.stringify(event).slice(0, 300)})`,
    ];
  });
}

/** What is wrong with a run as a whole: its order, its one beginning and its one end, its calls and its plans. */
export function brokenRules(events: readonly HarnessEvent[]): string[] {
  return [...wrongOrder(events), ...unpairedCalls(events), ...idlePlans(events), ...wrongEnd(events)];
}

function wrongOrder(events: readonly HarnessEvent[]): string[] {
  const count = (type: EventType): number => events.filter((event) => event.type === type).length;
  const problems: string[] = [];
  const misplaced = events.findIndex((event, index) => event.seq !== index);
  if (misplaced !== -1)
    problems.push(`event ${misplaced} has the number ${events[misplaced]?.seq}; numbers must count from 0`);
  for (const type of ["started", "result", "exited"] as const)
    if (count(type) !== 1) problems.push(`there are ${count(type)} events "${type}"; there must be one`);
  if (events[0]?.type !== "started") problems.push('the first event must be "started"');
  const last = events.slice(-2).map(({ type }) => type);
  if (last.join() !== "result,exited")
    problems.push(`the last events must be "result" and "exited", not ${last.join(" and ")}`);
  if (events.filter((event) => event.type === "usage" && event.scope === "run").length > 1)
    problems.push("the tokens of the whole run are reported more than once");
  for (const event of events)
    if (event.type === "warning" && event.code === "translator_error")
      problems.push(`the mapping threw an error: ${event.message}`);
  return problems;
}

/** Every `tool_start` has one `tool_end` after it, and no `tool_end` comes alone. */
function unpairedCalls(events: readonly HarnessEvent[]): string[] {
  const open = new Map<string, number>();
  const problems: string[] = [];
  for (const event of events) {
    if (event.type === "tool_start") open.set(event.callId, (open.get(event.callId) ?? 0) + 1);
    if (event.type !== "tool_end") continue;
    const count = open.get(event.callId) ?? 0;
    if (count === 0) problems.push(`the call ${event.callId} ends, but did not start`);
    open.set(event.callId, count - 1);
  }
  for (const [callId, count] of open)
    if (count > 0) problems.push(`the call ${callId} starts, but does not end`);
  return problems;
}

/** A `plan` has entries with words, and differs from the one before it. The list of a subagent is its own. */
function idlePlans(events: readonly HarnessEvent[]): string[] {
  const last = new Map<string | undefined, string>();
  const problems: string[] = [];
  for (const event of events) {
    if (event.type !== "plan") continue;
    if (event.entries.some(({ content }) => content.trim() === ""))
      problems.push("a plan has an empty entry");
    const entries = JSON.stringify(event.entries);
    if (entries === (last.get(event.parentCallId) ?? "[]")) problems.push("a plan says nothing new");
    last.set(event.parentCallId, entries);
  }
  return problems;
}

/** The result and the exit agree, and only a failure has a reason. */
function wrongEnd(events: readonly HarnessEvent[]): string[] {
  const result = events.find((event) => event.type === "result");
  const exited = events.find((event) => event.type === "exited");
  if (result === undefined || exited === undefined) return [];
  const problems: string[] = [];
  if ((exited.reason === "completed") !== result.isSuccess)
    problems.push(
      `the result is ${result.isSuccess ? "a success" : "a failure"}, but the exit says "${exited.reason}"`,
    );
  if ((result.failure === undefined) !== result.isSuccess)
    problems.push("a failed run must have a failure, and a successful one must not");
  return problems;
}
