import type { Question } from "../../../events/event.js";
import { asArray, asObject, asText } from "../../../text/fields.js";
import type { JsonObject, JsonValue } from "../../../text/json.js";

/*
 * A question of the agent travels as a form: one property per question, whose allowed values are the options, and beside it a
 * free text `<name>_custom` (claude-agent-acp).
 */

const customSuffix = "_custom";

/** The questions of a form. Undefined if it is not made of questions. */
export function questionsOf(
  schema: JsonValue | undefined,
  message: string | undefined,
): Question[] | undefined {
  const fields = Object.entries(asObject(asObject(schema)?.["properties"]) ?? {});
  const questions: Question[] = [];
  for (const [id, value] of fields) {
    if (id.endsWith(customSuffix)) continue;
    const field = asObject(value) ?? {};
    const options = optionsOf(field);
    if (options === undefined) return undefined;
    const title = asText(field["title"]);
    const question =
      asText(field["description"]) ?? (fields.length <= 2 ? message : undefined) ?? title ?? id;
    questions.push({
      id,
      question,
      ...(title !== undefined && { header: title }),
      options: options.map(({ label, description }) => ({
        label,
        ...(description !== undefined && { description }),
      })),
      ...(isList(field) && { isMultiple: true }),
    });
  }
  return questions.length > 0 ? questions : undefined;
}

interface Option {
  value: JsonValue;
  label: string;
  description: string | undefined;
}

function isList(field: JsonObject): boolean {
  return field["type"] === "array";
}

function optionsOf(field: JsonObject): Option[] | undefined {
  const source = isList(field) ? (asObject(field["items"]) ?? {}) : field;
  const choices = asArray(source["oneOf"]) ?? asArray(source["anyOf"]) ?? asArray(source["enum"]);
  const options = choices?.flatMap((choice): Option[] => {
    const value = asObject(choice)?.["const"] ?? choice;
    if (typeof value !== "string") return [];
    const title = asText(asObject(choice)?.["title"]);
    const description = title?.startsWith(`${value} — `) ? title.slice(value.length + 3) : undefined;
    return [{ value, label: value, description }];
  });
  return options?.length ? options : undefined;
}

/** The data of the form for answers to its questions. An answer that is not an option goes to the free text, if there is one. */
export function contentOf(
  schema: JsonValue | undefined,
  answers: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  const properties = asObject(asObject(schema)?.["properties"]) ?? {};
  const content: JsonObject = {};
  for (const [id, given] of Object.entries(answers)) {
    const field = asObject(properties[id]);
    if (field === undefined || given.length === 0) continue;
    const known = new Set((optionsOf(field) ?? []).map(({ label }) => label));
    const chosen = given.filter((answer) => known.has(answer));
    const free = given.filter((answer) => !known.has(answer));
    const custom = `${id}${customSuffix}`;
    if (chosen.length > 0) content[id] = isList(field) ? chosen : (chosen[0] ?? "");
    if (free.length > 0) content[Object.hasOwn(properties, custom) ? custom : id] = free.join("\n");
  }
  return content;
}
