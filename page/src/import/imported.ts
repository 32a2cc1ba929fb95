import type { RunSource } from "../model/run-source.js";

/** Logs that were dropped on this page, for as long as it is open. */
const imported = new Map<string, RunSource>();

export function keepImported(source: RunSource): void {
  imported.set(source.id, source);
}

export function findImported(id: string): RunSource | undefined {
  return imported.get(id);
}

export function nextImportId(): string {
  return `imported-${imported.size + 1}`;
}
