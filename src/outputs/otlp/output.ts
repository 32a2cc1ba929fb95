import type { OutputDefinition } from "../contract.js";
import { createJsonLines } from "../json-lines.js";

/** `--format otlp`: spans for OpenTelemetry, as they end. */
export const otlpOutput = {
  name: "otlp",
  summary: "spans for OpenTelemetry, as OTLP/JSON lines; contents only with --otlp-contents",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).OtlpTraces,
  open: async (options) => createJsonLines((await import("./format.js")).otlpFormat.create(options)),
} as const satisfies OutputDefinition;
