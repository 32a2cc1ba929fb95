import type { FoundProcess } from "./processes.js";

/** A group of which nothing else can be seen, if it has members. Its leader is asked to end before the rest. */
export function groupAsWhole(group: number): FoundProcess[] {
  if (!hasMembers(group)) return [];
  const rest = { pid: -group, parent: group, group, name: "unknown" };
  return isThere(group) ? [{ pid: group, group, name: "unknown" }, rest] : [rest];
}

/** Zombies count here. */
export function hasMembers(group: number): boolean {
  return isThere(-group);
}

/** Whoever may not be signalled is there all the same. */
function isThere(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
