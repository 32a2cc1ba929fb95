import { type OutputName, outputNames } from "../outputs/registry.js";
import type { OptionDeclaration } from "./declarations.js";
import { notEmpty, positiveInteger } from "./option-values.js";

export const jsonOption = { flags: "--json", description: "print JSON" } as const satisfies OptionDeclaration;

/** For every command that reads a project's `harness.toml`. */
export const trustOption = {
  flags: "--trust",
  description: "trust the project's harness.toml this time (see: harness help security)",
} as const satisfies OptionDeclaration;

/** For commands that work on many runs. */
export const jobsOption = {
  flags: "--jobs <n>",
  description:
    "work on this many runs at the same time (default: one for each core, if there is enough to do)",
  parse: positiveInteger,
} as const satisfies OptionDeclaration;

/** `--format otlp` and `--otlp` leave out what was asked, said and done, unless this is given. */
export const otlpContentsOption = {
  flags: "--otlp-contents",
  description: "spans have prompts, answers, paths, commands, arguments and results too",
} as const satisfies OptionDeclaration;

/** Where spans are sent. */
export const otlpOptions = [
  {
    flags: "--otlp",
    description:
      "send the run as spans to an OpenTelemetry collector (default: OTEL_EXPORTER_OTLP_ENDPOINT, else http://localhost:4318)",
  },
  {
    flags: "--otlp-endpoint <url>",
    description: "like --otlp, and send them there",
    parse: notEmpty,
    implies: { otlp: true },
  },
  otlpContentsOption,
] as const satisfies readonly OptionDeclaration[];

/** Rows for people on a terminal, lines of JSON for programs. */
export const defaultFormat: OutputName = process.stdout.isTTY ? "text" : "ndjson";

export const formatOption = {
  flags: "-f, --format <format>",
  description: "how to print the run",
  choices: outputNames,
  default: defaultFormat,
  defaultText: "text on a terminal, else ndjson",
} as const satisfies OptionDeclaration;

/** Of all formats, only `text` leaves thinking out. So this option asks for `text` as well. */
export const thinkingOption = {
  flags: "--thinking",
  description: "show the model's thinking, in --format text",
  implies: { format: "text" },
} as const satisfies OptionDeclaration;

/** `--thinking` has no effect on another format that was asked for explicitly. */
export function refuseIdleThinking({
  flags,
  refuse,
}: {
  flags: { readonly thinking: boolean | undefined; readonly format: string };
  refuse(sentence: string): never;
}): void {
  if (!flags.thinking || flags.format === "text") return;
  refuse(
    `--thinking is for --format text, not ${flags.format}; leave one of them out (full and run-events have all thinking)`,
  );
}
