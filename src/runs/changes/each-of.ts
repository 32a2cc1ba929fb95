/** How many files are worked on at once. Node itself has four threads for them. */
const width = 16;

/** Does something for each item, a few at a time. After an error nothing more is begun, and what runs is awaited. */
export async function eachOf<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failure: { error: unknown } | undefined;
  async function work(): Promise<void> {
    for (let next = rest.next(); !next.done && failure === undefined; next = rest.next()) {
      await act(next.value).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  if (failure !== undefined) throw failure.error;
}

const slash = Buffer.from("/");

export function joined(parent: Buffer, name: Buffer): Buffer {
  return parent.length === 0 ? name : Buffer.concat([parent, slash, name]);
}
