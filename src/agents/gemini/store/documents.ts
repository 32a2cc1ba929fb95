import { asArray, isObject } from "../../../text/fields.js";
import { parseJson } from "../../../text/parse-json.js";
import { toJson } from "../../../text/to-json.js";
import type { StoredLine, StoreReader } from "../../store-contract.js";

export function isDocument(path: string): boolean {
  return path.endsWith(".json");
}

/** Versions before 0.40 write a session as one JSON document: one line with everything but its messages, then one for each of them. */
export function* documentLines(reader: StoreReader, path: string): Generator<StoredLine> {
  const text = reader.text(path);
  const value = text === undefined ? undefined : parseJson(text);
  // Half written, or too large to be read as a whole.
  if (!isObject(value)) return yield* reader.lines(path);
  const { messages, ...rest } = value;
  yield { line: toJson(rest) };
  for (const message of asArray(messages) ?? []) yield { line: toJson(message) };
}
