import type { OutputDefinition } from "../contract.js";

export const uiMessageOutput = {
  name: "ui-message",
  summary: "the AI SDK's UI message stream, as server-sent events",
  isForPeople: false,
  schema: async () => (await import("./schema.js")).UiMessageChunk,
  async open(options) {
    const [{ uiMessageFormat }, { createSse }] = await Promise.all([
      import("./format.js"),
      import("../sse.js"),
    ]);
    return createSse(uiMessageFormat.create(options), "[DONE]");
  },
} as const satisfies OutputDefinition;
