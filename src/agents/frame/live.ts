import type { SaidWords } from "../../events/outcome.js";
import type { SentRecord } from "../../events/raw-record.js";
import type { Ended } from "../../events/run-state.js";
import type { Draft, Mapping, TranslatorOptions } from "../contract.js";
import { explained, terminalError } from "./closing.js";
import type { EventWriter } from "./event-writer.js";
import type { TranslatedAgent } from "./frame.js";
import type { LineAccount } from "./line-account.js";
import { estimateRunCost } from "./run-cost.js";
import type { RunProgress } from "./run-progress.js";
import type { FrameSink } from "./sink.js";
import { createTurns, type Turns } from "./turns.js";
import { unfinishedOf, unfinishedWarning } from "./unfinished.js";

/** What the frame of a live session has besides that of a one-shot run. */
export interface LiveFrame {
  turns: Turns;
  /** Every turn has a process of its own. */
  isProcessPerTurn: boolean;
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
  frameSink: FrameSink;
  said(): SaidWords;
  /** Forgets what the agent has said about failures. */
  forgetWords(): void;
  timeOf(message: string): string | undefined;
}

/** Gives the sink of a session its turns. */
export function createLive(parts: Parts): LiveFrame {
  const { agent, mapping, options, emit, writer, account, progress, said, timeOf } = parts;
  const { run } = progress;
  const { sink, openCalls, turnModels, forgetTurnModels } = parts.frameSink;
  const isStored = options.stored !== undefined;
  const isProcessPerTurn = !isStored && options.live !== agent.live?.id;

  /** The subagent goes on after the turn: the call that started it, or the one around that, has returned. */
  function isInBackground(parentCallId: string | undefined): boolean {
    const seen = new Set<string>();
    let starter = parentCallId;
    while (starter !== undefined && !seen.has(starter)) {
      seen.add(starter);
      const call = sink.call(starter);
      if (call === undefined) return !isProcessPerTurn;
      starter = call.parentCallId;
    }
    return false;
  }

  const turns = createTurns({
    emit,
    writer,
    run,
    settleRun: progress.settle,
    reset() {
      progress.reset({ isProcessGone: isProcessPerTurn });
      parts.forgetWords();
      forgetTurnModels();
    },
    isInBackground,
    closeCalls() {
      const calls = openCalls().filter(({ parentCallId }) => !isInBackground(parentCallId));
      const unfinished = unfinishedOf(run, calls);
      for (const call of calls) sink.finish(call, { isAbandoned: true });
      return unfinished;
    },
    warnOf: (unfinished) => unfinishedWarning(agent.name, unfinished),
    said,
    explain: (failure, ended) => explained(failure, { agent, ended, timeOf }) ?? failure,
    terminalError: (failure, ended) => terminalError({ agent, run, ended, said: said() }, failure),
    estimateCost: () => estimateRunCost(run, turnModels(), options)?.costUsd,
    hasTiming: options.hasTiming !== false,
    isProcessPerTurn,
    isStored,
  });
  sink.live = turns.sink;
  return {
    turns,
    isProcessPerTurn,
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
      // As at the end of a run: what follows does not come from a line of the agent.
      writer.leaveLine();
      account.run(null, () => mapping.processEnded?.(ended, sink));
    },
  };
}
