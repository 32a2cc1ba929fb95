import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));
const block = /(<!-- faults: [^\n]*-->\n)[\s\S]*(<!-- \/faults -->)/;

/** The page with the tables. */
export function readPage(): string {
  return readFileSync(page, "utf8");
}

/** Replaces the tables in the page. */
export function acceptTables(tables: string): void {
  writeFileSync(
    page,
    readPage().replace(block, (_all, begin: string, end: string) => `${begin}\n${tables}\n\n${end}`),
  );
}
