import type { AgentDefinition } from "../agents/definition.js";
import type { StopReason } from "../events/recording-meta.js";
import type { Step } from "../events/step.js";
import { isLongStep } from "../outputs/long-step.js";
import { rawFormat } from "../outputs/raw/output.js";
import { type FormatName, formats } from "../outputs/registry.js";
import { ndjsonPieces } from "../text/json-pieces.js";
import { toNdjson } from "../text/to-json.js";

export type StreamFormat = FormatName | "raw" | "text";
export type PrintFormat = StreamFormat | "markdown";

/** Text; bytes where an agent printed what is not valid UTF-8; pieces of a text that is too long to be held at once. */
export type Printed = string | Uint8Array | LongText;

export interface LongText {
  pieces: Iterable<string>;
}

/** A function that gives what to print for each step of one run. */
export type StepWriter = (step: Step) => Printed;

/** What formats for people show besides the events, and where. */
export interface Reader {
  /** Undefined: a file or a pipe. */
  terminal?: { columns?: number } | undefined;
  prompt?: string | undefined;
  /** What the agent may do, where that is known. */
  permissions?: string | undefined;
  /** Where the run is recorded, asked for at its end. */
  recording?: (() => string | undefined) | undefined;
  showsThinking?: boolean | undefined;
  /** Why the run is being stopped, if it is. */
  stopping?: (() => StopReason | undefined) | undefined;
}

/** Formats for people are loaded when they are wanted: programs that read a stream do not wait for them. */
export async function createStepWriter(
  format: PrintFormat,
  agent: AgentDefinition,
  reader: Reader = {},
): Promise<StepWriter> {
  switch (format) {
    case "raw":
      return nativeText;
    case "text":
      return (await import("./printing/text-writer.js")).createTextWriter(agent, reader);
    case "markdown":
      return (await import("./printing/markdown-writer.js")).createMarkdownWriter(reader);
    case "json":
      return (await import("./printing/report-writer.js")).createReportWriter(reader);
    default: {
      const view = formats[format].create({ narrates: agent.traits.narrates ?? false });
      return (step) => {
        if (step.events.length === 0) return "";
        const items = view.push(step.events);
        return isLongStep(step) ? { pieces: ndjsonPieces(items) } : toNdjson(items);
      };
    }
  }
}

function nativeText(step: Step): Printed {
  const line = step.record && rawFormat.toNativeLine(step.record);
  if (line === undefined) return "";
  const end = line.hasLineFeed ? "\n" : "";
  if ("text" in line) return line.text + end;
  return Buffer.concat([Buffer.from(line.base64, "base64"), Buffer.from(end)]);
}
