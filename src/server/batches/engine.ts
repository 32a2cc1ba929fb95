// Stand-in until the engine is merged.
import { readFileSync } from "node:fs";
import type { LedgerLine } from "../../batch/model/ledger-line.js";
import { batchPlaces } from "../../batch/places.js";

export function isBatchHeld(directory: string): boolean {
  try {
    process.kill(JSON.parse(readFileSync(batchPlaces(directory).lock, "utf8")).pid, 0);
    return true;
  } catch {
    return false;
  }
}
export function parseLedgerLine(text: string): LedgerLine | undefined {
  return JSON.parse(text);
}
