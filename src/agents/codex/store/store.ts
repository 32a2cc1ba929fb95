import { asObject, asText, firstText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { instantOf, mergeByTime, recordOf, withTimes } from "../../shared/stored-lines.js";
import type {
  AboutSession,
  SessionStore,
  StoredLine,
  StoredRecord,
  StoredSession,
  StoreFile,
  StoreReader,
} from "../../store-contract.js";
import { readLine } from "./lines.js";
import { createCodexStoreMapping } from "./mapping.js";
import { promptIn } from "./prompts.js";

/**
 * `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl` (seen with 0.166.0), and `archived_sessions` beside it. A subagent is a
 * thread with a file of its own, whose first line names the thread that has started it.
 */
export const codexStore: SessionStore = {
  id: "codex-rollouts",
  mark: /^\{"timestamp":"[^"]{10,40}",(?:"ordinal":\d+,)?"type":"session_meta",/,
  places({ env, home }) {
    const base = env["CODEX_HOME"] || `${home}/.codex`;
    return [`${base}/sessions`, `${base}/archived_sessions`];
  },
  sessions,
  records,
  about,
  createMapping: createCodexStoreMapping,
};

const rollout = /(?:^|\/)rollout-[\dT-]{19}-([\w-]+)\.jsonl$/;

function* sessions(reader: StoreReader): Generator<StoredSession> {
  const threads = new Map<string, { file: StoreFile; parent: string | undefined }>();
  for (const file of reader.files) {
    const id = rollout.exec(file.path)?.[1];
    if (id !== undefined && !threads.has(id)) threads.set(id, { file, parent: parentOf(reader, file.path) });
  }
  const subagents = new Map<string, StoreFile[]>();
  for (const [id, { file }] of threads) {
    const root = rootOf(id, threads);
    if (root !== id) subagents.set(root, [...(subagents.get(root) ?? []), file]);
  }
  for (const [id, { file }] of threads)
    if (rootOf(id, threads) === id) yield { id, files: [file, ...(subagents.get(id) ?? [])] };
}

/** The thread of the session that a thread belongs to: its own, if the one that has started it is not here. */
function rootOf(id: string, threads: ReadonlyMap<string, { parent: string | undefined }>): string {
  const seen = new Set([id]);
  let root = id;
  for (;;) {
    const parent = threads.get(root)?.parent;
    if (parent === undefined || seen.has(parent) || !threads.has(parent)) return root;
    seen.add(parent);
    root = parent;
  }
}

function parentOf(reader: StoreReader, path: string): string | undefined {
  for (const line of reader.lines(path)) {
    const meta = readLine(recordOf(line) ?? {}).payload;
    const spawn = asObject(asObject(asObject(meta["source"])?.["subagent"])?.["thread_spawn"]);
    return asText(meta["parent_thread_id"]) ?? asText(spawn?.["parent_thread_id"]);
  }
  return undefined;
}

function records({ files }: StoredSession, reader: StoreReader): Iterable<StoredRecord> {
  return mergeByTime(files.map(({ path }) => withTimes(reader.lines(path), timeOf)));
}

function timeOf(line: StoredLine): string | undefined {
  return instantOf(recordOf(line)?.["timestamp"]);
}

/** A session begins with instructions and settings before the first prompt. */
const mostLines = 200;

function about({ id }: StoredSession, lines: Iterable<StoredRecord>): AboutSession {
  const found: AboutSession = { sessionId: id };
  let count = 0;
  for (const line of lines) {
    count += 1;
    found.startedAt ??= line.timestamp;
    const { type, payload } = readLine(recordOf(line) ?? {});
    if (type === "session_meta") noteMeta(found, payload);
    if (type === "turn_context") found.cwd ??= asText(payload["cwd"]);
    found.prompt ??= promptIn(type, payload);
    if ((found.prompt !== undefined && found.cwd !== undefined) || count >= mostLines) break;
  }
  return found;
}

function noteMeta(found: AboutSession, meta: JsonObject): void {
  found.cwd ??= asText(meta["cwd"]);
  found.agentVersion ??= firstText(meta, ["cli_version"]);
}
