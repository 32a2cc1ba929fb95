/**
 * Renews the pictures of the documentation from those of screenshots.mjs:
 *   node scripts/page/screenshots.mjs FOLDER && node scripts/page/docs-pictures.mjs FOLDER
 */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "./find-browser.mjs";

const [folder = "screenshots"] = process.argv.slice(2);
const target = fileURLToPath(new URL("../../docs/screenshots/", import.meta.url));

/** Name in the documentation: name of the picture. */
const pictures = {
  runs: "runs-1280-light",
  run: "run-1280-light",
  running: "running-1280-light",
  diff: "diff-1280-light",
  failed: "failed-1280-light",
  changes: "changes-1280-light",
  live: "command-1280-light",
  overview: "overview-1280-light",
  raw: "raw-1280-light",
  replay: "replay-1280-light",
  compare: "compare-1280-light",
  batch: "batch-1280-light",
  dark: "run-1280-dark",
};
/** Side by side, without their lower ends. */
const narrow = ["runs-390-light", "run-390-dark", "changes-390-light"];

for (const [name, source] of Object.entries(pictures))
  copyFileSync(join(folder, `${source}.png`), join(target, `${name}.png`));

const images = narrow.map((name) => {
  const data = readFileSync(join(folder, `${name}.png`)).toString("base64");
  return `<img style="width:390px;height:620px;object-fit:cover;object-position:top" src="data:image/png;base64,${data}">`;
});
const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 3 * 390 + 4 * 16, height: 620 + 2 * 16 } });
await page.setContent(
  `<body style="margin:0;padding:16px;display:flex;gap:16px;background:#c9c9c6">${images.join("")}</body>`,
);
await page.screenshot({ path: join(target, "narrow.png") });
await browser.close();
