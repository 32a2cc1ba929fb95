import type { HarnessEvent } from "../../events/event.js";
import type { Format, OutputDefinition } from "../contract.js";
import { createJsonLines } from "../json-lines.js";

/** The vocabulary itself: every event, as it is. */
export const fullFormat: Format<HarnessEvent> = {
  name: "full",
  create: () => ({ push: (events) => [...events] }),
};

export const fullOutput = {
  name: "full",
  summary: "every event with every field",
  isForPeople: false,
  schema: async () => (await import("../../events/event.js")).HarnessEvent,
  open: (options) => createJsonLines(fullFormat.create(options)),
} as const satisfies OutputDefinition;
