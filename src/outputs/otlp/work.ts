import type { EventOf } from "../../events/event.js";
import type { OperationEvent } from "../../events/operation.js";
import { hasFailed } from "../../story/outcomes.js";
import { toJson } from "../../text/to-json.js";
import { addOperationFacts, toContent, toId, toName } from "./attributes.js";
import type { OpenSpans } from "./open-spans.js";
import { type Attributes, failSpan } from "./span.js";

/*
 * What an agent does, as spans: calls of tools, what they did, subagents, and requests to the user.
 */

function toolAttributes(name: string, callId: string | undefined): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": toName(name),
    "gen_ai.tool.type": "function",
    ...(callId !== undefined && { "gen_ai.tool.call.id": toId(callId) }),
  };
}

export function startTool(
  spans: OpenSpans,
  event: EventOf<"tool_start">,
  atMs: number,
  hasContents: boolean,
): void {
  const span = spans.open(`execute_tool ${toName(event.name)}`, atMs, spans.parentOf(event), {
    ...toolAttributes(event.name, event.callId),
    ...(hasContents && event.input !== undefined && { "gen_ai.tool.call.arguments": toContent(event.input) }),
  });
  const [planned] = event.operations ?? [];
  if (planned !== undefined) span.attributes["harness.operation"] = planned.type;
  spans.calls.add(event.callId, span);
}

/** The span of a call stays open until the next event, because what the call did is reported right after its end. */
export function endTool(
  spans: OpenSpans,
  event: EventOf<"tool_end">,
  atMs: number,
  hasContents: boolean,
): void {
  const span =
    spans.calls.take(event.callId) ??
    spans.open(
      `execute_tool ${toName(event.name)}`,
      atMs,
      spans.parentOf(event),
      toolAttributes(event.name, event.callId),
    );
  if (hasContents && event.output !== undefined)
    span.attributes["gen_ai.tool.call.result"] = toContent(event.output);
  if (event.isSuccess === false) failSpan(span, "tool_error", "The tool failed");
  spans.hold(event.callId, span, atMs);
}

/** An operation of the call that has just ended belongs to its span. Any other one gets a span of its own. */
export function addOperation(
  spans: OpenSpans,
  event: Exclude<OperationEvent, EventOf<"orchestration">>,
  atMs: number,
  hasContents: boolean,
): void {
  const held = spans.held(event.callId);
  if (held === undefined) spans.release();
  const span =
    held ??
    spans.open(
      `execute_tool ${event.type}`,
      atMs,
      spans.parentOf(event),
      toolAttributes(event.type, event.callId),
    );
  addOperationFacts(span, event, hasContents);
  if (hasFailed(event)) failSpan(span, "tool_error", "The tool failed");
  if (held === undefined) spans.close(span, atMs);
}

export function addSubagent(spans: OpenSpans, event: EventOf<"orchestration">, atMs: number): void {
  const name = event.subagentName === undefined ? undefined : toName(event.subagentName);
  const span = spans.subagent(event, atMs, `invoke_agent${name === undefined ? "" : ` ${name}`}`);
  Object.assign(span.attributes, {
    "gen_ai.operation.name": "invoke_agent",
    ...(name !== undefined && { "gen_ai.agent.name": name }),
    ...(event.subagentId !== undefined && { "gen_ai.agent.id": toId(event.subagentId) }),
  });
  if (event.action === "subagent_started") return;
  if (hasFailed(event)) failSpan(span, "subagent_error", "The subagent failed");
  spans.endSubagent(event, span, atMs);
}

export function startRequest(
  spans: OpenSpans,
  event: EventOf<"request">,
  atMs: number,
  hasContents: boolean,
): void {
  const parentId = spans.calls.get(event.callId)?.spanId ?? spans.parentOf(event);
  const span = spans.open(`request ${event.kind}`, atMs, parentId, requestAttributes(event, hasContents));
  spans.requests.add(event.requestId, span);
}

function requestAttributes(event: EventOf<"request">, hasContents: boolean): Attributes {
  return {
    "harness.request.id": toId(event.requestId),
    "harness.request.kind": event.kind,
    "harness.request.name": toName(event.name),
    ...(hasContents && event.message !== undefined && { "harness.message.text": toContent(event.message) }),
    ...(hasContents && event.input !== undefined && { "gen_ai.tool.call.arguments": toContent(event.input) }),
    ...(hasContents &&
      event.questions !== undefined && { "harness.request.questions": toContent(toJson(event.questions)) }),
  };
}

export function endRequest(
  spans: OpenSpans,
  event: EventOf<"request_end">,
  atMs: number,
  hasContents: boolean,
): void {
  const span = spans.requests.take(event.requestId);
  if (span === undefined) return;
  Object.assign(span.attributes, {
    "harness.request.outcome": event.outcome,
    "harness.request.by": event.by,
    ...(hasContents && event.rule !== undefined && { "harness.request.rule": toContent(event.rule) }),
  });
  spans.close(span, atMs);
}
