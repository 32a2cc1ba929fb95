import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(new URL("../../test/real/recorded.json", import.meta.url));

/** The last results of `agents:record` by the name of the agent: version, date, scenarios, unknown. */
export function readRecorded() {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeRecorded(recorded) {
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
}

const shapes = fileURLToPath(new URL("../../test/real/shapes/", import.meta.url));

/** The recorded shape of an agent's stream, see `stream-shape.mjs`; undefined if there is none. */
export function readShape(name) {
  const path = `${shapes}${name}.txt`;
  if (!existsSync(path)) return undefined;
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

export function writeShape(name, shape) {
  mkdirSync(shapes, { recursive: true });
  writeFileSync(`${shapes}${name}.txt`, shape.map((entry) => `${entry}\n`).join(""));
}
