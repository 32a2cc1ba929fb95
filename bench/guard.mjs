/**
 * `npm run bench:guard`: a short measurement of the ratios that a change can worsen, compared with those in bench/guard.json. Fails
 * if one is worse than noise explains, three times in a row. `-- --keep` stores new ratios.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { distinct } from "./figures/distinct.mjs";
import { memory } from "./figures/memory.mjs";
import { recording } from "./figures/recording.mjs";
import { translate } from "./figures/translate.mjs";
import { lostEveryTime } from "./lost-every-time.mjs";

/** The noise that a busy machine can add to a ratio of two consecutive measurements. */
const margin = 0.35;
const attempts = 3;
const kept = new URL("./guard.json", import.meta.url);

/** With small sizes: all together need about 90 s of processor time. */
const figures = [
  () =>
    translate({
      megabytes: 10,
      times: 2,
      agents: ["claude", "codex", "copilot", "goose", "opencode", "pi"],
      isComparedWithJq: false,
    }),
  () => distinct({ megabytes: 10, times: 2, agents: ["codex"] }),
  () => recording({ megabytes: 10, times: 2, agents: ["claude", "codex"] }),
  () => memory({ gigabytes: 0.08, part: 0.5, agents: ["claude", "codex"] }),
];

if (process.argv.includes("--keep")) {
  const rows = [];
  for (const figure of figures) rows.push(...(await ratiosOf(figure)));
  const ratios = rows.map(({ key, ratio }) => [key, Number(ratio.toFixed(2))]);
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
} else {
  const ratios = JSON.parse(readFileSync(kept, "utf8"));
  const losses = [];
  for (const figure of figures) losses.push(...(await lossesOf(figure, ratios)));
  for (const loss of losses) console.error(`LOST ${loss}`);
  if (losses.length > 0) process.exitCode = 1;
}

/** Figures that are worse than the stored ratios in every measurement. */
async function lossesOf(figure, ratios) {
  const isWorse = (row) => isLost(row, ratios[row.key]);
  const measure = async () => {
    const rows = await ratiosOf(figure);
    for (const row of rows) print(row, ratios[row.key], isWorse(row));
    return rows;
  };
  const lost = await lostEveryTime({ measure, isLost: isWorse, attempts });
  return lost.map(({ key, ratio }) => `${key}: ${ratio.toFixed(2)}x, kept ${ratios[key]}x`);
}

/**
 * The guarded rows, with their keys. Of a format, all agents together: the slowest agent can be another one next time. Of one agent,
 * only the commonest format: more would be noise.
 */
async function ratiosOf(figure) {
  const rows = await figure();
  return rows
    .filter(({ ratio, which }) => ratio !== undefined && which === undefined)
    .filter(({ agent, column }) => agent === undefined || !/^(full|events|run-events) /.test(column))
    .map((row) => ({
      ...row,
      key: row.agent === undefined ? row.figure : `${row.figure}, ${row.agent}`,
    }));
}

/** Of times and memory, less is better; of speed, more. */
function isLost({ unit, ratio }, before) {
  if (before === undefined) return false;
  return unit === "MB/s" ? ratio < before * (1 - margin) : ratio > before * (1 + margin);
}

function print({ key, ratio }, before, isWorse) {
  const text = before === undefined ? "new" : `kept ${before.toFixed(2)}x`;
  console.log(`${key.padEnd(60)} ${ratio.toFixed(2).padStart(6)}x   ${text}${isWorse ? "   WORSE" : ""}`);
}
