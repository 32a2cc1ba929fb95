import type { EventOf, HarnessEvent } from "../../events/event.js";
import { describePlan } from "../../story/describe-operation.js";
import { toJsonText } from "../../text/to-json.js";
import { type CallNames, createCallNames } from "../call-names.js";
import type { Format, FormatOptions, View } from "../contract.js";
import { cutSentence, noteFact, outcomeOf, type RunFacts, streamIdOf } from "../run-facts.js";
import { createSpokenParts, type SpokenPiece } from "../spoken-parts.js";
import { createUnfinishedCalls } from "../unfinished-calls.js";
import { createDataParts } from "./data-parts.js";
import { metadataAtEnd, metadataAtStart } from "./metadata.js";
import type { UiMessageChunk } from "./schema.js";
import { createMessageSteps, type MessageSteps } from "./steps.js";

/**
 * The AI SDK's UI message stream: one assistant message for the whole run. `useChat`, `readUIMessageStream` and everything built on
 * them read it.
 */
export const uiMessageFormat: Format<UiMessageChunk> = { name: "ui-message", create: createUiMessageView };

function createUiMessageView({ prompt }: FormatOptions = {}): View<UiMessageChunk> {
  const facts: RunFacts = {};
  const names = createCallNames();
  const steps = createMessageSteps();
  const spoken = createSpokenParts();
  const words = createWords(steps, names.of);
  const data = createDataParts(names);
  const calls = createCallParts(steps, names, () => cwd);
  let state: "new" | "open" | "over" = "new";
  let runId = "";
  let cwd: string | undefined;

  function* add(event: HarnessEvent): Generator<UiMessageChunk> {
    if (state === "new") {
      state = "open";
      runId = event.runId;
      yield { type: "start", messageId: streamIdOf(event), messageMetadata: metadataAtStart(event, prompt) };
    }
    noteFact(facts, event);
    if (event.type === "started" || event.type === "session") cwd = event.cwd || cwd;
    for (const item of spoken.add(event)) yield* words.of(item);
    switch (event.type) {
      case "session":
        return yield { type: "message-metadata", messageMetadata: sessionMetadata(event) };
      case "agent":
        if (event.role !== undefined) yield words.other(event, event.role);
        return;
      case "tool_start":
        return yield* calls.begin(event);
      case "tool_end":
        return yield* calls.end(event);
      case "turn":
        yield* steps.leave();
        break;
      case "exited":
        return yield* finish();
    }
    const part = data.of(event);
    if (part !== undefined) yield part;
  }

  function* finish(because?: string): Generator<UiMessageChunk> {
    state = "over";
    for (const item of spoken.end()) yield* words.of(item);
    yield* calls.abandon(because ?? cutSentence);
    yield* steps.leave();
    const messageMetadata = metadataAtEnd(facts, runId);
    if (Object.keys(messageMetadata).length > 1) yield { type: "message-metadata", messageMetadata };
    yield* lastChunks(facts, because);
  }

  return {
    push(events) {
      const chunks: UiMessageChunk[] = [];
      for (const event of events) if (state !== "over") for (const chunk of add(event)) chunks.push(chunk);
      return chunks;
    },
    end(because) {
      if (state === "over" || (state === "new" && because === undefined)) return [];
      const first: UiMessageChunk[] =
        state === "new" ? [{ type: "start", messageId: "", messageMetadata: { runId } }] : [];
      return [...first, ...finish(because)];
    },
  };
}

/** A reader may stop at an error, so it comes after everything else. */
function lastChunks(facts: RunFacts, because: string | undefined): UiMessageChunk[] {
  const outcome = outcomeOf(facts);
  if (outcome === undefined)
    return because === undefined
      ? [{ type: "abort", reason: cutSentence }]
      : [
          { type: "error", errorText: because },
          { type: "finish", finishReason: "error" },
        ];
  if (outcome.isSuccess) return [{ type: "finish", finishReason: "stop" }];
  const errorText = outcome.failure?.message || "the run failed";
  if (outcome.isCancelled) return [{ type: "abort", reason: errorText }];
  return [
    { type: "error", errorText },
    { type: "finish", finishReason: finishReasons[outcome.failure?.kind ?? ""] ?? "error" },
  ];
}

const finishReasons: Readonly<Record<string, "length" | "content-filter">> = {
  output_limit: "length",
  refusal: "content-filter",
};

function sessionMetadata({ runId, sessionId, model, cwd }: EventOf<"session">) {
  return {
    runId,
    ...(sessionId !== undefined && { sessionId }),
    ...(model !== undefined && { model }),
    ...(cwd !== undefined && cwd !== "" && { cwd }),
  };
}

/** What is said. Only the main agent's words are text and reasoning: a subagent's are data, message by message. */
function createWords(steps: MessageSteps, nameOf: (callId: string) => string) {
  /** What subagents have said of their open parts, by number. */
  const heard = new Map<number, string>();

  function* main(item: SpokenPiece): Generator<UiMessageChunk> {
    const { number, kind, messageId } = item.part;
    const isText = kind === "text";
    const id = `${isText ? "text" : "reasoning"}-${number}`;
    const named = messageId === undefined ? {} : { messageId };
    switch (item.action) {
      case "begin":
        yield* steps.enter(true);
        if (!isText) return yield { type: "reasoning-start", id };
        return yield { type: "text-start", id, ...(messageId !== undefined && harnessMetadata(named)) };
      case "piece":
        return yield { type: isText ? "text-delta" : "reasoning-delta", id, delta: item.delta };
      case "end": {
        if (!isText) return yield { type: "reasoning-end", id };
        const withdrawn = { ...named, isWithdrawn: true as const };
        return yield { type: "text-end", id, ...(item.isWithdrawn && harnessMetadata(withdrawn)) };
      }
    }
  }

  function* sub(item: SpokenPiece, speaker: string): Generator<UiMessageChunk> {
    const { number, kind, messageId } = item.part;
    const before = heard.get(number) ?? "";
    if (item.action === "piece") heard.set(number, before + item.delta);
    if (item.action !== "end") return;
    heard.delete(number);
    yield {
      type: "data-harness-message",
      data: {
        role: "assistant",
        text: before,
        ...(kind === "thinking" && { isThinking: true as const }),
        ...(messageId !== undefined && { messageId }),
        parentToolCallId: nameOf(speaker),
      },
    };
  }

  return {
    of: (item: SpokenPiece) => (item.part.speaker === undefined ? main(item) : sub(item, item.part.speaker)),
    other: (event: EventOf<"agent">, role: "user" | "system"): UiMessageChunk => ({
      type: "data-harness-message",
      data: {
        role,
        text: event.message,
        ...(event.messageId !== undefined && { messageId: event.messageId }),
        ...(event.parentCallId !== undefined && { parentToolCallId: nameOf(event.parentCallId) }),
        ...(event.turnId !== undefined && { turnId: event.turnId }),
      },
    }),
  };
}

function harnessMetadata<T>(harness: T) {
  return { providerMetadata: { harness } };
}

/** Calls, those of subagents too: `toolMetadata.parentToolCallId` says whose they are. */
function createCallParts(steps: MessageSteps, names: CallNames, cwd: () => string | undefined) {
  const unfinished = createUnfinishedCalls();
  /** By the agent's id: the id in the stream, and whether it is the main agent's. */
  const open = new Map<string, { toolCallId: string; isMain: boolean }>();
  const always = { providerExecuted: true, dynamic: true } as const;

  function* begin(event: EventOf<"tool_start">): Generator<UiMessageChunk> {
    const { callId, name: toolName, input = {}, operations, parentCallId, turnId } = event;
    // A call that begins again without having ended: nobody will hear of the first one.
    yield* settle(callId, "the call was started again");
    unfinished.started(event);
    const isMain = parentCallId === undefined;
    yield* steps.enter(isMain);
    const toolCallId = names.begin(callId);
    open.set(callId, { toolCallId, isMain });
    if (isMain) steps.callBegan();
    const about = {
      ...(operations !== undefined && { operations }),
      ...(parentCallId !== undefined && { parentToolCallId: names.of(parentCallId) }),
      ...(turnId !== undefined && { turnId }),
    };
    const [first] = operations ?? [];
    const more = {
      ...always,
      ...(first !== undefined && { title: describePlan(first, cwd()) }),
      ...(Object.keys(about).length > 0 && { toolMetadata: { harness: about } }),
    };
    yield { type: "tool-input-start", toolCallId, toolName, ...more };
    yield { type: "tool-input-available", toolCallId, toolName, input, ...more };
  }

  function* end(event: EventOf<"tool_end">): Generator<UiMessageChunk> {
    const { callId, name, isSuccess, output } = event;
    if (!open.has(callId)) {
      const { isSuccess: _, output: __, ...start } = event;
      yield* begin({ ...start, type: "tool_start", name });
    }
    const isCut = unfinished.isUnfinished(event);
    if (isCut || isSuccess === false) {
      const words = isCut ? "the run ended before this call did" : "the call failed";
      return yield* settle(callId, output === undefined || output === "" ? words : toJsonText(output));
    }
    const { toolCallId } = close(callId);
    yield { type: "tool-output-available", toolCallId, output: output ?? null, ...always };
  }

  function close(callId: string): { toolCallId: string } {
    const { toolCallId = callId, isMain = false } = open.get(callId) ?? {};
    open.delete(callId);
    if (isMain) steps.callEnded();
    return { toolCallId };
  }

  function* settle(callId: string, errorText: string): Generator<UiMessageChunk> {
    if (!open.has(callId)) return;
    yield { type: "tool-output-error", toolCallId: close(callId).toolCallId, errorText, ...always };
  }

  return {
    begin,
    end,
    *abandon(errorText: string): Generator<UiMessageChunk> {
      for (const callId of [...open.keys()]) yield* settle(callId, errorText);
    },
  };
}
