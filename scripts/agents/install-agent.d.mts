import type { LockedAgent } from "./cache.mjs";

export interface InstallOutcome {
  state: "present" | "installed" | "skipped" | "failed";
  detail?: string;
}

export function installAgent(agent: LockedAgent): Promise<InstallOutcome>;
