/**
 * `npm run bench [-- FIGURE…]`: prints a table of figures, each with a baseline of the same run. See bench/README.md. A run
 * of all figures also updates docs/performance.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { batch } from "./figures/batch.mjs";
import { command } from "./figures/command.mjs";
import { crowd } from "./figures/crowd.mjs";
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
import { toTable } from "./table.mjs";

const figures = {
  translate,
  command,
  parallel,
  latency,
  live,
  start,
  memory,
  crowd,
  batch,
  recording,
  sessions,
  recordings,
  queue,
  size,
};
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in figures));
if (unknown.length > 0) {
  console.error(`unknown figure ${unknown.join(", ")}; the figures are ${Object.keys(figures).join(", ")}`);
  process.exit(2);
}

const megabytes = Number(process.env.BENCH_MB ?? 200);
const rows = [];
for (const name of names.length > 0 ? names : Object.keys(figures)) {
  process.stderr.write(`${name} …\n`);
  rows.push(...(await figures[name]({ megabytes })));
}
console.log(toTable(rows));
const results = new URL("./results/", import.meta.url);
mkdirSync(results, { recursive: true });
const about = { node: process.version, processor: cpus()[0]?.model, processors: cpus().length, megabytes };
writeFileSync(new URL("latest.json", results), `${JSON.stringify({ ...about, rows }, null, 2)}\n`);
if (names.length === 0) writeDocs();

/** docs/performance.md has the numbers of the last complete run. */
function writeDocs() {
  const page = new URL("../docs/performance.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  const table = `<!-- bench -->\n\n${toTable(rows)}\n<!-- /bench -->`;
  writeFileSync(
    page,
    text.replace(/<!-- bench -->[\s\S]*<!-- \/bench -->/, () => table),
  );
}
