import type { EventType, HarnessEvent } from "../../events/event.js";
import { jsonFormat } from "../../outputs/json/output.js";
import type { RunReport } from "../../outputs/json/schema.js";
import { cutEndOf } from "../../text/cut.js";
import { toJson } from "../../text/to-json.js";

/** Longer reports are refused by many receivers. */
const maxReport = 1024 * 1024;
/** Longer texts of a report that is too long are cut to this. */
const maxText = 64 * 1024;

/** What the lists of a report are made of. A report that is cut says how many of each there were. */
const listed = [
  "command",
  "read",
  "write",
  "tool_start",
  "tool_end",
  "orchestration",
  "turn",
  "turn_end",
  "request",
  "request_end",
  "plan",
  "changes",
  "error",
  "warning",
] as const satisfies readonly EventType[];
type Listed = (typeof listed)[number];

function isListed(type: EventType): type is Listed {
  return (listed as readonly EventType[]).includes(type);
}

/** The report of one run, of limited length and in limited memory, however long the run is. */
export interface BoundedReport {
  /** The text of the report, when the run has ended. */
  add(event: HarnessEvent): string | undefined;
}

/**
 * As soon as the lists are too long for a message, nothing more is added to them: they will be left out, and only their events are
 * counted. Otherwise a run of many hours would keep every command for a report that cannot be sent.
 */
export function createBoundedReport(): BoundedReport {
  const view = jsonFormat.create();
  const counts = new Map<Listed, number>();
  const measure = createMeasure();
  let size = 0;
  return {
    add(event) {
      if (isListed(event.type)) {
        counts.set(event.type, (counts.get(event.type) ?? 0) + 1);
        if (size > maxReport) return undefined;
        size += measure(event);
      }
      // The texts of warnings are not reported.
      const [report] = view.push([event.type === "warning" ? { ...event, message: "" } : event]);
      if (report === undefined) return undefined;
      const text = size > maxReport ? undefined : toJson(report);
      return text !== undefined && text.length <= maxReport ? text : toJson(cutReport(report, counts));
    },
  };
}

/** About as many characters as an event adds to the report, or keeps in memory until then. Paths and names of tools are kept once. */
function createMeasure(): (event: HarnessEvent) => number {
  const known = new Set<string>();
  return (event) => {
    switch (event.type) {
      case "command":
        return event.command.length + 40;
      case "error":
        return event.message.length + 20;
      case "warning":
        // Only their number is reported.
        return 20;
      case "orchestration":
        return (event.subagentId?.length ?? 0) + (event.callId?.length ?? 0);
      case "turn":
      case "turn_end":
      case "request":
      case "request_end":
        return toJson(event).length;
    }
    const name = nameIn(event);
    if (name === undefined || known.has(name)) return 0;
    known.add(name);
    return name.length + 40;
  };
}

function nameIn(event: HarnessEvent): string | undefined {
  if (event.type === "read" || event.type === "write") return `${event.type} ${event.path}`;
  return event.type === "tool_start" ? `tool ${event.name}` : undefined;
}

/** How the run ended and what it took. Lists are left out, and texts are cut. */
function cutReport(report: RunReport, counts: ReadonlyMap<Listed, number>): Record<string, unknown> {
  const { outcome, failure, runId, agent, agentVersion, model, sessionId, cwd } = report;
  const { startedAt, endedAt, usage, costUsd, costSource, durationMs } = report;
  return {
    isCut: true,
    outcome,
    failure: failure && { ...failure, message: cutEndOf(failure.message, maxText) },
    text: report.text && cutEndOf(report.text, maxText),
    ...{ usage, costUsd, costSource, durationMs, runId, agent, agentVersion, model, sessionId, cwd },
    ...{ startedAt, endedAt },
    counts: Object.fromEntries(counts),
  };
}
