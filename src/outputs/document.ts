import type { EventOf, HarnessEvent } from "../events/event.js";
import type { RunMeta, RunRecord } from "../story/run-record.js";
import type { Output, OutputOptions } from "./contract.js";

/** An output that shows a run as a whole, when it has ended. A run that is still going on is shown as far as it has come. */
export function createDocument(render: (run: RunRecord) => string, options: OutputOptions = {}): Output {
  const { about, prompt = "" } = options;
  const events: HarnessEvent[] = [];
  let isWritten = false;
  let exited: EventOf<"exited"> | undefined;

  function write(): string[] {
    const [first] = events;
    if (first === undefined || isWritten) return [];
    isWritten = true;
    const check = options.check?.();
    const known = about?.meta ?? metaOf(first, exited, prompt);
    const meta = check === undefined ? known : { ...known, check };
    const outcome = about?.outcome ?? exited?.reason ?? "running";
    return [render({ meta, outcome, events })];
  }

  return {
    push(steps) {
      for (const step of steps) for (const event of step.events) events.push(event);
      const last = events.at(-1);
      if (about !== undefined || last?.type !== "exited") return [];
      exited ??= last;
      // A check may follow.
      return options.check === undefined ? write() : [];
    },
    end: write,
  };
}

/** The run's metadata, taken from its events. */
function metaOf(first: HarnessEvent, exited: EventOf<"exited"> | undefined, prompt: string): RunMeta {
  const { agent = "unknown", cwd = "" } = first.type === "started" ? first : {};
  const { runId, timestamp: startedAt } = first;
  return { runId, agent, cwd, prompt, startedAt, ...(exited !== undefined && { endedAt: exited.timestamp }) };
}
