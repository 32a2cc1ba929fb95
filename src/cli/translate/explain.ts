import type { HarnessEvent } from "../../events/event.js";
import { textOfRecord } from "../../events/raw-jsonl.js";
import type { RawRecord } from "../../events/raw-record.js";
import type { Step } from "../../events/step.js";
import type { Output } from "../../outputs/contract.js";
import { progressOf } from "../../story/plan-progress.js";
import { cleanLine, cutEndOf } from "../../text/cut.js";
import { formatNumberOf } from "../../text/numbers.js";

const shownCharacters = 100;

/**
 * `--explain`: shows people each record of a run, and what became of it. In a live session that is both directions: lines that
 * were sent to the agent are marked, and so is everything that is not standard output.
 */
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
  const text = cleanLine(cutEndOf(wordsOf(record), shownCharacters));
  const became = events.length > 0 ? `→ ${summary(events)}` : `· consumed: ${rule ?? "no rule"}`;
  return `${String(lineNumber).padStart(5)} ${labelOf(record)}${text}\n      ${became}\n`;
}

/** Empty for standard output, which is most of a run. */
function labelOf(record: RawRecord): string {
  if (record.stream === "stdout") return "";
  if (record.stream !== "sent") return `[${record.stream}] `;
  const { by, rule } = record;
  return rule === undefined
    ? `[sent${by === undefined ? "" : ` by ${by}`}] `
    : `[sent by rule ${cleanLine(rule)}] `;
}

function wordsOf(record: RawRecord): string {
  if (record.stream !== "process") return textOfRecord(record);
  const { exitCode, signal, startFailure } = record;
  if (startFailure !== undefined) return `did not start: ${startFailure.message}`;
  return signal === null ? `ended with exit code ${exitCode}` : `ended by ${signal}`;
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
    case "turn":
      return event.prompt === undefined ? "turn" : `turn(${event.prompt.split("\n", 1)[0]})`;
    case "turn_end":
      return `turn_end(${event.reason})`;
    case "request":
      return `request(${event.kind}: ${event.name})`;
    case "request_end":
      return `request_end(${event.outcome} by ${event.by})`;
    case "plan":
      return `plan(${progressOf(event.entries).words})`;
    case "changes":
      return `changes(${formatNumberOf(event.files.length + (event.moreFiles ?? 0), "file")}, +${event.insertions} -${event.deletions})`;
    case "result":
      return `result(${event.isSuccess ? "success" : event.failure?.kind})`;
    case "exited":
      return `exited(${event.reason})`;
    default:
      return event.type;
  }
}
