import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { groups } from "./pages.mjs";
import { put } from "./stage.mjs";

/** `llms.txt` lists the pages for language models; `llms-full.txt` has all of them in one file; `*.md` are the pages as text. */
export function writeForModels(root, stage, html) {
  const { description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const answers = answersOf(readFileSync(join(root, "docs/README.md"), "utf8"));
  const lists = groups.map(({ title, about, pages }) => {
    const rows = pages.map(({ title: name, from, to }) => {
      const says = answers.get(from) ?? firstSentence(read(stage, to));
      return `- [${name}](./${to}): ${says}`;
    });
    return `## ${title}\n\n${about}\n\n${rows.join("\n")}`;
  });
  put(join(html, "llms.txt"), `# harness\n\n> ${description}\n\n${lists.join("\n\n")}\n`);
  const pages = groups.flatMap((group) => group.pages);
  const whole = pages.map(({ to }) => `<!-- ${to} -->\n\n${read(stage, to).trim()}`);
  put(join(html, "llms-full.txt"), `${whole.join("\n\n")}\n`);
  for (const { to } of pages) put(join(html, to), read(stage, to));
}

/** The index of the documentation says for each page which question it answers. */
function answersOf(index) {
  const answers = new Map();
  for (const [, links, question] of index.matchAll(/^\| (\[.+\)) \| (.+) \|$/gm))
    for (const [, target] of links.matchAll(/\]\(([^)]+)\)/g))
      answers.set(posix.join("docs", target), question);
  return answers;
}

function read(stage, page) {
  const file = join(stage, page);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** What a page says first, in one line. */
function firstSentence(text) {
  const paragraph = text.split(/\n{2,}/).find((part) => /^[\p{L}`*[]/u.test(part) && !part.startsWith("```"));
  const plain = (paragraph ?? "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^.*?[.:!?](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}
