import type { AgentDefinition } from "../agents/definition.js";
import { type FormatName, formats } from "../formats/formats.js";
import { rawFormat } from "../formats/raw.js";
import { toNdjson } from "../formats/to-ndjson.js";
import type { Step } from "../recording/step.js";

export type StreamFormat = FormatName | "raw";

/** Text, or bytes where an agent printed what is not valid UTF-8. */
export type Printed = string | Uint8Array;

/** A function that gives what to print for each step of one run. */
export function createStepWriter(format: StreamFormat, agent: AgentDefinition): (step: Step) => Printed {
  if (format === "raw") return nativeText;
  const view = formats[format].create({ narrates: agent.traits.narrates ?? false });
  return (step) => (step.events.length === 0 ? "" : toNdjson(view.push(step.events)));
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
