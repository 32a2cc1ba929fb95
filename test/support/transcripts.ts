import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RawRecord } from "../../src/events/raw-record.js";

/*
 * Transcripts of live sessions with real programs, both directions: `test/fixtures/live/<protocol>-<agent>/<scenario>.jsonl`,
 * and beside each `<scenario>.end.json`: how the process ended, and what the model was asked and answered.
 */

const root = fileURLToPath(new URL("../fixtures/live/", import.meta.url));

export interface Transcript {
  folder: string;
  scenario: string;
  lines: readonly TranscriptLine[];
  end: TranscriptEnd | undefined;
}

export interface TranscriptLine {
  /** Milliseconds since the start. */
  at: number;
  /** `in`: what the client sent. */
  dir: "in" | "out" | "err";
  line: string;
}

export interface TranscriptEnd {
  exit: { at: number; code: number | null; signal: string | null } | null;
  leftBehind: unknown[];
  /** What the scripted model was asked, and what it answered: the truth about texts, calls and tokens. */
  modelRequests: ModelRequest[];
}

export interface ModelRequest {
  step: number;
  lastUser: string;
  toolResults: { tool: string; text: string }[];
  answer: {
    kind: string;
    status: number;
    text?: string;
    calls?: { id: string; tool: string; input: unknown }[];
    usage?: { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number };
    isComplete?: boolean;
  };
}

export function transcriptNames(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length));
}

export function readTranscript(folder: string, scenario: string): Transcript {
  const path = join(root, folder, scenario);
  const text = readFileSync(`${path}.jsonl`, "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  const end = existsSync(`${path}.end.json`)
    ? (JSON.parse(readFileSync(`${path}.end.json`, "utf8")) as TranscriptEnd)
    : undefined;
  return { folder, scenario, lines: lines.map((line) => JSON.parse(line) as TranscriptLine), end };
}

const epoch = Date.parse("2026-01-01T00:00:00.000Z");

/** The transcript as a recording has it. A server's lines are `received`; the client closed the session in the end. */
export function recordsOfTranscript({ folder, lines, end }: Transcript): RawRecord[] {
  const streams = {
    in: "sent",
    out: folder.startsWith("serve-") ? "received" : "stdout",
    err: "stderr",
  } as const;
  const timeOf = (at: number): string => new Date(epoch + Math.max(0, at)).toISOString();
  const records = lines.map(
    ({ at, dir, line }): RawRecord => ({ timestamp: timeOf(at), stream: streams[dir], line }),
  );
  const { exit } = end ?? {};
  records.push({
    timestamp: timeOf(exit?.at ?? lines.at(-1)?.at ?? 0),
    stream: "exit",
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    reason: "completed",
  });
  return records;
}
