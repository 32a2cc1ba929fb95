import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * VitePress builds for one base path. The site is built for this one, and each page then finds out at load time where
 * it really is. So the same files work at the root of a server, in a folder, and behind a proxy.
 */
export const placeholder = "/__docs_base__/";

export function makeRelative(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
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
  return turnSiteData(text).replaceAll(placeholder, up).replace("<head>", `<head>${first}`);
}

/** The data that the page's script starts from is JSON in a string. */
function turnSiteData(html) {
  return html.replaceAll(`\\"base\\":\\"${placeholder}\\"`, `\\"base\\":\\""+window.__docsBase+"\\"`);
}

/** A path in a string becomes the real base and the rest of the string. */
function turnScript(text) {
  return text
    .replaceAll(`"${placeholder}`, ` window.__docsBase+"`)
    .replaceAll(`'${placeholder}`, ` window.__docsBase+'`)
    .replaceAll(`\`${placeholder}`, " window.__docsBase+`");
}
