/**
 * `npm run bench [-- FIGURE… --quick]`: prints a table of figures, each with a baseline of the same run. See bench/README.md. A
 * complete run that is not quick also updates docs/performance.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { batch } from "./figures/batch.mjs";
import { crowd } from "./figures/crowd.mjs";
import { distinct } from "./figures/distinct.mjs";
import { held } from "./figures/held.mjs";
import { latency } from "./figures/latency.mjs";
import { live } from "./figures/live.mjs";
import { memory } from "./figures/memory.mjs";
import { parallel } from "./figures/parallel.mjs";
import { queue } from "./figures/queue.mjs";
import { recording } from "./figures/recording.mjs";
import { recordings } from "./figures/recordings.mjs";
import { sessions } from "./figures/sessions.mjs";
import { size } from "./figures/size.mjs";
import { start } from "./figures/start.mjs";
import { translate } from "./figures/translate.mjs";
import { worst } from "./figures/worst.mjs";
import { gigabytes, isQuick, megabytes, rounds } from "./settings.mjs";
import { isMet, toAgentTable, toTable } from "./table.mjs";

const figures = {
  translate,
  distinct,
  worst,
  recording,
  parallel,
  latency,
  live,
  start,
  crowd,
  held,
  batch,
  sessions,
  recordings,
  queue,
  size,
  // The longest one, and the only one that other programs do not disturb.
  memory,
};
const names = process.argv.slice(2).filter((word) => word !== "--quick");
const unknown = names.filter((name) => !(name in figures));
if (unknown.length > 0) {
  console.error(`unknown figure ${unknown.join(", ")}; the figures are ${Object.keys(figures).join(", ")}`);
  process.exit(2);
}

const rows = [];
for (const name of names.length > 0 ? names : Object.keys(figures)) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await figures[name]({ megabytes, gigabytes, isShort: isQuick })));
}
const tables = [toTable(rows), toAgentTable(rows)].filter((table) => table !== "").join("\n");
console.log(tables);
writeResults();
if (names.length === 0 && !isQuick) writeDocs();

function writeResults() {
  const about = {
    node: process.version,
    processor: cpus()[0]?.model,
    processors: cpus().length,
    isQuick,
    rounds,
    megabytes,
    gigabytes,
  };
  const judged = rows.map((row) => (row.goal === undefined ? row : { ...row, isMet: isMet(row) }));
  const results = new URL("./results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("latest.json", results), `${JSON.stringify({ ...about, rows: judged }, null, 2)}\n`);
}

/** docs/performance.md has the numbers of the last complete run. */
function writeDocs() {
  const page = new URL("../docs/performance.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(
      /<!-- bench -->[\s\S]*<!-- \/bench -->/,
      () => `<!-- bench -->\n\n${tables}\n<!-- /bench -->`,
    ),
  );
}
