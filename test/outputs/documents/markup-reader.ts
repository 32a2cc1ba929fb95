/** One tag of a page. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

const voidElements = new Set(["meta", "input", "br", "hr"]);
const tagPattern = /^<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z0-9-]+(?:="[^"<>]*")?)*)\s*(\/?)>/;

/**
 * Reads a page as strictly as it is written: every `<` begins a tag with quoted attributes, and every tag is
 * closed by the one that belongs to it. Throws otherwise. The one style and the one script are left out.
 */
export function readTags(page: string): Tag[] {
  const text = page
    .replace("<!doctype html>", "")
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/<script>[\s\S]*?<\/script>/, "");
  const tags: Tag[] = [];
  const open: string[] = [];
  for (let index = text.indexOf("<"); index !== -1; index = text.indexOf("<", index + 1)) {
    const match = tagPattern.exec(text.slice(index, index + 4000));
    if (match === null) throw new Error(`not a tag: ${text.slice(index, index + 80)}`);
    const [, isEnd, name = "", attributes = "", isClosed] = match;
    if (isEnd === "/") {
      const last = open.pop();
      if (last !== name)
        throw new Error(`</${name}> closes <${last}>: ${text.slice(index - 80, index + 40)}`);
      continue;
    }
    tags.push({ name, attributes: readAttributes(attributes) });
    if (isClosed === "" && !voidElements.has(name)) open.push(name);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.join(" ")}`);
  return tags;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/([a-zA-Z0-9-]+)(?:="([^"]*)")?/g), ([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
}
