import type { HarnessEvent } from "../../events/event.js";
import type { Format } from "../contract.js";

/** The vocabulary itself: every event, as it is. */
export const fullFormat: Format<HarnessEvent> = {
  name: "full",
  create: () => ({ push: (events) => [...events] }),
};
