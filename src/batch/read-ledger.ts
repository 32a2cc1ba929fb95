import { open } from "node:fs/promises";
import { HarnessError, problemOf, systemCode } from "../errors.js";
import { readRegularFile } from "../runs/files/regular-file.js";
import { cleanText } from "../text/clean-text.js";
import { asObject } from "../text/fields.js";
import { isJson } from "../text/json.js";
import { parseOwnJson } from "../text/parse-json.js";
import { isLedgerLine } from "./ledger-schema.js";
import type { BatchLine, LedgerLine } from "./model/ledger-line.js";

export interface LedgerContent {
  head: BatchLine;
  /** Without the first. */
  lines: LedgerLine[];
  /** The size of all complete lines. */
  bytes: number;
  /** A sentence for each damaged line. Half a line at the end is what a kill leaves, and does not count as damage. */
  problems: string[];
}

/** Reads a ledger. Throws `unknown_batch` if there is none, and `unreadable_batch` if its first line cannot be used. */
export function readLedger(path: string): LedgerContent {
  const text = readText(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const [first = "", ...rest] = whole.split("\n").slice(0, -1);
  const head = toHead(first, path);
  const lines: LedgerLine[] = [];
  const problems: string[] = [];
  for (const [index, spelled] of rest.entries()) {
    const line = toLine(spelled);
    if (line !== undefined) lines.push(line);
    else problems.push(`line ${index + 2} of ${path} is damaged and is left out`);
  }
  return { head, lines, bytes: Buffer.byteLength(whole), problems };
}

function readText(path: string): string {
  try {
    return readRegularFile(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? ""))
      throw new HarnessError("unknown_batch", `there is no batch here: ${path} does not exist`);
    if (error instanceof HarnessError) throw error;
    throw new HarnessError("unreadable_batch", `${path} cannot be read: ${problemOf(error)}`);
  }
}

function toHead(spelled: string, path: string): BatchLine {
  const value = parseOwnJson(spelled);
  const { type, version, harness } = isJson(value) ? (asObject(value) ?? {}) : {};
  if (type !== "batch")
    throw new HarnessError("unreadable_batch", `${path} does not begin as the ledger of a batch does`);
  if (version !== 1) {
    const other = typeof harness === "string" ? ` (${cleanText(harness)})` : "";
    const message = `${path} was written by another version of harness${other}; use that version`;
    throw new HarnessError("unreadable_batch", message);
  }
  if (isLedgerLine(value) && value.type === "batch") return value;
  throw new HarnessError(
    "unreadable_batch",
    `the first line of ${path} is damaged: the plan is not complete`,
  );
}

/** A line of a ledger. Undefined if it is damaged, or of a type that this version does not know. */
export function toLine(spelled: string): LedgerLine | undefined {
  const value = parseOwnJson(spelled);
  return isLedgerLine(value) ? value : undefined;
}

/** How far a ledger can be read while it is written. */
export interface LedgerFeed {
  readonly syncedBytes: number;
  readonly hasEnded: boolean;
  /** Resolves when one of the two has changed. */
  changed(): Promise<void>;
}

const chunkBytes = 64 * 1024;

/** The lines of a ledger from a place on, as they come. They are read at the pace of the reader, so nothing waits in memory. */
export async function* followLedger(
  path: string,
  from: number,
  feed: LedgerFeed,
): AsyncGenerator<LedgerLine> {
  const file = await open(path, "r");
  try {
    let rest = Buffer.alloc(0);
    for (let at = from; ; ) {
      if (at >= feed.syncedBytes) {
        if (feed.hasEnded) return;
        await feed.changed();
        continue;
      }
      const length = Math.min(chunkBytes, feed.syncedBytes - at);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        const line = toLine(rest.toString("utf8", 0, end));
        rest = rest.subarray(end + 1);
        if (line !== undefined) yield line;
      }
    }
  } finally {
    await file.close();
  }
}
