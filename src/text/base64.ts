const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/** True if a text can be decoded by `decodeBase64` without loss. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && alphabet.test(text);
}

/** The bytes of a base64 text. A damaged text has none. */
export function decodeBase64(base64: string): Uint8Array {
  const characters = isBase64(base64) ? atob(base64) : "";
  const bytes = new Uint8Array(characters.length);
  // A plain loop: `Uint8Array.from` with a function collects all values in a list first, which is slow for megabytes.
  for (let at = 0; at < characters.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
