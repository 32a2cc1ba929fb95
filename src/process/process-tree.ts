/** Returns the chosen processes and all their descendants. */
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

/**
 * Counts the living ancestors of each process, among the given processes only. Processes are stopped in this order,
 * those without ancestors first: an agent that sees its tools die would ask its model what to do about it.
 */
export function countAncestors(alive: readonly { pid: number; parent?: number }[]): Map<number, number> {
  const parents = new Map(alive.map(({ pid, parent }) => [pid, parent]));
  const counts = new Map<number, number>();

  function count(pid: number): number {
    const chain: number[] = [];
    let at: number | undefined = pid;
    while (at !== undefined && parents.has(at) && !counts.has(at) && !chain.includes(at)) {
      chain.push(at);
      at = parents.get(at);
    }
    let above = at === undefined ? 0 : (counts.get(at) ?? -1) + 1;
    for (const one of chain.reverse()) {
      counts.set(one, above);
      above += 1;
    }
    return counts.get(pid) ?? 0;
  }

  for (const { pid } of alive) count(pid);
  return counts;
}
