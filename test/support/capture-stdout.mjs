import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What the agent of a capture printed. Megabytes of one repeated character are not stored: `stdout.short.jsonl` has
 * `[[x 1000000 times]]` in their place, and `stdout.recipe.json` has the length and the hash of what the agent printed.
 */
export function readStdout(directory) {
  const stored = join(directory, "stdout.jsonl");
  if (existsSync(stored)) return readFileSync(stored, "utf8");
  const { bytes, sha256 } = JSON.parse(readFileSync(join(directory, "stdout.recipe.json"), "utf8"));
  const short = readFileSync(join(directory, "stdout.short.jsonl"), "utf8");
  const text = short.replace(/\[\[(.) (\d+) times\]\]/gu, (_, filler, count) => filler.repeat(Number(count)));
  if (Buffer.byteLength(text) !== bytes || createHash("sha256").update(text).digest("hex") !== sha256)
    throw new Error(`${stored} cannot be generated: the text differs from what stdout.recipe.json says`);
  return text;
}
