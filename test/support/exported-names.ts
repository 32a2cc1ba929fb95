import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ExportedNames {
  values: string[];
  types: string[];
}

const list = /^export (type )?\{([^}]*)\}/gm;
const everything = /^export \* from "(.+)\.js";/gm;
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|enum|interface|type) (\w+)/gm;

/** The exported names of a module, read from its source, because types do not exist in the built code. */
export function exportedNames(file: string): ExportedNames {
  const source = readFileSync(file, "utf8");
  const names: ExportedNames = { values: [], types: [] };
  for (const [, type, items = ""] of source.matchAll(list)) {
    for (const item of items.split(",").map((part) => part.trim())) {
      if (item === "") continue;
      const isType = type !== undefined || item.startsWith("type ");
      const name = item.replace(/^type /, "").replace(/^.* as /, "");
      names[isType ? "types" : "values"].push(name);
    }
  }
  for (const [, kind = "", name = ""] of source.matchAll(declaration)) {
    names[kind === "interface" || kind === "type" ? "types" : "values"].push(name);
  }
  for (const [, path] of source.matchAll(everything)) {
    const inner = exportedNames(`${join(dirname(file), path ?? "")}.ts`);
    names.values.push(...inner.values);
    names.types.push(...inner.types);
  }
  return { values: names.values.sort(), types: names.types.sort() };
}
