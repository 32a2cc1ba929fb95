import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../test/real/recorded.json", import.meta.url));

/** What `agents:record` found the last time, by agent: version, date, scenarios, unknown. */
export function readRecorded() {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeRecorded(recorded) {
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
