import type { Redis } from "ioredis";
import type { Step } from "../../events/step.js";
import { toNdjson } from "../../text/to-json.js";
import { keys } from "./protocol.js";

/**
 * The events of a run while it runs, as lines of the output `full`. Each entry of the stream has the number of its first line, so a
 * reader sees where lines are missing: old ones are removed, and new ones are dropped if Redis is too slow.
 */
export interface LiveEvents {
  /** Never waits, and never throws. */
  push(steps: readonly Step[]): void;
  /** Writes what is left, and that nothing follows. Gives up after a moment. */
  end(): Promise<void>;
}

/** The stream of one run takes at most about this much memory of Redis. */
export const streamBytes = 4 * 1024 * 1024;
/** What one entry holds, unless a single line is longer. */
const entryBytes = 64 * 1024;
/** Longer lines are not streamed. The recording has them. */
const longestLine = 256 * 1024;
/** At most this much may be on its way to Redis. More is dropped. */
const pendingLimit = 2 * 1024 * 1024;
const gatherMs = 20;
/** The stream stays for this long after its last entry. */
const keptMs = 60 * 60 * 1000;
const longestEndMs = 2000;

export function createLiveEvents(redis: Redis, runId: string): LiveEvents {
  const key = keys.stream(runId);
  let gathered: string[] = [];
  let gatheredBytes = 0;
  let first = 0;
  let next = 0;
  let pending = 0;
  let timer: NodeJS.Timeout | undefined;
  const kept = createKeptEntries();
  let last: Promise<unknown> = Promise.resolve();

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const [text, bytes, from] = [gathered.join(""), gatheredBytes, first];
    gathered = [];
    gatheredBytes = 0;
    pending += bytes;
    last = write(["n", String(from), "lines", text], bytes).finally(() => {
      pending -= bytes;
    });
  };
  const write = async (fields: string[], bytes: number) => {
    const oldest = kept.oldestToKeep();
    const trim = oldest === undefined ? [] : ["MINID", "~", oldest];
    const [added] =
      (await redis
        .pipeline()
        .call("XADD", key, ...trim, "*", ...fields)
        .pexpire(key, keptMs)
        .exec()
        .catch(() => null)) ?? [];
    if (typeof added?.[1] === "string") kept.add(added[1], bytes);
  };
  const add = (line: string) => {
    const bytes = Buffer.byteLength(line);
    const number = next++;
    if (bytes > longestLine || pending + gatheredBytes + bytes > pendingLimit) return flush();
    if (gathered.length === 0) first = number;
    gathered.push(line);
    gatheredBytes += bytes;
    if (gatheredBytes >= entryBytes) flush();
    else timer ??= setTimeout(flush, gatherMs);
  };
  return {
    push(steps) {
      for (const { events } of steps) for (const event of events) add(toNdjson([event]));
    },
    async end() {
      flush();
      const written = last.then(() => write(["n", String(next), "end", "1"], 0));
      await Promise.race([written, after(longestEndMs)]);
    },
  };
}

/** Which entries are in the stream, so that it can be cut by bytes: Redis itself cuts by number. */
function createKeptEntries() {
  const entries: { id: string; bytes: number }[] = [];
  let total = 0;
  return {
    add(id: string, bytes: number) {
      entries.push({ id, bytes });
      total += bytes;
    },
    oldestToKeep(): string | undefined {
      let isTooMuch = false;
      while (total > streamBytes && entries.length > 1) {
        total -= entries.shift()?.bytes ?? 0;
        isTooMuch = true;
      }
      return isTooMuch ? entries[0]?.id : undefined;
    },
  };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
