import { readFileSync } from "node:fs";
import { parseOwnJson } from "../../text/parse-json.js";
import type { AttemptNote } from "./protocol.js";

/** Which attempts the ledger has. A batch that was killed may have noted them, or not. */
export interface KnownAttempts {
  hasStarted(runId: string): boolean;
  isRetried(runId: string): boolean;
  noteStart(runId: string): void;
  noteRetry(runId: string): void;
  /** How many of these attempts were in the ledger when the batch was resumed. The batch itself adds them to what is reported. */
  countEarlier(attempts: readonly AttemptNote[]): number;
  wasRetriedEarlier(runId: string): boolean;
}

export function readKnownAttempts(ledger: string): KnownAttempts {
  const started = new Set<string>();
  const retried = new Set<string>();
  for (const line of linesOf(ledger)) {
    if (!line.startsWith('{"type":"started"') && !line.startsWith('{"type":"retrying"')) continue;
    const parsed = parseOwnJson(line);
    if (typeof parsed !== "object" || parsed === null || !("runId" in parsed) || !("type" in parsed))
      continue;
    (parsed.type === "started" ? started : retried).add(String(parsed.runId));
  }
  const [startedEarlier, retriedEarlier] = [new Set(started), new Set(retried)];
  return {
    countEarlier: (attempts) => attempts.filter(({ runId }) => startedEarlier.has(runId)).length,
    wasRetriedEarlier: (runId) => retriedEarlier.has(runId),
    hasStarted: (runId) => started.has(runId),
    isRetried: (runId) => retried.has(runId),
    noteStart: (runId) => started.add(runId),
    noteRetry: (runId) => retried.add(runId),
  };
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}
