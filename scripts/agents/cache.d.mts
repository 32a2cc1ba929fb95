export interface LockedAgent {
  id: string;
  package: string;
  version: string;
  /** The program, relative to the agent's folder. */
  program: string;
  /** `linux-x64` …; absent if the package is for all platforms. */
  platforms?: string[];
}

export function lockedAgents(file?: string): LockedAgent[];
export function cacheDirectory(env?: Record<string, string | undefined>): string;
export function agentDirectory(agent: Pick<LockedAgent, "id" | "version">): string;
export function unavailableBecause(agent: LockedAgent): string | undefined;
export function installedProgram(agent: LockedAgent): string | undefined;
export const completeMark: string;
