/** Adds to the processes that are chosen all that descend from them. */
export function withDescendants<T extends { pid: number; parent: number }>(
  all: readonly T[],
  isChosen: (one: T) => boolean,
): T[] {
  const children = new Map<number, T[]>();
  for (const one of all) {
    const siblings = children.get(one.parent);
    if (siblings === undefined) children.set(one.parent, [one]);
    else siblings.push(one);
  }
  const chosen = new Set(all.filter(isChosen));
  for (const one of chosen) for (const child of children.get(one.pid) ?? []) chosen.add(child);
  return [...chosen];
}
