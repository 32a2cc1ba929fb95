import type { RunSource } from "../model/run-source.js";

/** Logs that were opened on this page. They are kept as long as the page is open. */
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
