import { usualUsage } from "../scenarios/usual-files.js";
import type { LiveProfile } from "./live-profile.js";

/** The agents whose real program plays a whole conversation, each with how it differs. docs/coverage.md lists them. */
export const liveProfiles = {
  grok: { agent: "grok", cannotAsk: "one process per turn" },
  kimi: { agent: "kimi", cannotAsk: "one process per turn" },
  /** It asks no questions of its own. */
  pi: { agent: "pi", usage: { inputTokens: usualUsage.input, outputTokens: usualUsage.output } },
} as const satisfies Record<string, LiveProfile>;
