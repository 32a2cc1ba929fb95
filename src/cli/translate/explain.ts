import type { HarnessEvent } from "../../events/event.js";
import { textOfRecord } from "../../events/raw-jsonl.js";
import type { Step } from "../../events/step.js";
import type { Output } from "../../outputs/contract.js";
import { cleanLine, cutEndOf } from "../../text/cut.js";

const shownCharacters = 100;

/** `--explain`: shows people each native line of a run, and what became of it. */
export function createExplanation(): Output {
  let lineNumber = 0;
  const toText = (step: Step): string => {
    if (step.record !== undefined) lineNumber += 1;
    return explain(step, lineNumber);
  };
  return { push: (steps) => steps.map(toText), end: () => [] };
}

function explain(step: Step, lineNumber: number): string {
  const { record, events, rule } = step;
  if (record === undefined || record.stream === "exit") {
    return events.length === 0 ? "" : `      ${record === undefined ? "" : "exit "}→ ${summary(events)}\n`;
  }
  const text = textOfRecord(record);
  const became = events.length > 0 ? `→ ${summary(events)}` : `· consumed: ${rule ?? "no rule"}`;
  return `${String(lineNumber).padStart(5)} ${record.stream === "stdout" ? "" : `[${record.stream}] `}${cleanLine(cutEndOf(text, shownCharacters))}\n      ${became}\n`;
}

function summary(events: readonly HarnessEvent[]): string {
  return events.map((event) => cleanLine(describe(event))).join(", ");
}

function describe(event: HarnessEvent): string {
  switch (event.type) {
    case "tool_start":
    case "tool_end":
      return `${event.type}(${event.name})`;
    case "read":
    case "write":
    case "skill":
      return `${event.type}(${event.path})`;
    case "search":
      return `search(${event.query})`;
    case "command":
      return `command(${event.command.split("\n", 1)[0]})`;
    case "orchestration":
      return event.action;
    case "result":
      return `result(${event.isSuccess ? "success" : event.failure?.kind})`;
    case "exited":
      return `exited(${event.reason})`;
    default:
      return event.type;
  }
}
