import type { LineRecord } from "../events/raw-record.js";
import type { CreateMapping } from "./contract.js";

/**
 * The sessions that an agent keeps on disk itself, whoever started it. `harness sessions import` makes recordings of them.
 * Everything here is pure: harness finds and reads the files (`StoreReader`) and never writes to a store. What the files contain
 * may be damaged, half written or hostile: no function may throw because of it.
 */
export interface SessionStore {
  /** The name of the format, such as `claude-projects`. Sidecars have it (`imported.store`), so it never changes. */
  id: string;
  /** Matches the first line of a session's file, and no line that the agent prints. Somebody may import such a file as a log. */
  mark?: RegExp;
  /** The directories that hold sessions, absolute. They need not exist. */
  places(where: StorePlace): string[];
  /** The sessions in one place. */
  sessions(reader: StoreReader): Iterable<StoredSession>;
  /**
   * The lines of a session in the order in which they happened, as they are in the files. A JSON document gives one line for each of
   * its messages, and one with the rest of it. A line without a time of its own gets that of the line before it.
   */
  records(session: StoredSession, reader: StoreReader): Iterable<StoredRecord>;
  /** What is known about a session. It reads no more records than it needs; they may be very many. */
  about(session: StoredSession, records: Iterable<StoredRecord>): AboutSession;
  /**
   * Reads the records. The contract is that of a live protocol: prompts in the records begin turns (`out.live.beginTurn`), and
   * `out.live.endTurn` ends them. A turn that is still open after `flush` was cut off: the session is then `interrupted`.
   */
  createMapping: CreateMapping;
}

/** Whose home is searched, and with which environment. */
export interface StorePlace {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** Reads the files of one place. Links are not followed, and files that cannot be read are empty. */
export interface StoreReader {
  /** Every regular file below the place. */
  readonly files: readonly StoreFile[];
  /** The lines of a file. */
  lines(path: string): Iterable<StoredLine>;
  /** A whole file as text. Undefined if it cannot be read, or is larger than 64 MiB. */
  text(path: string): string | undefined;
  /** A part of a file, for stores that are databases. Less than `length` bytes at its end, none if it cannot be read. */
  bytes(path: string, offset: number, length: number): Uint8Array;
}

export interface StoreFile {
  /** Relative to the place, with slashes. */
  path: string;
  bytes: number;
  /** When it was last changed, in milliseconds. */
  modifiedAt: number;
}

/** A line without its line feed. It has `bytes` (base64) instead of `line` if it is not valid UTF-8. */
export type StoredLine = Pick<LineRecord, "line" | "bytes" | "newline" | "droppedBytes">;

/** A line with its time in ISO 8601. Undefined: the session has had no time so far. */
export type StoredRecord = StoredLine & { timestamp: string | undefined };

export interface StoredSession {
  /** The agent's own id, as far as the names of files have it. It must be unique in the store. */
  id: string;
  /** Every file that it is made of, the main one first. If they grow, the session is imported again. */
  files: readonly StoreFile[];
}

/** What a list needs to know about a session. */
export interface AboutSession {
  /** The agent's own id, by which it resumes the session. Default: `id` of the session. */
  sessionId?: string | undefined;
  /** When it began, in ISO 8601. A session without a time is not imported. */
  startedAt?: string | undefined;
  cwd?: string | undefined;
  /** The first prompt. A session without a prompt was never used: it is not imported. */
  prompt?: string | undefined;
  agentVersion?: string | undefined;
}
