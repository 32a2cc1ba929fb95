import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../errors.js";
import type { StartFailure } from "../process/start-failure.js";

/**
 * Writes the files that an agent is to load into a directory of their own, which only this user can read. They are removed at
 * the end of the session.
 */
export function createSessionFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
): { remove(): void } | { failure: StartFailure } {
  const names = Object.keys(files);
  if (names.length === 0) return { remove() {} };
  try {
    // Fails if it already exists: its content could not be trusted.
    mkdirSync(directory, { mode: 0o700 });
    for (const name of names)
      writeFileSync(join(directory, basename(name)), files[name] ?? "", { mode: 0o600, flag: "wx" });
  } catch (error) {
    const message = `the session's own directory cannot be written: ${messageOf(error)}`;
    return { failure: { kind: "config", message } };
  }
  return { remove: () => rmSync(directory, { recursive: true, force: true }) };
}
