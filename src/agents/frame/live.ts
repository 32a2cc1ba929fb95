import type { SaidWords } from "../../events/outcome.js";
import type { SentRecord } from "../../events/raw-record.js";
import type { Ended } from "../../events/run-state.js";
import type { Draft, Mapping, OpenCall, Sink, TranslatorOptions } from "../contract.js";
import { explained, terminalError } from "./closing.js";
import type { EventWriter } from "./event-writer.js";
import type { TranslatedAgent } from "./frame.js";
import type { LineAccount } from "./line-account.js";
import { estimateRunCost } from "./run-cost.js";
import type { RunProgress } from "./run-progress.js";
import { createTurns, type Turns } from "./turns.js";
import type { Writable } from "./writable.js";

/** What the frame of a live session has besides that of a one-shot run. */
export interface LiveFrame {
  turns: Turns;
  /** A line that harness sent. It is consumed unless it gives events. */
  sent(record: SentRecord): void;
  /** One of several processes has ended. */
  processEnded(ended: Ended): void;
}

interface Parts {
  agent: TranslatedAgent;
  mapping: Mapping;
  options: TranslatorOptions;
  emit(draft: Draft): void;
  writer: EventWriter;
  account: LineAccount;
  progress: RunProgress;
  sink: Writable<Sink>;
  models: ReadonlySet<string>;
  openCalls(): OpenCall[];
  said(): SaidWords;
  timeOf(message: string): string | undefined;
}

/** Gives the sink of a session its turns. */
export function createLive(parts: Parts): LiveFrame {
  const { agent, mapping, options, emit, writer, account, progress, sink, said, timeOf } = parts;
  const { run } = progress;
  const turns = createTurns({
    emit,
    writer,
    run,
    resetRun: progress.reset,
    closeCalls() {
      for (const call of parts.openCalls()) sink.finish(call, {});
    },
    said,
    explain: (failure, ended) => explained(failure, { agent, ended, timeOf }) ?? failure,
    terminalError: (failure, ended) => terminalError({ agent, run, ended, said: said() }, failure),
    estimateCost: () => estimateRunCost(run, parts.models, options)?.costUsd,
    hasTiming: options.hasTiming !== false,
    isProcessPerTurn: options.live !== agent.live?.id,
  });
  sink.live = turns.sink;
  return {
    turns,
    sent(record) {
      turns.reading(record);
      account.run(record.line, () => {
        const before = writer.count;
        mapping.sent?.(record.line, sink);
        if (writer.count === before) account.consume("sent");
      });
      turns.reading(undefined);
    },
    processEnded(ended) {
      account.consume("process ended");
      account.run(null, () => mapping.processEnded?.(ended, sink));
    },
  };
}
