import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join, relative } from "node:path";

/** How the files of each agent's store are kept. `keep` returns the number of files. */
export const stores = {
  claude: { keep: keepTexts([".claude/projects"]) },
  codex: { keep: keepTexts([".codex/sessions"]) },
  opencode: {
    keep: keepDatabase(".local/share/opencode/opencode.db", ["project", "session", "message", "part"]),
  },
  kilo: { keep: keepDatabase(".local/share/kilo/kilo.db", ["project", "session", "message", "part"]) },
  pi: { keep: keepTexts([".pi/agent/sessions"]) },
  gemini: { keep: keepTexts([".gemini/tmp", ".gemini/projects.json"]) },
};

/** Keeps the files below these paths of the home, but with neutral paths in them and in their names, and without long texts. */
function keepTexts(places) {
  return ({ home, folder, neutral }) => {
    const files = places.flatMap((place) => filesIn(join(home, place)));
    for (const file of files) {
      const target = join(folder, neutral(relative(home, file)));
      mkdirSync(dirname(target), { recursive: true });
      const lines = neutral(readFileSync(file, "utf8")).replaceAll(release(), "6.1.0").split("\n");
      writeFileSync(target, lines.map(shortLine).join("\n"));
    }
    return files.length;
  };
}

/**
 * Keeps these tables of an SQLite database, with neutral paths. The rest of a database is large and about other things. Needs the
 * program `sqlite3`.
 */
function keepDatabase(path, tables) {
  return ({ home, folder, neutral }) => {
    const from = join(home, path);
    if (!existsSync(from)) return 0;
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    rmSync(target, { force: true });
    const dump = execFileSync("sqlite3", [from, `.dump ${tables.join(" ")}`], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    execFileSync("sqlite3", [target], { input: `PRAGMA page_size=1024;\n${neutral(dump)}` });
    return 1;
  };
}

/** Agents write their whole instructions and tools into their logs. Of these a beginning is enough. */
function shortLine(line) {
  if (line.length < 4000) return line;
  const shorter = JSON.stringify(shorten(JSON.parse(line), { text: 1200, items: Number.POSITIVE_INFINITY }));
  if (shorter.length < 8000) return shorter;
  return JSON.stringify(shorten(JSON.parse(line), { text: 200, items: 3 }));
}

function shorten(value, most) {
  if (typeof value === "string")
    return value.length > most.text ? `${value.slice(0, 100)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.slice(0, most.items).map((item) => shorten(item, most));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, most)]));
}

function filesIn(place) {
  try {
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    return error.code === "ENOTDIR" ? [place] : [];
  }
}
