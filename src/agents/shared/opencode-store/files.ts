import { asNumber, asObject, asText } from "../../../text/fields.js";
import type { JsonObject } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import type { StoreFile, StoreReader } from "../../store-contract.js";
import { fileLine, type StoredRow } from "./lines.js";
import type { Sessions } from "./store.js";

const sessionFile = /^storage\/session\/[^/]+\/([^/]+)\.json$/;
const messageFile = /^storage\/message\/([^/]+)\/([^/]+)\.json$/;
const partFile = /^storage\/part\/([^/]+)\/([^/]+)\.json$/;

interface Folder {
  session: StoreFile;
  parent: string | undefined;
  messages: StoreFile[];
}

/**
 * One file for each session, message and part, as versions before 1.2 wrote them (from public sources; not tried with the program). Undefined if
 * there are none.
 */
export function openStoredFiles(reader: StoreReader): Sessions | undefined {
  const folders = new Map<string, Folder>();
  const parts = new Map<string, StoreFile[]>();
  for (const file of reader.files) {
    const id = sessionFile.exec(file.path)?.[1];
    const parent = id === undefined ? undefined : asText(documentIn(reader, file)?.["parentID"]);
    if (id !== undefined) folders.set(id, { session: file, parent, messages: [] });
  }
  if (folders.size === 0) return undefined;
  for (const file of reader.files) {
    const owner = messageFile.exec(file.path)?.[1];
    const message = partFile.exec(file.path)?.[1];
    if (owner !== undefined) folders.get(owner)?.messages.push(file);
    if (message !== undefined) parts.set(message, [...(parts.get(message) ?? []), file]);
  }
  const filesOf = (id: string): StoreFile[] =>
    familyOf(id, folders).flatMap((folder) => allIn(folder, parts));
  return {
    mains: [...folders].flatMap(([id, { parent }]) =>
      parent !== undefined && folders.has(parent) ? [] : [{ id, files: filesOf(id) }],
    ),
    *lines(id) {
      for (const folder of familyOf(id, folders)) yield* linesOf(folder, parts, reader);
    },
  };
}

/** A session and its subagents, each after the one that started it. */
function familyOf(id: string, folders: ReadonlyMap<string, Folder>): Folder[] {
  const family = new Map<string, Folder>();
  const main = folders.get(id);
  if (main !== undefined) family.set(id, main);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [other, folder] of folders)
      if (folder.parent !== undefined && family.has(folder.parent)) family.set(other, folder);
  }
  return [...family.values()];
}

function allIn({ session, messages }: Folder, parts: ReadonlyMap<string, StoreFile[]>): StoreFile[] {
  return [session, ...messages.flatMap((file) => [file, ...(parts.get(messageOf(file)) ?? [])])];
}

function messageOf({ path }: StoreFile): string {
  return messageFile.exec(path)?.[2] ?? "";
}

/** Messages and parts by their ids, which rise. */
function* linesOf(
  { session, messages }: Folder,
  parts: ReadonlyMap<string, StoreFile[]>,
  reader: StoreReader,
): Generator<StoredRow> {
  yield* lineOf("session", session, reader);
  for (const message of messages) {
    yield* lineOf("message", message, reader);
    for (const part of parts.get(messageOf(message)) ?? []) yield* lineOf("part", part, reader);
  }
}

function* lineOf(
  kind: Parameters<typeof fileLine>[0],
  file: StoreFile,
  reader: StoreReader,
): Generator<StoredRow> {
  const document = documentIn(reader, file);
  const time = asObject(document?.["time"]) ?? {};
  const moment = asNumber(time["created"]) ?? asNumber(time["start"]);
  // A file that is damaged is kept as the text that it is.
  const content = document ?? reader.text(file.path) ?? null;
  yield {
    line: fileLine(kind, content),
    time: moment !== undefined && moment < 8.64e15 ? moment : undefined,
  };
}

function documentIn(reader: StoreReader, { path }: StoreFile): JsonObject | undefined {
  return asObject(parseJson(reader.text(path) ?? ""));
}
