import type { EventOf, HarnessEvent } from "../../events/event.js";
import { type DraftCall, type DraftStep, draftStep, hasOpenCall, hasResult } from "./draft.js";
import type { UsageOrder } from "./usage-order.js";

/**
 * The steps of one agent: of the main one, or of a subagent. A step is one request to the model where the numbers of the
 * requests show that, else what the agent said and called without reading a result.
 */
export interface Thread {
  /** The model that was named last. */
  readonly model: string | undefined;
  say(event: EventOf<"text"> | EventOf<"agent"> | EventOf<"thinking">): void;
  /** Returns the call, whose end may come from anywhere. */
  call(event: EventOf<"tool_start">): DraftCall;
  count(usage: EventOf<"usage">): void;
  /** A message of the user or of the system. */
  hear(source: "user" | "system", message: string, timestamp: string): void;
  /** An event that has no place in a step. */
  note(event: HarnessEvent): void;
  setModel(model: string): void;
  /** A turn begins or ends: what comes is another step. */
  endTurn(): void;
  /** No more events. There is at least one step: one of the system, with this message, if nothing was said or done. */
  finish(otherwise: { message: string; timestamp: string }): readonly DraftStep[];
}

export function createThread(order: UsageOrder): Thread {
  const steps: DraftStep[] = [];
  const spoken = new Map<string, DraftStep>();
  const callIds = new Map<string, number>();
  let current: DraftStep | undefined;
  /** Somebody else has spoken since the current step began. */
  let isInterrupted = false;
  let model: string | undefined;
  let early: HarnessEvent[] = [];

  function begin(source: DraftStep["source"], timestamp: string): DraftStep {
    const step = draftStep(source, timestamp);
    for (const event of early) step.others.push(event);
    early = [];
    steps.push(step);
    return step;
  }

  function beginRequest(timestamp: string): DraftStep {
    current = begin("agent", timestamp);
    current.model = model;
    isInterrupted = false;
    return current;
  }

  function stepOfSpeech(id: string | undefined, timestamp: string): DraftStep {
    const known = id === undefined ? undefined : spoken.get(id);
    if (known !== undefined) return known;
    const step = !isInterrupted && takesSpeech(current, order) ? current : beginRequest(timestamp);
    if (id !== undefined) spoken.set(id, step);
    return step;
  }

  function hear(source: "user" | "system", message: string, timestamp: string): void {
    begin(source, timestamp).messages.push({ text: message, isWhole: true });
    isInterrupted = true;
  }

  return {
    get model() {
      return model;
    },
    say(event) {
      const step = stepOfSpeech(idOf(event), event.timestamp);
      if (event.type === "thinking") addThought(step, event);
      else addMessage(step, event);
    },
    call(event) {
      const step = takesCall(current, order, isInterrupted) ? current : beginRequest(event.timestamp);
      const times = (callIds.get(event.callId) ?? 0) + 1;
      callIds.set(event.callId, times);
      const id = times === 1 ? event.callId : `${event.callId}#${times}`;
      const call: DraftCall = { id, start: event, operations: [] };
      step.calls.push(call);
      return call;
    },
    count(usage) {
      if (takesUsage(current, order)) current.usage = usage;
      else Object.assign(beginRequest(usage.timestamp), { usage, isCountedFirst: true });
    },
    hear,
    note(event) {
      const last = steps.at(-1);
      if (event.type === "warning" && event.code === "text_withdrawn") withdraw(steps);
      if (last === undefined) early.push(event);
      else last.others.push(event);
    },
    setModel(name) {
      model = name;
    },
    endTurn() {
      current = undefined;
    },
    finish({ message, timestamp }) {
      if (steps.length === 0) hear("system", message, timestamp);
      return steps;
    },
  };
}

type Begun = DraftStep | undefined;

/** The model may say something in a request until it gets a result, or until the numbers of the request are known. */
function takesSpeech(step: Begun, order: UsageOrder): step is DraftStep {
  if (step === undefined) return false;
  if (step.usage === undefined) return !hasResult(step);
  return order !== "after" && step.isCountedFirst === true && step.calls.length === 0;
}

function takesCall(step: Begun, order: UsageOrder, isInterrupted: boolean): step is DraftStep {
  if (step === undefined) return false;
  const hasUsage = step.usage !== undefined;
  if (order === "before" && hasUsage) return !isInterrupted || step.calls.length === 0;
  if (hasUsage || isInterrupted) return false;
  return order === "after" || !hasResult(step) || (order === "unknown" && hasOpenCall(step));
}

function takesUsage(step: Begun, order: UsageOrder): step is DraftStep {
  return step !== undefined && step.usage === undefined && (order !== "before" || step.calls.length === 0);
}

function idOf(event: EventOf<"text"> | EventOf<"agent"> | EventOf<"thinking">): string | undefined {
  return event.type === "thinking" ? undefined : event.messageId;
}

/** A whole message replaces its pieces. One that is reported block by block is several messages with one id. */
function addMessage({ messages, open }: DraftStep, event: EventOf<"text"> | EventOf<"agent">): void {
  const begun = open.get(event.messageId);
  const message = begun ?? { text: "", isWhole: false };
  if (begun === undefined) messages.push(message);
  if (event.type === "text") {
    message.text += event.delta;
    open.set(event.messageId, message);
    return;
  }
  message.text = event.message;
  message.isWhole = true;
  delete message.isWithdrawn;
  open.delete(event.messageId);
}

function addThought({ thoughts }: DraftStep, { delta, message }: EventOf<"thinking">): void {
  const last = thoughts.at(-1);
  if (message !== undefined) thoughts.push({ text: message, isWhole: true });
  else if (last === undefined || last.isWhole) thoughts.push({ text: delta ?? "", isWhole: false });
  else last.text += delta ?? "";
}

/** The pieces of the message that was being said do not count: the agent says it again, with another id. */
function withdraw(steps: readonly DraftStep[]): void {
  const step = steps.findLast(({ source }) => source === "agent");
  const message = step?.messages.findLast(({ isWhole }) => !isWhole);
  if (message !== undefined) message.isWithdrawn = true;
}
