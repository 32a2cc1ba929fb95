import type { LiveProfile } from "./live-profile.js";

/** The agents whose real program plays a whole conversation, each with how it differs. docs/coverage.md lists them. */
export const liveProfiles = {
  grok: { agent: "grok", cannotAsk: "one process per turn" },
  kimi: { agent: "kimi", cannotAsk: "one process per turn" },
} as const satisfies Record<string, LiveProfile>;
