import type { FoundProcess } from "./processes.js";
import { exists } from "./signal.js";

/**
 * Represents a process group whose members cannot be listed. Its leader is listed separately, so that it is asked to
 * end before the rest. Empty if the group has no members.
 */
export function groupAsWhole(group: number): FoundProcess[] {
  if (!hasMembers(group)) return [];
  const rest = { pid: -group, parent: group, group, name: "unknown" };
  return exists(group) ? [{ pid: group, group, name: "unknown" }, rest] : [rest];
}

/** Zombies count as members. */
export function hasMembers(group: number): boolean {
  return exists(-group);
}
