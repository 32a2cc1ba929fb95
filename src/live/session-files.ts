import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Writes the files that an agent is to load into a directory of their own, which only this user can read. They are removed at
 * the end of the session.
 */
export function createSessionFiles(
  directory: string,
  files: Readonly<Record<string, string>>,
): { remove(): void } {
  const names = Object.keys(files);
  if (names.length === 0) return { remove() {} };
  // Fails if somebody else has made it: then its content cannot be trusted.
  mkdirSync(directory, { mode: 0o700 });
  for (const name of names)
    writeFileSync(join(directory, basename(name)), files[name] ?? "", { mode: 0o600, flag: "wx" });
  return { remove: () => rmSync(directory, { recursive: true, force: true }) };
}
