/**
 * Lets all who ask share a look that takes its time: whoever asks while one goes on gets the next one, so that
 * the answer is always as of some moment after the question, and a hundred runs cost two looks and not a hundred.
 */
export function createSharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    const started = look().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  }

  async function startNext(before: Promise<T>): Promise<T> {
    await before.catch(() => undefined);
    next = undefined;
    return start();
  }

  return () => {
    if (next !== undefined) return next;
    if (current === undefined) return start();
    next = startNext(current);
    return next;
  };
}
