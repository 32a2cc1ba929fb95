import type { EventOf, HarnessEvent } from "../../events/event.js";
import { isOperation } from "../../events/operation.js";
import { explainFailure } from "../../story/explain-failure.js";
import { createSpending, tokenCountsOf } from "../../story/spending.js";
import {
  costAttributes,
  failBy,
  momentOf,
  providerOf,
  toContent,
  toId,
  toMessages,
  toName,
  usageAttributes,
} from "./attributes.js";
import { createOpenSpans, type OpenSpans } from "./open-spans.js";
import { type Attributes, addSpanEvent, failSpan, type TraceSpan } from "./span.js";
import type { TraceParent } from "./trace-parent.js";
import { addOperation, addSubagent, endRequest, endTool, startRequest, startTool } from "./work.js";

export interface SpanOptions {
  /** With what was asked, said and done: prompts, answers, paths, commands, arguments, results. Default: none of it. */
  hasContents?: boolean | undefined;
  /** What the agent was asked. */
  prompt?: string | undefined;
  /** The span that the run belongs to. */
  parent?: TraceParent | undefined;
}

/**
 * A run as spans: the run itself, its turns, subagents, tools and requests. It holds what is open and nothing else. Never throws.
 */
export interface Spans {
  /** The spans that have ended with this event. */
  add(event: HarnessEvent): TraceSpan[];
  /** No more events. Ends what is still open, if the run's end is missing. */
  end(): TraceSpan[];
}

export function createSpans(options: SpanOptions = {}): Spans {
  const state: State = { options, spending: createSpending(), lastMs: 0, isOver: false };
  return {
    add(event) {
      if (state.isOver) return [];
      state.lastMs = millisecondsOf(event.timestamp) ?? state.lastMs;
      state.spans ??= openRun(state, event);
      addEvent(state, state.spans, event);
      return state.spans.take();
    },
    end() {
      const { spans } = state;
      if (spans === undefined || state.isOver) return [];
      state.isOver = true;
      return cutRun(state, spans);
    },
  };
}

interface State {
  readonly options: SpanOptions;
  readonly spending: ReturnType<typeof createSpending>;
  spans?: OpenSpans;
  /** Time of the latest event. */
  lastMs: number;
  /** The agent's id, once it is known. */
  agent?: string;
  /** The agent's own session. */
  sessionId?: string;
  /** What the whole run took, by the latest report. */
  total?: EventOf<"usage">;
  isOver: boolean;
}

function millisecondsOf(timestamp: string): number | undefined {
  const milliseconds = Date.parse(timestamp);
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

function openRun({ options, lastMs }: State, { runId }: HarnessEvent): OpenSpans {
  const { prompt, hasContents } = options;
  return createOpenSpans(runId, options.parent, lastMs, {
    "gen_ai.operation.name": "invoke_agent",
    "harness.run.id": toId(runId),
    // The agent runs in a process of its own: these are the times at which its lines arrived.
    "harness.timing": "observed",
    ...(hasContents && prompt !== undefined && { "gen_ai.input.messages": toMessages("user", prompt) }),
  });
}

function addEvent(state: State, spans: OpenSpans, event: HarnessEvent): void {
  const { lastMs } = state;
  const hasContents = state.options.hasContents ?? false;
  if (event.sessionId !== undefined) state.sessionId = event.sessionId;
  if (isOperation(event) && event.type !== "orchestration")
    return addOperation(spans, event, lastMs, hasContents);
  spans.release();
  switch (event.type) {
    case "started":
    case "session":
      return nameRun(state, spans.root, event);
    case "turn":
      spans.turns.add(
        event.turnId,
        spans.open("turn", lastMs, spans.root.spanId, turnAttributes(event, hasContents)),
      );
      return;
    case "turn_end":
      return endTurn(state, spans, event);
    case "tool_start":
      return startTool(spans, event, lastMs, hasContents);
    case "tool_end":
      return endTool(spans, event, lastMs, hasContents);
    case "orchestration":
      return addSubagent(spans, event, lastMs);
    case "request":
      return startRequest(spans, event, lastMs, hasContents);
    case "request_end":
      return endRequest(spans, event, lastMs, hasContents);
    case "usage":
      return addUsage(state, spans, event);
    case "changes":
      return describeChanges(spans.root, event);
    case "result":
      return describeResult(spans.root, event, hasContents);
    case "exited":
      return endRun(state, spans, event);
    default: {
      const moment = momentOf(event, hasContents);
      if (moment === undefined) return;
      addSpanEvent(spans.scopeOf(event), { name: moment[0], atMs: lastMs, attributes: moment[1] });
    }
  }
}

function nameRun(state: State, root: TraceSpan, event: EventOf<"started"> | EventOf<"session">): void {
  const { attributes } = root;
  if (event.type === "started") {
    state.agent = event.agent;
    attributes["gen_ai.agent.name"] = toName(event.agent);
    if (event.agentVersion !== undefined) attributes["gen_ai.agent.version"] = toName(event.agentVersion);
    root.name = `invoke_agent ${toName(event.agent)}`;
  } else if (event.model !== undefined) attributes["gen_ai.request.model"] = toName(event.model);
  if (state.options.hasContents && event.cwd) attributes["harness.cwd"] = toContent(event.cwd);
}

function turnAttributes({ turnId, origin, prompt }: EventOf<"turn">, hasContents: boolean): Attributes {
  return {
    "harness.turn.id": toId(turnId),
    "harness.turn.origin": origin,
    ...(hasContents && prompt !== undefined && { "gen_ai.input.messages": toMessages("user", prompt) }),
  };
}

function endTurn(state: State, spans: OpenSpans, event: EventOf<"turn_end">): void {
  state.spending.endTurn(event);
  const span = spans.turns.take(event.turnId);
  if (span === undefined) return;
  const hasContents = state.options.hasContents ?? false;
  Object.assign(span.attributes, { "harness.outcome": event.reason }, costAttributes(event));
  if (hasContents && event.text !== undefined)
    span.attributes["gen_ai.output.messages"] = toMessages("assistant", event.text);
  if (!event.isSuccess) failBy(span, event.failure, hasContents);
  spans.close(span, state.lastMs);
}

/** What one request to the model took is a moment of the span that it belongs to: when it began is not known. */
function addUsage(state: State, spans: OpenSpans, event: EventOf<"usage">): void {
  state.spending.add(event);
  if (event.scope === "run" || event.scope === "session") {
    state.total = event;
    Object.assign(spans.root.attributes, costAttributes(event));
    return;
  }
  const attributes = { ...usageAttributes(tokenCountsOf(event), "harness"), ...costAttributes(event) };
  const span = spans.scopeOf(event);
  if (event.scope === "turn" && span !== spans.root) Object.assign(span.attributes, attributes);
  else addSpanEvent(span, { name: "harness.model_request", atMs: state.lastMs, attributes });
}

function describeChanges({ attributes }: TraceSpan, event: EventOf<"changes">): void {
  attributes["harness.changes.files"] = event.files.length + (event.moreFiles ?? 0);
  attributes["harness.changes.insertions"] = event.insertions;
  attributes["harness.changes.deletions"] = event.deletions;
}

function describeResult(root: TraceSpan, event: EventOf<"result">, hasContents: boolean): void {
  Object.assign(root.attributes, costAttributes(event));
  if (hasContents && event.text !== undefined)
    root.attributes["gen_ai.output.messages"] = toMessages("assistant", event.text);
  if (!event.isSuccess) failBy(root, event.failure, hasContents);
}

function endRun(state: State, spans: OpenSpans, event: EventOf<"exited">): void {
  state.isOver = true;
  spans.closeAll(state.lastMs, false);
  Object.assign(spans.root.attributes, {
    "harness.outcome": event.reason,
    ...(event.exitCode !== null && { "harness.exit_code": event.exitCode }),
    ...(event.signal !== undefined && { "harness.signal": toName(event.signal) }),
  });
  if (event.reason !== "completed" && spans.root.error === undefined) {
    const kind = event.reason === "failed" ? "unknown" : event.reason;
    failBy(spans.root, { kind, message: explainFailure(kind) ?? kind }, false);
  }
  closeRun(state, spans);
}

/** The stream was cut: nobody saw how the run ended. */
function cutRun(state: State, spans: OpenSpans): TraceSpan[] {
  const { root } = spans;
  spans.closeAll(state.lastMs, true);
  const { tokens } = state.spending.spent;
  if (state.total === undefined && tokens !== undefined) root.attributes["harness.usage.so_far"] = tokens;
  root.attributes["harness.unfinished"] = true;
  if (root.error === undefined) failSpan(root, "interrupted", "The end of the run is missing");
  closeRun(state, spans);
  return spans.take();
}

function closeRun({ agent, sessionId, total, lastMs }: State, { root, close }: OpenSpans): void {
  const { attributes } = root;
  const model = attributes["gen_ai.request.model"];
  attributes["gen_ai.provider.name"] = providerOf(
    typeof model === "string" ? model : undefined,
    agent ?? "unknown",
  );
  if (sessionId !== undefined) attributes["gen_ai.conversation.id"] = toId(sessionId);
  if (total?.scope === "run") Object.assign(attributes, usageAttributes(tokenCountsOf(total), "gen_ai"));
  else if (total !== undefined) {
    // They include what earlier runs of the same session took.
    Object.assign(attributes, usageAttributes(tokenCountsOf(total), "harness"));
    attributes["harness.usage.scope"] = "session";
  }
  close(root, lastMs);
}
