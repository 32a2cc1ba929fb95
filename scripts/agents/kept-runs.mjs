import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The runs that the suite has kept of the agent with this name: `[{ scenario, folder, raw, events, run, meta }]`. */
export function keptRuns(directory, name) {
  const folder = join(directory, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((scenario) => ({
      scenario,
      folder: join(folder, scenario),
      raw: jsonLines(join(folder, scenario, "raw.jsonl")),
      events: jsonLines(join(folder, scenario, "full.jsonl")),
      run: JSON.parse(readFileSync(join(folder, scenario, "run.json"), "utf8")),
      meta: JSON.parse(readFileSync(join(folder, scenario, "meta.json"), "utf8")),
    }));
}

/** The number of lines on standard output, and how many of them became `unknown`. */
export function countUnknown(runs) {
  const count = { lines: 0, unknown: 0 };
  for (const { raw, events } of runs) {
    count.lines += raw.filter(({ stream }) => stream === "stdout").length;
    count.unknown += new Set(events.filter(({ type }) => type === "unknown").map(({ line }) => line)).size;
  }
  return count;
}

export function percent({ lines, unknown }) {
  return lines === 0 ? "–" : `${((100 * unknown) / lines).toFixed(1)} %`;
}

function jsonLines(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
