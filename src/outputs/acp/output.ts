import type { OutputDefinition } from "../contract.js";
import { createJsonLines } from "../json-lines.js";

export const acpOutput = {
  name: "acp",
  summary: "what an agent that speaks the Agent Client Protocol would send, one JSON-RPC message per line",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).AcpMessage,
  open: async (options) => createJsonLines((await import("./format.js")).acpFormat.create(options)),
} as const satisfies OutputDefinition;
