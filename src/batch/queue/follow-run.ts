import { connectQueue } from "./connection.js";
import { keys } from "./protocol.js";

/** What is read of a run that is under way on some machine. */
export type FollowedPart =
  /** Lines of the output `full`, each with its line feed. */
  | { kind: "lines"; text: string }
  /** This many lines are missing here. The recording will have them. */
  | { kind: "gap"; lines: number }
  /** Nothing follows. */
  | { kind: "end" };

export interface FollowRunOptions {
  signal?: AbortSignal | undefined;
  onNotice?(sentence: string): void;
}

const blockMs = 1000;

/**
 * The events of a run on any machine, from the first one that Redis still has, until the run ends or the signal aborts. A run that
 * has not begun is waited for.
 */
export async function* followRun(
  url: string,
  runId: string,
  { signal, onNotice = () => {} }: FollowRunOptions = {},
): AsyncGenerator<FollowedPart, void, void> {
  const { redis, close } = await connectQueue({ url, onNotice });
  signal?.addEventListener("abort", close, { once: true });
  try {
    let position = "0";
    let next = 0;
    while (signal?.aborted !== true) {
      const read = await redis
        .xread("COUNT", 64, "BLOCK", blockMs, "STREAMS", keys.stream(runId), position)
        .catch((error: unknown) => {
          if (signal?.aborted === true) return null;
          throw error;
        });
      for (const [id, fields] of read?.[0]?.[1] ?? []) {
        position = id;
        const { n, lines, end } = toRecord(fields);
        const first = Number(n);
        if (first > next) yield { kind: "gap", lines: first - next };
        if (end !== undefined) return yield { kind: "end" };
        if (lines === undefined) continue;
        yield { kind: "lines", text: lines };
        next = first + countLines(lines);
      }
    }
  } finally {
    signal?.removeEventListener("abort", close);
    close();
  }
}

function toRecord(fields: readonly string[]): Partial<Record<string, string>> {
  const record: Partial<Record<string, string>> = {};
  for (let index = 0; index + 1 < fields.length; index += 2) record[fields[index] ?? ""] = fields[index + 1];
  return record;
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
