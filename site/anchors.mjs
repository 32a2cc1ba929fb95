import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { slug } from "./slug.mjs";

const code = /^(```|~~~)[\s\S]*?^\1|`[^`\n]*`|^ {4}.*$/gm;

/** Links to headings that do not exist, as sentences. VitePress itself checks only that pages exist. */
export function checkAnchors(stage) {
  const pages = readdirSync(stage, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md"));
  return pages.flatMap((page) => {
    const text = readFileSync(join(stage, page), "utf8").replaceAll(code, "");
    return [...text.matchAll(/\]\(([^)\s#:]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path, anchor]) => {
      const target = path === "" ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(join(stage, target))) return [`${page} links to ${target}, which is not on the site`];
      if (anchor === undefined || anchorsOf(join(stage, target)).has(anchor)) return [];
      return [`${page} links to ${target}#${anchor}, and there is no such heading`];
    });
  });
}

const known = new Map();

function anchorsOf(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = readFileSync(file, "utf8").replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const found = new Set();
  for (const [, heading] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const base = slug(plain);
    let anchor = base;
    for (let n = 1; found.has(anchor); n++) anchor = `${base}-${n}`;
    found.add(anchor);
  }
  known.set(file, found);
  return found;
}
