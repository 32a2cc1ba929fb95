import { asText } from "../../../text/fields.js";
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
import { createClaudeStoreMapping } from "./mapping.js";
import { promptIn } from "./prompts.js";

/**
 * `~/.claude/projects/<directory>/<session>.jsonl` (seen with 2.1.197 and 2.1.325). What subagents did is in files beside it:
 * `<session>/subagents/agent-<id>.jsonl`, and `agent-<id>.meta.json` says which call started them (2.1.325). Versions before that have
 * `<directory>/agent-<id>.jsonl`, whose lines name the session.
 */
export const claudeStore: SessionStore = {
  id: "claude-projects",
  mark: /^\{(?:"parentUuid":|"type":"(?:queue-operation|summary|file-history-snapshot|last-prompt|mode|permission-mode)",)/,
  places: ({ env, home }) => [`${env["CLAUDE_CONFIG_DIR"] || `${home}/.claude`}/projects`],
  sessions,
  records,
  about,
  createMapping: createClaudeStoreMapping,
};

const mainFile = /^([^/]+)\/([\w-]+)\.jsonl$/;
const partFile = /^([^/]+)\/([\w-]+)\/subagents\/(?:.*\/)?agent-[^/]+\.(?:jsonl|meta\.json)$/;
const looseFile = /^([^/]+)\/agent-[\w-]+\.jsonl$/;

function* sessions(reader: StoreReader): Generator<StoredSession> {
  const mains: { key: string; name: string; file: StoreFile }[] = [];
  const parts = new Map<string, StoreFile[]>();
  const addPart = (key: string, file: StoreFile): void => {
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [file]);
    else known.push(file);
  };
  for (const file of reader.files) {
    const part = partFile.exec(file.path);
    const loose = looseFile.exec(file.path);
    const main = mainFile.exec(file.path);
    if (part !== null) addPart(`${part[1]}/${part[2]}`, file);
    else if (loose !== null) addPart(`${loose[1]}/${sessionOf(reader, file.path)}`, file);
    else if (main !== null) mains.push({ key: `${main[1]}/${main[2]}`, name: main[2] ?? "", file });
  }
  const names = new Set<string>();
  for (const { key, name, file } of mains) {
    // The same session can be in two directories: it was moved, or went on in another worktree.
    const id = names.has(name) ? key : name;
    names.add(name);
    yield { id, files: [file, ...(parts.get(key) ?? [])] };
  }
}

function sessionOf(reader: StoreReader, path: string): string {
  for (const line of reader.lines(path)) return asText(recordOf(line)?.["sessionId"]) ?? "";
  return "";
}

/** The lines of all files, by time. The description of a subagent comes right before the first line of the subagent. */
function records({ files }: StoredSession, reader: StoreReader): Iterable<StoredRecord> {
  const names = new Set(files.map(({ path }) => path));
  const logs = files.filter(({ path }) => path.endsWith(".jsonl"));
  return mergeByTime(
    logs.map(({ path }) => {
      const description = path.replace(/\.jsonl$/, ".meta.json");
      return withTimes(linesOf(reader, names.has(description) ? [description, path] : [path]), timeOf);
    }),
  );
}

function* linesOf(reader: StoreReader, paths: readonly string[]): Generator<StoredLine> {
  for (const path of paths) yield* reader.lines(path);
}

function timeOf(line: StoredLine): string | undefined {
  return instantOf(recordOf(line)?.["timestamp"]);
}

/** A session begins with some lines of its own before the first prompt. */
const mostLines = 200;

function about({ id }: StoredSession, lines: Iterable<StoredRecord>): AboutSession {
  const found: AboutSession = { sessionId: id.slice(id.indexOf("/") + 1) };
  let count = 0;
  for (const line of lines) {
    count += 1;
    found.startedAt ??= line.timestamp;
    const record = recordOf(line) ?? {};
    if (record["isSidechain"] !== true) {
      found.cwd ??= asText(record["cwd"]);
      found.agentVersion ??= asText(record["version"]);
      found.prompt ??= record["type"] === "user" ? promptIn(record)?.text : undefined;
    }
    const isKnown = found.prompt !== undefined && found.startedAt !== undefined;
    if ((isKnown && found.cwd !== undefined) || count >= mostLines) break;
  }
  return found;
}
