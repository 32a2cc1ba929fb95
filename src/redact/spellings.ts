/**
 * The ways in which a text can stand in what an agent prints: as it is, in JSON, in JSON within JSON, in a
 * URL, and as bytes that were read one by one.
 */
export function spellingsOf(text: string): string[] {
  const json = inJson(text);
  return [...new Set([text, json, inJson(json), inUrl(text), asBytes(text)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function asBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}
