import { asObject, asText } from "../../../text/fields.js";
import { instantOf, recordOf, withTimes } from "../../shared/stored-lines.js";
import type {
  AboutSession,
  SessionStore,
  StoredLine,
  StoredRecord,
  StoredSession,
  StoreReader,
} from "../../store-contract.js";
import { promptIn } from "./entries.js";
import { createPiStoreMapping } from "./mapping.js";

/**
 * `~/.pi/agent/sessions/<directory>/<time>_<session>.jsonl` (seen with 0.74.2 and 1.4.0; Pi documents the format). A directory that the user
 * has chosen for sessions has them without the folder in between.
 */
export const piStore: SessionStore = {
  id: "pi-sessions",
  places({ env, home }) {
    const agent = env["PI_CODING_AGENT_DIR"] || `${home}/.pi/agent`;
    return [env["PI_CODING_AGENT_SESSION_DIR"] || `${agent}/sessions`];
  },
  sessions,
  records: ({ files: [file] }, reader) => recordsOf(reader.lines(file?.path ?? "")),
  about,
  createMapping: createPiStoreMapping,
};

const sessionFile = /^(?:[^/]+\/)?(?:[^/_]+_)?([^/]+)\.jsonl$/;

function* sessions({ files }: StoreReader): Generator<StoredSession> {
  const names = new Set<string>();
  for (const file of files) {
    const name = sessionFile.exec(file.path)?.[1];
    if (name === undefined) continue;
    // Two files can be the same session: somebody has copied one of them.
    const id = names.has(name) ? file.path : name;
    names.add(name);
    yield { id, files: [file] };
  }
}

function recordsOf(lines: Iterable<StoredLine>): Iterable<StoredRecord> {
  return withTimes(lines, timeOf);
}

function timeOf(line: StoredLine): string | undefined {
  const record = recordOf(line);
  return instantOf(record?.["timestamp"]) ?? instantOf(asObject(record?.["message"])?.["timestamp"]);
}

/** A session begins with a few entries of its own before the first prompt. */
const mostLines = 200;

function about(_session: StoredSession, lines: Iterable<StoredRecord>): AboutSession {
  const found: AboutSession = {};
  let count = 0;
  for (const line of lines) {
    count += 1;
    found.startedAt ??= line.timestamp;
    const record = recordOf(line) ?? {};
    if (record["type"] === "session") {
      found.sessionId ??= asText(record["id"]);
      found.cwd ??= asText(record["cwd"]);
    }
    found.prompt ??= promptIn(record);
    if (found.prompt !== undefined || count >= mostLines) break;
  }
  return found;
}
