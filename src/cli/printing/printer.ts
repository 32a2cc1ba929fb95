import { homedir } from "node:os";
import type { AgentDefinition } from "../../agents/definition.js";
import type { StopReason } from "../../events/recording-meta.js";
import type { Step } from "../../events/step.js";
import type { OutputOptions } from "../../outputs/contract.js";
import { type OutputName, outputOf } from "../../outputs/registry.js";
import { hasColorSupport } from "../../outputs/text/color-support.js";
import { isRecordedName, type StepBatch } from "../../runs/recording/step-batch.js";
import type { PrintTarget } from "../output.js";
import type { LiveTerminal } from "./live-printer.js";
import { printAll } from "./print-all.js";

/** Shows a run to whoever asked for it. */
export interface Printer {
  print(batch: PrintedBatch): Promise<void> | undefined;
  /** No more batches: prints what is still missing. */
  end(): Promise<void> | undefined;
  /** Leaves the terminal tidy, whatever happened. */
  close(): void;
}

/** The batches of a replay have nothing that was formatted for a recording. */
export type PrintedBatch = { readonly steps: readonly Step[] } & Partial<Pick<StepBatch, "pieces">>;

/** What outputs are to know, except what follows from the agent and the terminal. */
type PassedOn = Omit<OutputOptions, "agentName" | "narrates" | "columns" | "hasColors" | "home">;

export interface PrinterOptions extends PassedOn {
  format: OutputName;
  agent: AgentDefinition;
  output: PrintTarget;
  /** The terminal that `output` writes to, if it is one. */
  terminal?: LiveTerminal | undefined;
  /** Why the run is being stopped, if it is. */
  stopping?: (() => StopReason | undefined) | undefined;
}

export async function createPrinter(options: PrinterOptions): Promise<Printer> {
  const { format, terminal, output: to } = options;
  if (format === "text" && terminal !== undefined && process.env["TERM"] !== "dumb") {
    const { createLivePrinter } = await import("./live-printer.js");
    return createLivePrinter({ ...options, terminal });
  }
  const output = await outputOf(format).open(toOutputOptions(options));
  return {
    print({ steps, pieces }) {
      // What was formatted for the recording is not formatted again.
      const isRecorded = pieces !== undefined && isRecordedName(format);
      return printAll(to, isRecorded ? pieces(format) : output.push(steps));
    },
    end: () => printAll(to, output.end()),
    close: () => undefined,
  };
}

/** What an output is to know about the agent and the terminal. */
export function toOutputOptions(options: Omit<PrinterOptions, "output" | "stopping">): OutputOptions {
  const { agent, terminal, format: _, ...passedOn } = options;
  return {
    ...passedOn,
    agentName: agent.name,
    narrates: agent.traits.narrates ?? false,
    columns: terminal && (terminal.columns || 80),
    hasColors: hasColorSupport({ env: process.env, isTerminal: terminal !== undefined }),
    home: homedir(),
  };
}

/** Standard output, when it is a terminal. */
export function standardTerminal(): LiveTerminal | undefined {
  return process.stdout.isTTY ? process.stdout : undefined;
}
