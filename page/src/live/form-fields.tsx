import { useState } from "preact/hooks";
import { toVisibleLine } from "../../../src/text/cut.js";
import { isObject } from "../../../src/text/fields.js";
import type { JsonObject, JsonValue } from "../../../src/text/json.js";
import type { AnswerProps } from "./questions.js";

/** The fields of a form: MCP servers ask for flat objects of texts, numbers, choices and yes or no. */
interface Field {
  name: string;
  title: string;
  description: string;
  type: string;
  choices: readonly string[];
  isRequired: boolean;
}

/** Data that an MCP server asks for. */
export function FormFields({ request: { schema, name }, isReady, onAnswer }: AnswerProps) {
  const fields = fieldsOf(schema);
  const [given, setGiven] = useState<Readonly<Record<string, string | boolean>>>({});
  const [problem, setProblem] = useState("");
  const send = (): void => {
    const missing = fields.find(
      (field) => field.isRequired && (given[field.name] ?? "") === "" && field.type !== "boolean",
    );
    if (missing !== undefined) return setProblem(`${missing.title} is missing.`);
    const content: Record<string, JsonValue> = {};
    for (const field of fields) {
      const value = fieldValue(field, given[field.name]);
      if (value !== undefined) content[field.name] = value;
    }
    if (Object.values(content).some((value) => Number.isNaN(value)))
      return setProblem("A number is not written as one.");
    onAnswer({ content });
  };
  return (
    <form
      class="questions"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) send();
      }}
    >
      {fields.map((field) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is in FieldInput
        <label key={field.name} class={field.type === "boolean" ? "option" : "field"}>
          <span dir="auto">
            {toVisibleLine(field.title, 200)} <small>{toVisibleLine(field.description, 300)}</small>
          </span>
          <FieldInput
            field={field}
            value={given[field.name]}
            onValue={(value) => setGiven({ ...given, [field.name]: value })}
          />
        </label>
      ))}
      {fields.length === 0 && (
        <p class="dim">{toVisibleLine(name, 80)} asks for no field that is known here.</p>
      )}
      {problem !== "" && <p class="failure">{problem}</p>}
      <div class="card-choices">
        <button type="submit" class="primary" disabled={!isReady}>
          Answer
        </button>
        <button type="button" data-key="n" disabled={!isReady} onClick={() => onAnswer({ decline: true })}>
          Give no answer <kbd>n</kbd>
        </button>
      </div>
    </form>
  );
}

interface FieldInputProps {
  field: Field;
  value: string | boolean | undefined;
  onValue(value: string | boolean): void;
}

function FieldInput({ field: { type, choices }, value, onValue }: FieldInputProps) {
  if (type === "boolean")
    return (
      <input
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget }) => onValue(currentTarget.checked)}
      />
    );
  const text = typeof value === "string" ? value : "";
  if (choices.length > 0)
    return (
      <select value={text} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="" />
        {choices.map((each) => (
          <option key={each} value={each}>
            {toVisibleLine(each, 100)}
          </option>
        ))}
      </select>
    );
  return <input dir="auto" value={text} onInput={({ currentTarget }) => onValue(currentTarget.value)} />;
}

function fieldValue({ type }: Field, value: string | boolean | undefined): JsonValue | undefined {
  if (type === "boolean") return value === true;
  if (typeof value !== "string" || value === "") return undefined;
  return type === "number" || type === "integer" ? Number(value) : value;
}

function fieldsOf(schema: JsonValue | undefined): Field[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  const required = isObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, given]) => {
    const field: JsonObject = isObject(given) ? given : {};
    const text = (key: string): string | undefined => {
      const value = field[key];
      return typeof value === "string" ? value : undefined;
    };
    const choices = Array.isArray(field["enum"])
      ? field["enum"].filter((each) => typeof each === "string")
      : [];
    return {
      name,
      title: text("title") ?? name,
      description: text("description") ?? "",
      type: text("type") ?? "string",
      choices,
      isRequired: required.includes(name),
    };
  });
}
