import type { HarnessEvent } from "../../events/event.js";
import { decodeLine } from "../../events/raw-jsonl.js";
import type { LineRecord, RawRecord } from "../../events/raw-record.js";
import type { Ended } from "../../events/run-state.js";
import { soundUsage } from "../../events/sound-numbers.js";
import { stripEscapes } from "../../text/clean-text.js";
import { isObject } from "../../text/fields.js";
import type { JsonValue } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";
import type {
  CreateMapping,
  Draft,
  Finished,
  OpenCall,
  Sink,
  Translator,
  TranslatorOptions,
} from "../contract.js";
import { closingDrafts } from "./closing.js";
import { type CostEstimate, estimateRunCost } from "./estimate-cost.js";
import { createOpenCalls } from "./open-calls.js";
import { operationDrafts } from "./operation-drafts.js";
import { createOwnWords } from "./own-words.js";
import { createRunProgress } from "./run-progress.js";
import { laterOf, millisecondsBetween } from "./times.js";
import { unfinishedOf } from "./unfinished.js";

/** What the frame needs of an agent. Every agent definition has it. */
export interface TranslatedAgent {
  id: string;
  name: string;
  createMapping: CreateMapping;
  /** Lines on standard error that never explain a failure. */
  stderrNoise?: RegExp;
}

const beginningOfTime = "1970-01-01T00:00:00.000Z";

/**
 * Puts the common frame around an agent's mapping: parses lines, adds the common fields, pairs calls,
 * and sees to it that nothing is lost and that the stream ends once, whatever the mapping does.
 */
export function createFramedTranslator(agent: TranslatedAgent, options: TranslatorOptions = {}): Translator {
  const runId = options.runId ?? "run";
  const mapping = agent.createMapping(options);
  const calls = createOpenCalls();
  const words = createOwnWords((line) => agent.stderrNoise?.test(line) ?? false);
  const progress = createRunProgress(() => lineNumber);
  const { run } = progress;

  let events: HarnessEvent[] = [];
  let seq = 0;
  let timestamp = beginningOfTime;
  let startedAt: string | undefined;
  let hasEnded = false;
  let rule: string | undefined;
  let sessionId = options.sessionId;
  let announced: { model: string | undefined } | undefined;
  const models = new Set<string>();
  let estimate: CostEstimate | undefined;
  let cwd = options.cwd;
  let lineNumber = 0;
  let isOfLine = false;

  function emit(given: Draft): void {
    const draft = given.type === "usage" ? soundUsage(given) : given;
    if (isOfLine) progress.told(draft);
    const event: Record<string, unknown> = { type: draft.type, timestamp, runId, seq: seq++ };
    if (sessionId !== undefined) event["sessionId"] = sessionId;
    const line = draft.line ?? (isOfLine ? lineNumber : undefined);
    if (line !== undefined) event["line"] = line;
    // A plain loop: this runs for every event of every run, and entries() would allocate for each field.
    for (const key in draft) {
      if (key === "type" || key === "line") continue;
      const value = draft[key as keyof Draft];
      if (value !== undefined) event[key] = value;
    }
    if (draft.type === "error") words.reported(draft.message);
    events.push(event as HarnessEvent);
  }

  const sink: Sink = {
    emit,
    consume(name) {
      rule ??= name;
    },
    open(call) {
      call.line ??= isOfLine ? lineNumber : undefined;
      calls.add(call);
      emit({
        type: "tool_start",
        parentCallId: call.parentCallId,
        callId: call.callId,
        name: call.name,
        input: call.input,
      });
    },
    call: (callId) => calls.find(callId),
    finish(call, how) {
      calls.remove(call);
      endCall(call, how);
    },
    identify(id) {
      sessionId ??= id;
    },
    session(about) {
      cwd = about.cwd ?? cwd;
      if (announced !== undefined && (about.model === undefined || about.model === announced.model)) {
        rule ??= "session: already announced";
        return;
      }
      announced = { model: about.model };
      if (about.model !== undefined) models.add(about.model);
      emit({ type: "session", model: about.model, cwd: about.cwd });
    },
    run,
    get cwd() {
      return cwd;
    },
    get lineNumber() {
      return lineNumber;
    },
  };

  function endCall(call: OpenCall, how: Finished): void {
    const { callId, name, parentCallId } = call;
    const line = isOfLine ? undefined : call.line;
    emit({
      type: "tool_end",
      parentCallId,
      callId,
      name,
      isSuccess: how.isSuccess,
      output: how.output,
      line,
    });
    if (call.isSilent) return;
    const operations = call.operations ?? [];
    if (operations.length === 0) {
      emit({ type: "unknown", parentCallId, raw: how.native ?? call.native ?? call.input ?? null, line });
      return;
    }
    for (const draft of operationDrafts(call, operations, how)) {
      if (line !== undefined) draft.line = line;
      emit(draft);
    }
  }

  function take(): HarnessEvent[] {
    const taken = events;
    events = [];
    return taken;
  }

  function begin(at: string | undefined): void {
    timestamp = laterOf(timestamp, at);
    if (startedAt !== undefined) return;
    startedAt = timestamp;
    isOfLine = false;
    emit({ type: "started", agent: agent.id, agentVersion: options.agentVersion, cwd: options.cwd ?? "" });
  }

  /** Runs one step of a line; what it neither tells nor consumes becomes `unknown`. */
  function accountFor(raw: JsonValue, step: () => void): void {
    const before = seq;
    try {
      step();
    } catch (error) {
      emit({
        type: "warning",
        code: "translator_error",
        message: `could not translate a line: ${String(error)}`,
      });
      emit({ type: "unknown", raw });
      return;
    }
    if (seq === before && rule === undefined) emit({ type: "unknown", raw });
  }

  function plainLine(text: string): void {
    accountFor(text, () => mapping.text?.(text, sink));
    if (rule === undefined) words.plain(text);
  }

  /** A mapping that fails on the bare line gets it again, parsed. */
  function isHandledUnparsed(text: string): boolean {
    try {
      return mapping.raw?.(text, sink) ?? false;
    } catch {
      return false;
    }
  }

  function stdoutLine(text: string): void {
    if (text === "" || text.trim() === "") {
      rule = "blank line";
      return;
    }
    rule = mapping.skip?.(text);
    if (rule !== undefined || isHandledUnparsed(text)) return;
    const value = parseJson(text);
    if (isObject(value)) accountFor(value, () => mapping.record(value, sink));
    else if (Array.isArray(value)) emit({ type: "unknown", raw: value });
    // No agent prints bare numbers or words as records: `42` is what somebody wrote.
    else plainLine(text);
  }

  function nextLine(at: string | undefined): boolean {
    begin(at);
    rule = undefined;
    if (hasEnded) return false;
    lineNumber += 1;
    isOfLine = true;
    return true;
  }

  const translator: Translator = {
    start(at) {
      begin(at);
      return take();
    },
    line(text, at) {
      if (nextLine(at)) stdoutLine(withoutCarriageReturn(text));
      return take();
    },
    diagnostic(text, at) {
      if (!nextLine(at)) return take();
      const message = stripEscapes(text).trimEnd();
      words.diagnostic(text);
      if (message.trim() === "") {
        rule = "blank line on standard error";
        return take();
      }
      accountFor(message, () => {
        emit({ type: "warning", message });
        mapping.diagnostic?.(message, sink);
      });
      return take();
    },
    record(record: RawRecord) {
      if (record.stream === "exit") return translator.end(record, record.timestamp);
      if (record.stream === "harness") {
        if (nextLine(record.timestamp)) emit({ type: "warning", message: record.message, code: record.code });
        return take();
      }
      const { text, isWhole } = decodeLine(record);
      if (!isWhole && nextLine(record.timestamp)) {
        emit(tooLongWarning(record));
        emit({ type: "unknown", raw: text });
        return take();
      }
      return record.stream === "stdout"
        ? translator.line(text, record.timestamp)
        : translator.diagnostic(text, record.timestamp);
    },
    end(how: Ended, at) {
      begin(at);
      if (hasEnded) return take();
      hasEnded = true;
      isOfLine = false;
      rule = undefined;
      accountFor(null, () => {
        rule = "end";
        mapping.flush?.(sink);
      });
      const unfinished = unfinishedOf(run, calls.all());
      for (const call of calls.all()) sink.finish(call, {});
      progress.settle();
      estimate = estimateRunCost(run, models, options);
      const duration = options.hasTiming === false ? undefined : millisecondsBetween(startedAt, timestamp);
      for (const draft of closingDrafts({
        agentName: agent.name,
        run,
        ended: how,
        words: words.tell(),
        duration,
        estimatedUsd: estimate?.costUsd,
        unfinished,
      }))
        emit(draft);
      return take();
    },
    get isDone() {
      return (run.terminal !== undefined || run.failure !== undefined) && !run.openWork?.length;
    },
    get openWork() {
      return run.openWork ?? [];
    },
    get lastRule() {
      return rule;
    },
    get agentVersion() {
      return run.agentVersion ?? options.agentVersion;
    },
    get price() {
      return estimate?.price;
    },
  };
  return translator;
}

function withoutCarriageReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

export function tooLongWarning({ stream, droppedBytes }: LineRecord): Draft<"warning"> {
  return {
    type: "warning",
    code: "line_too_long",
    message: `a line on ${stream} was longer than the limit: ${droppedBytes} bytes of it were dropped`,
  };
}
