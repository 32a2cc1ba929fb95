import type { RunState } from "../../events/run-state.js";
import type { Draft, Finished, LiveSink, OpenCall, Sink, TodoTools, TranslatorOptions } from "../contract.js";
import type { EventWriter } from "./event-writer.js";
import type { LineAccount } from "./line-account.js";
import { createOpenCalls } from "./open-calls.js";
import { operationDrafts, toPlanned } from "./operation-drafts.js";
import { createPlans } from "./plans.js";
import type { Writable } from "./writable.js";

/** The sink of a run's mapping, and what the frame reads from it at the end. */
export interface FrameSink {
  sink: Writable<Sink>;
  /** The models that the agent named. */
  models: ReadonlySet<string>;
  /** In a live session: those of the current turn. It uses the last one that was named, unless it names others. */
  turnModels(): ReadonlySet<string>;
  /** The next turn begins. */
  forgetTurnModels(): void;
  /** The calls that have not ended, in the order they started. */
  openCalls(): OpenCall[];
}

interface Parts {
  emit(draft: Draft): void;
  writer: EventWriter;
  account: LineAccount;
  run: RunState;
  options: TranslatorOptions;
  todoTools: TodoTools | undefined;
}

export function createSink({ emit, writer, account, run, options, todoTools }: Parts): FrameSink {
  const calls = createOpenCalls();
  const plans = createPlans(todoTools ?? {}, options.isResumed ?? false, emit);
  const models = new Set<string>();
  const namedInTurn = new Set<string>();
  let announced: { model: string | undefined } | undefined;

  const sink: Writable<Sink> = {
    emit,
    consume: account.consume,
    open(call) {
      call.line ??= writer.currentLine;
      const forgotten = calls.add(call);
      if (forgotten !== undefined) sink.finish(forgotten, { isAbandoned: true });
      const { callId, parentCallId, name, input, operations } = call;
      const planned = operations?.length ? operations.map(toPlanned) : undefined;
      emit({ type: "tool_start", parentCallId, callId, name, input, operations: planned });
    },
    call: (callId) => calls.find(callId),
    finish(call, how) {
      calls.remove(call);
      // A call that is still open at the end of the run is reported for the line that opened it.
      emitEnd(call, how, writer.currentLine === undefined || how.isAbandoned ? call.line : undefined, emit);
      plans.ended(call, how);
    },
    plan: plans.report,
    identify: writer.identify,
    session({ model, cwd: directory }) {
      sink.cwd = directory ?? sink.cwd;
      if (model !== undefined) namedInTurn.add(model);
      if (announced !== undefined && (model === undefined || model === announced.model)) {
        account.consume("session: already announced");
        return;
      }
      announced = { model };
      if (model !== undefined) models.add(model);
      emit({ type: "session", model, cwd: directory });
    },
    live: noTurns,
    run,
    cwd: options.cwd,
    lineNumber: 0,
  };

  return {
    sink,
    models,
    turnModels() {
      if (namedInTurn.size > 0 || announced?.model === undefined) return namedInTurn;
      return new Set([announced.model]);
    },
    forgetTurnModels: () => namedInTurn.clear(),
    openCalls: () => calls.all(),
  };
}

/** In a one-shot run there are no turns, and nobody can be asked. */
const noTurns: LiveSink = {
  turnId: undefined,
  beginTurn() {},
  interruptTurn() {},
  endTurn() {},
  request() {},
  endRequest() {},
  openRequest: () => undefined,
};

/** The end of a call, and what it did: its operations, else `unknown`. */
function emitEnd(
  call: OpenCall,
  how: Finished,
  line: number | undefined,
  emit: (draft: Draft) => void,
): void {
  const { callId, name, parentCallId } = call;
  emit({ type: "tool_end", parentCallId, callId, name, isSuccess: how.isSuccess, output: how.output, line });
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
