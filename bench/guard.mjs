/**
 * `npm run bench:guard`: a short measurement of the figures that a change can worsen, compared with the ratios in
 * bench/guard.json. Fails if one is worse than noise explains, three times in a row. `-- --keep` stores new ratios.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { command } from "./figures/command.mjs";
import { recording } from "./figures/recording.mjs";
import { translate } from "./figures/translate.mjs";

/** The noise that a busy machine can add to a ratio of two consecutive measurements. */
const margin = 0.35;
const attempts = 3;
const kept = new URL("./guard.json", import.meta.url);

const figures = [
  // The input of a single agent is too small to distinguish a loss from noise.
  async () =>
    (await translate({ megabytes: 60, hasWorst: false })).filter(({ figure }) => figure.includes(": all ")),
  () => command({ megabytes: 40, agents: ["claude", "codex", "pi"] }),
  () => recording({ megabytes: 60 }),
];

if (process.argv.includes("--keep")) {
  const rows = [];
  for (const figure of figures) rows.push(...(await figure()));
  const ratios = rows.map(({ figure, ratio }) => [figure, Number(ratio.toFixed(2))]);
  writeFileSync(kept, `${JSON.stringify(Object.fromEntries(ratios), null, 2)}\n`);
} else {
  const ratios = JSON.parse(readFileSync(kept, "utf8"));
  const losses = [];
  for (const figure of figures) losses.push(...(await lossesOf(figure, ratios)));
  for (const loss of losses) console.error(`LOST ${loss}`);
  if (losses.length > 0) process.exitCode = 1;
}

/** Figures that stay below the stored ratios in every measurement. */
async function lossesOf(figure, ratios) {
  let losses = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const rows = await figure();
    const lost = rows.filter((row) => row.ratio < (ratios[row.figure] ?? 0) * (1 - margin));
    for (const row of rows) print(row, ratios, lost.includes(row));
    losses = lost.map((row) => `${row.figure}: ${row.ratio.toFixed(2)}x, kept ${ratios[row.figure]}x`);
    if (losses.length === 0) break;
  }
  return losses;
}

function print({ figure, ratio }, ratios, isLost) {
  const before = ratios[figure] === undefined ? "new" : `kept ${ratios[figure].toFixed(2)}x`;
  console.log(`${figure.padEnd(50)} ${ratio.toFixed(2).padStart(6)}x   ${before}${isLost ? "   LESS" : ""}`);
}
