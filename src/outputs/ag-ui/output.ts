import type { OutputDefinition } from "../contract.js";
import { createJsonLines } from "../json-lines.js";

export const agUiOutput = {
  name: "ag-ui",
  summary: "events of AG-UI, for user interfaces that speak it",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).AgUiEvent,
  open: async (options) => createJsonLines((await import("./format.js")).agUiFormat.create(options)),
} as const satisfies OutputDefinition;
