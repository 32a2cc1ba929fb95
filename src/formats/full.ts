import type { HarnessEvent } from "../vocabulary/event.js";
import type { Format } from "./format.js";

/** The vocabulary itself: every event, as it is. */
export const fullFormat: Format<HarnessEvent> = {
  name: "full",
  create: () => ({ push: (events) => [...events] }),
};
