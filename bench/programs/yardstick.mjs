/**
 * The yardstick: the least that a JavaScript program does which reads records and prints records. It reads a file
 * synchronously, cuts it into lines, parses every line and makes its text again. It prints nothing.
 */
import { isAscii } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";

const lineFeed = 10;

export function parseAndStringify(file) {
  const descriptor = openSync(file);
  let buffer = Buffer.allocUnsafe(256 * 1024);
  let held = 0;
  let characters = 0;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const read = readSync(descriptor, buffer, held, buffer.length - held, null);
    if (read === 0) break;
    const end = buffer.subarray(0, held + read).lastIndexOf(lineFeed);
    held += read;
    if (end === -1) continue;
    const whole = buffer.subarray(0, end);
    characters += eachLine(whole.toString(isAscii(whole) ? "latin1" : "utf8"));
    buffer.copyWithin(0, end + 1, held);
    held -= end + 1;
  }
  closeSync(descriptor);
  return characters;
}

function eachLine(text) {
  let characters = 0;
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    if (end > start) characters += JSON.stringify(JSON.parse(text.slice(start, end))).length;
    start = end + 1;
  }
  return characters;
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  process.stdout.write(`${parseAndStringify(process.argv[2])}\n`);
