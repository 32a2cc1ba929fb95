/** A package of npm with a program in it. */
export interface LockedPackage {
  /** `pi`, or `pi@0.74.2` for an older version. */
  name: string;
  id: string;
  package: string;
  version: string;
  /** The program, relative to the package's folder in the cache. */
  program: string;
  /** `linux-x64` …; absent if the package is for all platforms. */
  platforms?: string[];
}

export interface LockedAgent extends LockedPackage {
  /** The Node that it runs with, if the project's own is too old for it. */
  node?: LockedPackage;
  /** Versions of packages that it needs, in place of those that npm does not have. */
  overrides?: Record<string, string>;
  /** Newer versions that cannot be installed, with the reason. */
  notInstallable?: Record<string, string>;
}

export function lockedAgents(file?: string): LockedAgent[];
export function chooseAgents<Agent extends LockedPackage>(
  agents: readonly Agent[],
  names: readonly string[],
): Agent[];
export function isNewest(agent: Pick<LockedPackage, "name" | "id">): boolean;
export function cacheDirectory(env?: Record<string, string | undefined>): string;
export function agentDirectory(agent: Pick<LockedPackage, "id" | "version">): string;
export function unavailableBecause(agent: LockedAgent): string | undefined;
export function installedProgram(agent: LockedAgent): string | undefined;
export const completeMark: string;
export const launcher: string;
