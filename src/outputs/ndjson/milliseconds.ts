/**
 * Reads ISO timestamps as milliseconds. Neighbouring events mostly share one, so the last is cached. A timestamp that this
 * engine cannot read (`+05` without minutes) counts as the one before it.
 */
export function createMillisecondsReader(): (timestamp: string) => number {
  let lastTimestamp = "";
  let lastMilliseconds = 0;
  return (timestamp) => {
    if (timestamp === lastTimestamp) return lastMilliseconds;
    const milliseconds = Date.parse(timestamp);
    lastTimestamp = timestamp;
    if (!Number.isNaN(milliseconds)) lastMilliseconds = milliseconds;
    return lastMilliseconds;
  };
}
