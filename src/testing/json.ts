/** Readers for JSON of unknown shape. They never throw; a missing value is empty. */

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text of a string, a content block or a list of blocks, at any depth. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).filter(isNotEmpty).join("\n");
  if (!isRecord(value)) return "";
  if (typeof value["text"] === "string") return value["text"];
  return textOf(value["content"] ?? value["parts"]);
}

function isNotEmpty(text: string): boolean {
  return text !== "";
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
