import { homedir } from "node:os";
import type { AgentDefinition } from "../agents/definition.js";
import { toMarkdown } from "../export/markdown/transcript.js";
import { type FormatName, formats } from "../formats/formats.js";
import { rawFormat } from "../formats/raw.js";
import { toJson, toNdjson } from "../formats/to-ndjson.js";
import type { Step } from "../recording/step.js";
import { hasColorSupport } from "../render/color-support.js";
import { createPlainWriter } from "../render/plain-writer.js";
import { createTextView, type TextView } from "../render/text-view.js";
import type { HarnessEvent } from "../vocabulary/event.js";

export type StreamFormat = FormatName | "raw" | "text";
export type PrintFormat = StreamFormat | "markdown";

/** Text, or bytes where an agent printed what is not valid UTF-8. */
export type Printed = string | Uint8Array;

/** What formats for people show besides the events, and where. */
export interface Reader {
  /** Undefined: a file or a pipe. */
  terminal?: { columns?: number } | undefined;
  prompt?: string | undefined;
  /** Where the run is recorded, asked for at its end. */
  recording?: (() => string | undefined) | undefined;
  showsThinking?: boolean | undefined;
}

/** A function that gives what to print for each step of one run. */
export function createStepWriter(
  format: PrintFormat,
  agent: AgentDefinition,
  reader: Reader = {},
): (step: Step) => Printed {
  switch (format) {
    case "raw":
      return nativeText;
    case "text": {
      const hasColors = hasColorSupport({ env: process.env, isTerminal: reader.terminal !== undefined });
      const write = createPlainWriter(createAgentView(agent, reader), hasColors);
      return (step) => write(step.events);
    }
    case "markdown":
      return createMarkdownWriter(reader);
    case "json":
      return createReportWriter(reader);
    default: {
      const view = formats[format].create({ narrates: agent.traits.narrates ?? false });
      return (step) => (step.events.length === 0 ? "" : toNdjson(view.push(step.events)));
    }
  }
}

/** The rows of `--format text`. */
export function createAgentView(agent: AgentDefinition, reader: Reader): TextView {
  const { terminal, recording, showsThinking } = reader;
  const columns = terminal === undefined ? Number.POSITIVE_INFINITY : terminal.columns || 80;
  return createTextView({ columns, agentName: agent.name, home: homedir(), recording, showsThinking });
}

/** One object at the end: on a terminal, for people, with line breaks. */
function createReportWriter({ terminal, recording }: Reader): (step: Step) => Printed {
  const view = formats.json.create();
  return (step) => {
    const [report] = view.push(step.events);
    if (report === undefined) return "";
    const path = recording?.();
    const whole = { ...report, ...(path !== undefined && { recording: path }) };
    return `${terminal === undefined ? toJson(whole) : JSON.stringify(whole, null, 2)}\n`;
  };
}

function createMarkdownWriter({ prompt = "" }: Reader): (step: Step) => Printed {
  const events: HarnessEvent[] = [];
  return (step) => {
    events.push(...step.events);
    const [first] = events;
    const exited = step.events.find((event) => event.type === "exited");
    if (first === undefined || exited === undefined) return "";
    const agent = first.type === "started" ? first.agent : "unknown";
    const cwd = first.type === "started" ? first.cwd : "";
    const times = { startedAt: first.timestamp, endedAt: exited.timestamp };
    const meta = { runId: exited.runId, agent, cwd, prompt, ...times };
    return toMarkdown({ meta, outcome: exited.reason, events });
  };
}

function nativeText(step: Step): Printed {
  const line = step.record && rawFormat.toNativeLine(step.record);
  if (line === undefined) return "";
  const end = line.hasLineFeed ? "\n" : "";
  if ("text" in line) return line.text + end;
  return Buffer.concat([Buffer.from(line.base64, "base64"), Buffer.from(end)]);
}

/** One write for many pieces. */
export function joinPrinted(pieces: readonly Printed[]): Printed {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}
