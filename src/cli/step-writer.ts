import type { AgentDefinition } from "../agents/definition.js";
import { type FormatName, formats } from "../formats/formats.js";
import { rawFormat } from "../formats/raw.js";
import { toNdjson } from "../formats/to-ndjson.js";
import type { Step } from "../recording/step.js";

export type StreamFormat = FormatName | "raw" | "text";
export type PrintFormat = StreamFormat | "markdown";

/** Text, or bytes where an agent printed what is not valid UTF-8. */
export type Printed = string | Uint8Array;

/** A function that gives what to print for each step of one run. */
export type StepWriter = (step: Step) => Printed;

/** What formats for people show besides the events, and where. */
export interface Reader {
  /** Undefined: a file or a pipe. */
  terminal?: { columns?: number } | undefined;
  prompt?: string | undefined;
  /** Where the run is recorded, asked for at its end. */
  recording?: (() => string | undefined) | undefined;
  showsThinking?: boolean | undefined;
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
      return (await import("./print/text-writer.js")).createTextWriter(agent, reader);
    case "markdown":
      return (await import("./print/markdown-writer.js")).createMarkdownWriter(reader);
    case "json":
      return (await import("./print/report-writer.js")).createReportWriter(reader);
    default: {
      const view = formats[format].create({ narrates: agent.traits.narrates ?? false });
      return (step) => (step.events.length === 0 ? "" : toNdjson(view.push(step.events)));
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

/** One write for many pieces. */
export function joinPrinted(pieces: readonly Printed[]): Printed {
  if (pieces.every((piece) => typeof piece === "string")) return pieces.join("");
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}
