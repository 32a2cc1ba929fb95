import { asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";
import { parseJson } from "../../../text/parse-json.js";
import { toJson } from "../../../text/to-json.js";

/** What sessions are made of. */
export const storedKinds = ["session", "message", "part"] as const;
export type StoredKind = (typeof storedKinds)[number];

/** A row or a file as one line of JSON, with the moment at which it was created, in milliseconds. */
export interface StoredRow {
  line: string;
  time: number | undefined;
}

/** The key of a row's table, or of a file's. */
const tableKey = "table";

/** A row: its columns, and what is JSON in them as it is. */
export function rowLine(kind: StoredKind, row: Readonly<Record<string, string | number | null>>): string {
  const fields = Object.entries(row).map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`);
  return `{${[`${JSON.stringify(tableKey)}:${JSON.stringify(kind)}`, ...fields].join(",")}}`;
}

function valueText(value: string | number | null): string {
  const isJson = typeof value === "string" && /^\s*[{[]/.test(value) && !/[\r\n]/.test(value);
  return isJson && parseJson(value) !== undefined ? value : JSON.stringify(value);
}

/** A file: its document. */
export function fileLine(kind: StoredKind, document: JsonValue): string {
  return toJson({ [tableKey]: kind, document });
}

export interface ReadRow {
  kind: StoredKind | undefined;
  id: string | undefined;
  /** As OpenCode's server describes a session, a message or a part. */
  data: JsonObject;
}

/** The columns of a row that are fields of what it describes, by their names there. */
const fields: Readonly<Record<string, string>> = {
  id: "id",
  session_id: "sessionID",
  message_id: "messageID",
  parent_id: "parentID",
  directory: "directory",
  version: "version",
  title: "title",
  model: "model",
};

export function readStoredRow(record: JsonObject): ReadRow {
  const kind = storedKinds.find((one) => one === record[tableKey]);
  const document = asObject(record["document"]);
  if (document !== undefined) return { kind, id: asText(document["id"]), data: document };
  const data: JsonObject = { ...asObject(record["data"]) };
  for (const [column, name] of Object.entries(fields)) {
    const value = record[column];
    if (value !== undefined && value !== null) data[name] = value;
  }
  return { kind, id: asText(record["id"]), data };
}
