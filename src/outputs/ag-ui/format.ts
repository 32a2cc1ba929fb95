import type { EventOf, EventType, HarnessEvent } from "../../events/event.js";
import { type CallNames, createCallNames } from "../call-names.js";
import type { Format, FormatOptions, View } from "../contract.js";
import { fieldsOf } from "../event-fields.js";
import { cutSentence, noteFact, outcomeOf, type RunFacts, streamIdOf } from "../run-facts.js";
import { createSpokenParts } from "../spoken-parts.js";
import { createToolCalls } from "./calls.js";
import { limitedJson, limitedObject } from "./limits.js";
import { createMessages } from "./messages.js";
import { toRunEnd, toRunStarted } from "./run-end.js";
import type { AgUiEvent } from "./schema.js";
import { createSubagentRuns } from "./subagents.js";

/** What AG-UI's events need besides. A server repeats the ids that the client has sent. */
export interface AgUiOptions extends FormatOptions {
  /** The conversation. Default: the agent's session id if it is known at the start, else the id of the run. */
  threadId?: string | undefined;
  /** Default: the id of the run. */
  runId?: string | undefined;
}

/** A format that takes AG-UI's ids. */
export interface AgUiFormat extends Format<AgUiEvent> {
  create(options?: AgUiOptions): View<AgUiEvent>;
}

/** The events of AG-UI 1.0: one run, begun once and ended once. */
export const agUiFormat: AgUiFormat = { name: "ag-ui", create: createAgUiView };

function createAgUiView(options: AgUiOptions = {}): View<AgUiEvent> {
  const facts: RunFacts = {};
  const names = createCallNames();
  const subagents = createSubagentRuns(names);
  const spoken = createSpokenParts();
  const turns = createTurnSteps();
  let state: "new" | "open" | "over" = "new";
  let ids = { threadId: options.threadId ?? "", runId: options.runId ?? "" };
  let agent: string | undefined;
  const idOf = (kind: string, number: number | string) => `${ids.runId}-${kind}-${number}`;
  const messages = createMessages(idOf);
  const calls = createToolCalls(names, idOf);
  const plain = createPlainItems(names, idOf);

  function begin(event: HarnessEvent): AgUiEvent {
    const { runId = streamIdOf(event), threadId = event.sessionId ?? event.runId } = options;
    state = "open";
    ids = { threadId, runId };
    return toRunStarted(event, ids, options.prompt);
  }

  function* add(event: HarnessEvent): Generator<AgUiEvent> {
    if (state === "new") yield begin(event);
    noteFact(facts, event);
    if (event.type === "started") agent = event.agent;
    yield* subagents.announce(event);
    const owner = subagents.ownerOf(event);
    for (const item of spoken.add(event)) yield* messages.of(item, owner);
    switch (event.type) {
      case "tool_start":
        return yield* calls.begin(event, owner);
      case "tool_end":
        return yield* calls.end(event, owner);
      case "orchestration":
        return yield* subagents.add(event);
      case "turn":
        return yield* turns.begin(event, { ...fieldsOf(event, names) });
      case "turn_end":
        return yield* turns.end(event, { ...fieldsOf(event, names) });
      case "unknown":
        return yield {
          type: "RAW",
          event: limitedJson(event.raw),
          ...(agent !== undefined && { source: agent }),
          ...owner,
        };
      case "exited":
        return yield* finish();
      default:
        yield* plain(event, owner);
    }
  }

  function* finish(because?: string): Generator<AgUiEvent> {
    state = "over";
    const problem = outcomeOf(facts) === undefined ? (because ?? cutSentence) : undefined;
    for (const item of spoken.end()) yield* messages.of(item, {});
    yield* subagents.end(problem);
    yield* turns.endAll();
    yield toRunEnd(facts, ids, because);
  }

  return {
    push(events) {
      const items: AgUiEvent[] = [];
      for (const event of events) {
        if (state === "over") break;
        const time = Date.parse(event.timestamp);
        const stamp = Number.isNaN(time) ? {} : { timestamp: time };
        for (const item of add(event)) items.push({ ...item, ...stamp });
      }
      return items;
    },
    end(because) {
      if (state === "over" || (state === "new" && because === undefined)) return [];
      const first = state === "new" ? [toRunStarted(undefined, ids, options.prompt)] : [];
      return [...first, ...finish(because)];
    },
  };
}

/** Activities, and what is neither a message nor a call. */
function createPlainItems(names: CallNames, idOf: (kind: string, number: number | string) => string) {
  let activities = 0;
  return function* plain(event: HarnessEvent, owner: { subagentRunId?: string }): Generator<AgUiEvent> {
    const activityType = activityTypes[event.type];
    const name = event.type === "agent" && event.role === undefined ? undefined : customNames[event.type];
    if (activityType === undefined && name === undefined) return;
    const content = limitedObject({ ...fieldsOf(event, names), ...sessionOf(event) });
    if (activityType !== undefined) {
      activities += 1;
      const messageId = idOf(event.type, isOneOfAKind(event) ? (owner.subagentRunId ?? "main") : activities);
      yield { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content, replace: true, ...owner };
    } else if (name !== undefined) yield { type: "CUSTOM", name, value: content, ...owner };
  };
}

type Owned<Type extends AgUiEvent["type"]> = Extract<AgUiEvent, { type: Type }>;

const activityTypes: { readonly [Type in EventType]?: Owned<"ACTIVITY_SNAPSHOT">["activityType"] } = {
  command: "harness.command",
  read: "harness.read",
  write: "harness.write",
  search: "harness.search",
  list: "harness.list",
  skill: "harness.skill",
  plan: "harness.plan",
  edits: "harness.edits",
  changes: "harness.changes",
};

const customNames: { readonly [Type in EventType]?: Owned<"CUSTOM">["name"] } = {
  session: "harness.session",
  /** Of users and systems. */
  agent: "harness.message",
  request: "harness.request",
  request_end: "harness.request_end",
  usage: "harness.usage",
  warning: "harness.warning",
  error: "harness.error",
};

/** True for what is one thing that changes, rather than one thing after the other. */
function isOneOfAKind({ type }: HarnessEvent): boolean {
  return type === "plan" || type === "changes";
}

function sessionOf({ type, sessionId }: HarnessEvent): { sessionId?: string } {
  return type === "session" && sessionId !== undefined ? { sessionId } : {};
}

/** The turns of a live session are steps. */
function createTurnSteps() {
  const open = new Set<string>();
  type About = Owned<"CUSTOM">["value"];

  function finish(stepName: string, about?: About): AgUiEvent[] {
    if (!open.delete(stepName)) return [];
    return [
      { type: "STEP_FINISHED", stepName, ...(about !== undefined && { metadata: { harness: about } }) },
    ];
  }

  function start(stepName: string, about?: About): AgUiEvent[] {
    const before = finish(stepName);
    open.add(stepName);
    const metadata = about === undefined ? {} : { metadata: { harness: limitedObject(about) } };
    return [...before, { type: "STEP_STARTED", stepName, ...metadata }];
  }

  return {
    begin: ({ turnId }: EventOf<"turn">, about: About) => start(turnId, about),
    end: ({ turnId }: EventOf<"turn_end">, about: About) => [
      ...(open.has(turnId) ? [] : start(turnId)),
      ...finish(turnId, limitedObject(about)),
    ],
    endAll: () => [...open].flatMap((turnId) => finish(turnId)),
  };
}
