import type { SuggestedEdit } from "../../events/event.js";
import { asArray, asCount, asObject, firstText } from "../../text/fields.js";
import type { JsonObject, JsonValue } from "../../text/json.js";
import type { Sink } from "../contract.js";

/** Proposals of edits, which early versions of Bob printed as an object without a type. */
export function emitSuggestedEdits(record: JsonObject, out: Sink): void {
  const listed = ["edits", "suggestedEdits", "suggestions"].flatMap((key) => asArray(record[key]) ?? []);
  const edits = listed.flatMap((value) => editOf(value) ?? []);
  if (edits.length > 0 && edits.length === listed.length) out.emit({ type: "edits", edits });
}

function editOf(value: JsonValue): SuggestedEdit | undefined {
  const fields = asObject(value) ?? {};
  const range = asObject(fields["range"]) ?? fields;
  const filePath = firstText(fields, ["filePath", "path", "file"]);
  const start = asCount(range["start"]);
  const end = asCount(range["end"]);
  const replacement = ["replacement", "replaceWith", "insert", "newText"]
    .map((key) => fields[key])
    .find((candidate) => typeof candidate === "string");
  if (filePath === undefined || start === undefined || end === undefined || replacement === undefined)
    return undefined;
  const title = firstText(fields, ["title", "summary", "description"]);
  return { filePath, range: { start, end }, replacement, ...(title !== undefined && { title }) };
}
