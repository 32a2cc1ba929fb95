import type { HarnessEvent } from "../../events/event.js";
import type { Format, OutputDefinition } from "../contract.js";
import { createAddingView, createJsonLines } from "../json-lines.js";

const every = createAddingView<HarnessEvent>((events, items) => {
  for (const event of events) items.push(event);
});

/** The vocabulary itself: every event, as it is. */
export const fullFormat: Format<HarnessEvent> = {
  name: "full",
  create: () => every,
};

export const fullOutput = {
  name: "full",
  summary: "every event with every field",
  isForPeople: false,
  schema: async () => (await import("../../events/event.js")).HarnessEvent,
  open: () => createJsonLines(every),
} as const satisfies OutputDefinition;
