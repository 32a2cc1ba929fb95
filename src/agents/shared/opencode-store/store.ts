import { asText } from "../../../text/fields.js";
import type {
  AboutSession,
  SessionStore,
  StoredRecord,
  StoredSession,
  StoreReader,
} from "../../store-contract.js";
import type { Dialect } from "../opencode-stream/dialect.js";
import { recordOf } from "../stored-lines.js";
import { openStoredDatabase } from "./database.js";
import { openStoredFiles } from "./files.js";
import { readStoredRow, type StoredRow } from "./lines.js";
import { createOpencodeStoreMapping } from "./mapping.js";

/** The sessions of one kind of storage: their rows or files, and how each of these is read. */
export interface Sessions {
  /** Main sessions. Those of subagents belong to them. */
  readonly mains: Iterable<StoredSession>;
  /** The lines of a session and its subagents, in the order in which they happened. */
  lines(id: string): Iterable<StoredRow>;
}

export interface OpencodeStoreOptions {
  /** The name of the format in sidecars. */
  id: string;
  /** The name of the directory with the user's data, and of the database in it. */
  name: string;
  dialect: Dialect;
}

/**
 * `~/.local/share/opencode/opencode.db` (seen with 1.18.33), which Kilo kept with its own name. Before 1.2 there was a file for each session, message
 * and part (`storage/`); newer versions take these over into the database, and leave the files where they are.
 */
export function createOpencodeStore({ id, name, dialect }: OpencodeStoreOptions): SessionStore {
  const opened = new WeakMap<StoreReader, Sessions[]>();

  function open(reader: StoreReader): Sessions[] {
    const known = opened.get(reader);
    if (known !== undefined) return known;
    const all = [openStoredDatabase(reader, `${name}.db`), openStoredFiles(reader)];
    const sessions = all.flatMap((one) => one ?? []);
    opened.set(reader, sessions);
    return sessions;
  }

  return {
    id,
    places: ({ env, home }) => [`${env["XDG_DATA_HOME"] || `${home}/.local/share`}/${name}`],
    *sessions(reader) {
      const ids = new Set<string>();
      for (const { mains } of open(reader)) {
        for (const session of mains) {
          if (ids.has(session.id)) continue;
          ids.add(session.id);
          yield session;
        }
      }
    },
    *records(session, reader) {
      for (const one of open(reader)) {
        let isFound = false;
        for (const { line, time } of one.lines(session.id)) {
          isFound = true;
          yield { line, timestamp: time === undefined ? undefined : new Date(time).toISOString() };
        }
        if (isFound) return;
      }
    },
    about,
    createMapping: () => createOpencodeStoreMapping(dialect),
  };
}

/** The session comes first, and the prompt follows. */
const mostLines = 50;

function about({ id }: StoredSession, records: Iterable<StoredRecord>): AboutSession {
  const found: AboutSession = { sessionId: id };
  const prompts = new Set<string>();
  let count = 0;
  for (const record of records) {
    count += 1;
    found.startedAt ??= record.timestamp;
    const { kind, data, id: own } = readStoredRow(recordOf(record) ?? {});
    if (kind === "session" && own === id) {
      found.cwd ??= asText(data["directory"]);
      found.agentVersion ??= asText(data["version"]);
    }
    if (kind === "message" && data["role"] === "user" && data["sessionID"] === id) prompts.add(own ?? "");
    if (kind === "part" && prompts.has(asText(data["messageID"]) ?? "") && data["synthetic"] !== true)
      found.prompt ??= asText(data["text"]);
    if (found.prompt !== undefined || count >= mostLines) break;
  }
  return found;
}
