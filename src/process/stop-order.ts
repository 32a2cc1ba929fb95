/**
 * How many living ancestors each process has among these. Zero: nobody above it is left. An agent must not see its
 * tools die before it does, since it would ask its model what to do about it; so whoever has none is asked first.
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
