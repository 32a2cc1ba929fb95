import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Readers see the old text or the new one, never a part. */
export function writeAtomically(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
