/** Adds to the processes that are chosen all that descend from them. */
export function withDescendants<T extends { pid: number; parent: number }>(
  all: readonly T[],
  isChosen: (one: T) => boolean,
): T[] {
  const chosen = new Set(all.filter(isChosen));
  for (const one of chosen) for (const child of all) if (child.parent === one.pid) chosen.add(child);
  return [...chosen];
}
