import type { AgentDefinition } from "../../agents/definition.js";
import type { Step } from "../../events/step.js";
import { formats } from "../../outputs/registry.js";
import { type RecordedFormat, recordedBatch } from "../../runs/recording/recorded-items.js";
import { ndjsonPieces } from "../../text/json-pieces.js";
import { toNdjson } from "../../text/to-json.js";
import type { Output } from "../output.js";
import { createStepWriter, type PrintFormat, type Reader } from "../step-writer.js";
import type { LiveTerminal } from "./live-printer.js";
import { printAll } from "./print-all.js";

/** Shows a run to whoever asked for it. */
export interface Printer {
  print(steps: readonly Step[]): Promise<void> | undefined;
  /** Nothing more comes. A terminal is left tidy, whatever happened. */
  close(): void;
}

export interface PrinterOptions extends Omit<Reader, "terminal"> {
  format: PrintFormat;
  agent: AgentDefinition;
  output: Output;
  /** The terminal that `output` writes to, if it is one. */
  terminal?: LiveTerminal | undefined;
}

export async function createPrinter({ format, agent, output, ...reader }: PrinterOptions): Promise<Printer> {
  const { terminal } = reader;
  if (format === "text" && terminal !== undefined && process.env["TERM"] !== "dumb") {
    const { createLivePrinter } = await import("./live-printer.js");
    return createLivePrinter(agent, output, { ...reader, terminal });
  }
  if (format === "ndjson" || format === "events") return createRecordedPrinter(format, output);
  const write = await createStepWriter(format, agent, reader);
  return {
    print: (steps) => printAll(output, steps.map(write)),
    close: () => undefined,
  };
}

/** Prints what is recorded anyway, or makes it when the run is not recorded. */
function createRecordedPrinter(format: RecordedFormat, output: Output): Printer {
  const view = formats[format].create();
  const toText = (steps: readonly Step[]) =>
    toNdjson(steps.flatMap<unknown>((step) => view.push(step.events)));
  return {
    print(steps) {
      const batch = recordedBatch(steps, format) ?? toText(steps);
      return typeof batch === "string"
        ? output.write(batch)
        : printAll(output, [{ pieces: ndjsonPieces(batch) }]);
    },
    close: () => undefined,
  };
}

/** Standard output, when it is a terminal. */
export function standardTerminal(): LiveTerminal | undefined {
  return process.stdout.isTTY ? process.stdout : undefined;
}
