import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * VitePress builds for one base path. The site is built for this one, and each page then finds out at load time where
 * it really is. So the same files work at the root of a server, in a folder, and behind a proxy.
 */
export const placeholder = "/__docs_base__/";

export function makeRelative(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  for (const name of files.filter((one) => /\.(?:html|js|css)$/.test(one))) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    if (!text.includes(placeholder.slice(0, -1))) continue;
    writeFileSync(file, turn(name, text));
  }
  return files
    .filter((one) => /\.(?:html|js|css|json)$/.test(one))
    .filter((name) => readFileSync(join(folder, name), "utf8").includes("__docs_base__/"))
    .map((name) => `${name} still has the placeholder of the base path`);
}

function turn(name, text) {
  if (name.endsWith(".js")) return turnScript(text);
  const up = "../".repeat(name.split("/").length - 1) || "./";
  if (name.endsWith(".css")) return text.replaceAll(placeholder, up);
  const first = `<script>window.__docsBase=new URL(${JSON.stringify(up)},location.href).pathname</script>`;
  const html = turnSiteData(text).replaceAll(placeholder, up).replace("<head>", `<head>${first}`);
  const end = html.lastIndexOf("</body>");
  return `${html.slice(0, end)}<script>${absoluteLinks}</script>${html.slice(end)}`;
}

/**
 * The page's script takes over the links as they are. Later it changes the address without loading a page, and a relative link
 * would then lead elsewhere. So they become absolute before that.
 */
const absoluteLinks = `for(const a of document.querySelectorAll("a[href]"))if(a.origin===location.origin&&!a.getAttribute("href").startsWith("#"))a.setAttribute("href",a.pathname+a.search+a.hash)`;

/** The data that the page's script starts from is JSON in a string. */
function turnSiteData(html) {
  return html.replaceAll(`\\"base\\":\\"${placeholder}\\"`, `\\"base\\":\\""+window.__docsBase+"\\"`);
}

/** The ids of the pages that the search finds. Throws if the index cannot be read. */
export async function searchedPages(folder) {
  const chunks = join(folder, "assets/chunks");
  const name = readdirSync(chunks).find((one) => one.startsWith("@localSearchIndex"));
  globalThis.window = { __docsBase: "/" };
  const index = await import(pathToFileURL(join(chunks, name)).href);
  return Object.values(JSON.parse(index.default).documentIds);
}

/** A path in a string becomes the real base and the rest of the string. */
function turnScript(text) {
  const index = /^const \w+=(['`])\{"documentCount"/.exec(text)?.[1];
  // The index of the search is JSON in one string.
  if (index !== undefined) return text.replaceAll(`"${placeholder}`, `"${index}+window.__docsBase+${index}`);
  return text
    .replaceAll(`"${placeholder}`, ` window.__docsBase+"`)
    .replaceAll(`'${placeholder}`, ` window.__docsBase+'`)
    .replaceAll(`\`${placeholder}`, " window.__docsBase+`");
}
