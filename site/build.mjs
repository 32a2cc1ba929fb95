import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** `npm run docs:build`: makes the site in `site/dist/html`. Exit code 1 if anything is wrong with a page. */
const site = dirname(fileURLToPath(import.meta.url));
const root = dirname(site);
const stage = join(site, "dist/pages");
const html = join(site, "dist/html");

installPackages();
rmSync(join(site, "dist"), { recursive: true, force: true });
const { stagePages, put } = await import("./stage.mjs");
const { referPages } = await import("./library.mjs");
const { checkAnchors } = await import("./anchors.mjs");
const { writeForModels } = await import("./llms.mjs");
const { makeRelative, searchedPages } = await import("./relative-base.mjs");

put(join(stage, "index.md"), readFileSync(join(site, "home.md"), "utf8"));
stopIf([...stagePages(root, stage), ...referPages(root, stage)]);
stopIf(checkAnchors(stage));
const { build } = await import(pathToFileURL(join(site, "node_modules/vitepress/dist/node/index.js")).href);
await build(site);
stopIf(makeRelative(html));
const found = await searchedPages(html);
stopIf(found.includes("/start/tutorial.html#tutorial") ? [] : ["the search does not find the tutorial"]);
writeForModels(root, stage, html);
process.stdout.write(`The site is in ${html}\n`);

/** The packages of the site are installed once, and again when their list has changed. */
function installPackages() {
  const marker = join(site, "node_modules/.package-lock.json");
  const lock = join(site, "package-lock.json");
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], {
    cwd: site,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(1);
}

function stopIf(problems) {
  if (problems.length === 0) return;
  for (const problem of problems) process.stderr.write(`docs: ${problem}\n`);
  process.exit(1);
}
