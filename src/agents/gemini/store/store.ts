import { asObject, asText } from "../../../text/fields.js";
import { instantOf, recordOf, withTimes } from "../../shared/stored-lines.js";
import type {
  AboutSession,
  SessionStore,
  StoredLine,
  StoredRecord,
  StoredSession,
  StoreFile,
  StoreReader,
} from "../../store-contract.js";
import { documentLines, isDocument } from "./documents.js";
import { createGeminiStoreMapping } from "./mapping.js";
import { agentsIn, latestCall, promptIn, subagentMark } from "./messages.js";

/**
 * `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl` (seen with 0.61.0; earlier versions have one JSON document with the ending
 * `.json`). What subagents did is in `chats/<session>/<subagent>.jsonl`. A session that goes on may have another file. `.project_root`
 * names the directory of the project.
 */
export const geminiStore: SessionStore = {
  id: "gemini-chats",
  places: ({ env, home }) => [`${env["GEMINI_CLI_HOME"] || home}/.gemini/tmp`],
  sessions,
  records,
  about,
  createMapping: createGeminiStoreMapping,
};

const mainFile = /^([^/]+)\/chats\/session-[^/]*?([^/-]+)\.jsonl?$/;
const partFile = /^([^/]+)\/chats\/([^/]+)\/([^/]+)\.jsonl?$/;
const rootFile = /^([^/]+)\/\.project_root$/;

interface Found {
  mains: StoreFile[];
  parts: StoreFile[];
}

function* sessions(reader: StoreReader): Generator<StoredSession> {
  const found = new Map<string, Found>();
  const roots = new Map<string, StoreFile>();
  const at = (key: string): Found => {
    const known = found.get(key) ?? { mains: [], parts: [] };
    found.set(key, known);
    return known;
  };
  for (const file of reader.files) {
    const [, project, name] = mainFile.exec(file.path) ?? [];
    const [, owner, session] = partFile.exec(file.path) ?? [];
    const root = rootFile.exec(file.path)?.[1];
    if (root !== undefined) roots.set(root, file);
    else if (project !== undefined) at(`${project}/${idOf(reader, file.path) ?? name}`).mains.push(file);
    else if (owner !== undefined) at(`${owner}/${session}`).parts.push(file);
  }
  const names = new Set<string>();
  for (const [key, { mains, parts }] of found) {
    if (mains.length === 0) continue;
    const project = key.slice(0, key.indexOf("/"));
    const name = key.slice(key.indexOf("/") + 1);
    const root = roots.get(project);
    const id = names.has(name) ? key : name;
    names.add(name);
    yield { id, files: [...mains, ...parts, ...(root === undefined ? [] : [root])] };
  }
}

function idOf(reader: StoreReader, path: string): string | undefined {
  for (const line of linesOf(reader, path)) return asText(recordOf(line)?.["sessionId"]);
  return undefined;
}

function linesOf(reader: StoreReader, path: string): Iterable<StoredLine> {
  return isDocument(path) ? documentLines(reader, path) : reader.lines(path);
}

/**
 * The directory of the project, then the files of the session. What a subagent did follows the line with the call that started it. Its
 * lines are marked, because nothing in them says whose they are.
 */
function* records({ files }: StoredSession, reader: StoreReader): Generator<StoredRecord> {
  yield* withTimes(linesInOrder(files, reader), timeOf);
}

function* linesInOrder(files: readonly StoreFile[], reader: StoreReader): Generator<StoredLine> {
  const parts = new Map(
    files.flatMap(({ path }) => {
      const id = partFile.exec(path)?.[3];
      return id === undefined ? [] : [[id, path] as const];
    }),
  );
  const take = function* (id: string): Generator<StoredLine> {
    const path = parts.get(id);
    parts.delete(id);
    for (const line of path === undefined ? [] : linesOf(reader, path)) {
      yield subagentMark(line, id);
      yield* nested(line);
    }
  };
  const nested = function* (line: StoredLine): Generator<StoredLine> {
    for (const id of agentsIn(recordOf(line))) yield* take(id);
  };
  for (const { path } of files) if (rootFile.test(path)) yield* reader.lines(path);
  for (const { path } of files) {
    if (!mainFile.test(path)) continue;
    for (const line of linesOf(reader, path)) {
      yield line;
      yield* nested(line);
    }
  }
  for (const id of [...parts.keys()]) yield* take(id);
}

/** A message that is written again, with the results of its calls, keeps its time. The calls have their own. */
function timeOf(line: StoredLine): string | undefined {
  const record = recordOf(line) ?? {};
  const changed = asObject(record["$set"]);
  return instantOf(
    latestCall(record) ?? record["timestamp"] ?? record["startTime"] ?? changed?.["lastUpdated"],
  );
}

/** A session begins with some lines of its own before the first prompt. */
const mostLines = 200;

function about({ id }: StoredSession, lines: Iterable<StoredRecord>): AboutSession {
  const found: AboutSession = { sessionId: id.slice(id.indexOf("/") + 1) };
  let count = 0;
  for (const line of lines) {
    count += 1;
    found.startedAt ??= line.timestamp;
    const record = recordOf(line);
    if (record === undefined && count === 1) found.cwd = asText(line.line);
    found.sessionId = asText(record?.["sessionId"]) ?? found.sessionId;
    found.prompt ??= record === undefined ? undefined : promptIn(record);
    if (found.prompt !== undefined || count >= mostLines) break;
  }
  return found;
}
