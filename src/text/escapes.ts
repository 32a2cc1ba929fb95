/**
 * Terminal escape sequences (CSI, OSC, and the two-byte ones) and control characters that move the
 * cursor. Agents print them on standard error; a message must not carry them to a terminal or a page.
 */
const escapeSequences =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export function stripEscapes(text: string): string {
  return text.replace(escapeSequences, "").replace(controlCharacters, "");
}
