import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import { folders, frontPages, groups } from "./pages.mjs";

/**
 * Copies the pages of the repository to where the site has them and turns their links accordingly. A link to a file that
 * is not on the site (a source, an example) becomes plain text. Returns what is wrong, as sentences.
 */
export function stagePages(root, stage) {
  const places = placesOf(root);
  const problems = missingPages(root, places);
  for (const [from, to] of places) {
    if (frontPages.includes(from) || !existsSync(join(root, from))) continue;
    const source = readFileSync(join(root, from), "utf8").replaceAll(/^<!--.*?-->\n/gms, "");
    const text = turnLinks(source, (target) =>
      turnTarget({ root, stage, places, from, to }, target, problems),
    );
    put(join(stage, to), text);
  }
  return problems;
}

/** Every page of the repository that is on the site, with its place there. */
function placesOf(root) {
  const places = new Map(frontPages.map((page) => [page, "index.md"]));
  for (const { from, to } of groups.flatMap(({ pages }) => pages))
    if (from !== undefined) places.set(from, to);
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder))) {
      const from = `${folder}/${name}`;
      if (!places.has(from)) places.set(from, from.replace(/^docs\//, ""));
    }
  }
  for (const page of frontPages) places.set(page, "index.md");
  return places;
}

function missingPages(root, places) {
  const there = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`);
  return [
    ...there.filter((page) => !places.has(page)).map((page) => `${page} is not in site/pages.mjs`),
    ...[...places.keys()]
      .filter((page) => !existsSync(join(root, page)))
      .map((page) => `site/pages.mjs names ${page}, which does not exist`),
  ];
}

const codeOrLink =
  /(^(```|~~~)[\s\S]*?^\2|`[^`\n]*`|^ {4}.*$)|(!?)\[((?:`[^`\n]*`|[^\]\n])*)\]\(([^)\s]+)\)/gm;

/** Calls `turn` for every link outside of code. `undefined` leaves only its text. */
function turnLinks(text, turn) {
  return text.replaceAll(codeOrLink, (whole, code, _fence, image, label, target) => {
    if (code !== undefined || /^[a-z]+:/i.test(target)) return whole;
    const turned = turn(target);
    return turned === undefined ? label : `${image}[${label}](${turned})`;
  });
}

function turnTarget({ root, stage, places, from, to }, target, problems) {
  const [path, anchor] = target.split("#");
  if (path === "") return target;
  const file = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, "");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (places.has(file)) return `${relative(posix.dirname(to), places.get(file))}${hash}`;
  if (!existsSync(join(root, file))) {
    problems.push(`${from} links to ${target}, which does not exist`);
    return undefined;
  }
  if (!/\.(?:png|svg)$/.test(file)) return undefined;
  const place = file.replace(/^docs\//, "");
  mkdirSync(dirname(join(stage, place)), { recursive: true });
  if (statSync(join(root, file)).isFile()) copyFileSync(join(root, file), join(stage, place));
  return relative(posix.dirname(to), place);
}

function relative(folder, target) {
  const path = posix.relative(folder, target);
  return path.startsWith(".") ? path : `./${path}`;
}

export function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
