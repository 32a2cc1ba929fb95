import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What each folder of `src/` may import, as ARCHITECTURE.md has it. `node`: Node's own modules. */
const allowed: Record<string, readonly string[]> = {
  vocabulary: [],
  outcome: ["vocabulary"],
  translator: ["vocabulary", "outcome"],
  shell: [],
  agents: ["vocabulary", "outcome", "translator", "shell", "errors.ts", "suggest.ts"],
  formats: ["vocabulary", "outcome", "translator"],
  process: ["vocabulary", "errors.ts", "node"],
  recording: ["vocabulary", "outcome", "formats", "translator", "agents", "process", "errors.ts", "node"],
  run: [
    "vocabulary",
    "outcome",
    "translator",
    "agents",
    "formats",
    "process",
    "recording",
    "errors.ts",
    "node",
  ],
  cli: [
    "vocabulary",
    "outcome",
    "translator",
    "agents",
    "formats",
    "process",
    "recording",
    "run",
    "errors.ts",
    "node",
  ],
  "errors.ts": [],
  "suggest.ts": [],
  "core.ts": ["vocabulary", "outcome", "translator", "agents", "formats", "shell", "errors.ts"],
  "index.ts": [
    "core.ts",
    "config",
    "inspect",
    "vocabulary",
    "agents",
    "run",
    "recording",
    "formats",
    "errors.ts",
  ],
};

/** Translators, formats and shell commands are read in browsers: packages must be too. */
const packages: Record<string, readonly string[]> = {
  vocabulary: ["valibot"],
  formats: ["valibot", "@valibot/to-json-schema"],
  shell: ["unbash"],
  config: ["valibot", "toml-eslint-parser"],
  cli: ["commander"],
};

const source = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);

describe("imports follow the architecture", () => {
  it.each(files)("%s", (file) => {
    const from = topOf(file);
    for (const specifier of importsOf(readFileSync(join(source, file), "utf8"))) {
      if (specifier.startsWith("node:"))
        expect(allowed[from], `${file} imports ${specifier}`).toContain("node");
      else if (!specifier.startsWith("."))
        expect(packages[from] ?? [], `${file} imports ${specifier}`).toContain(specifier);
      else {
        const to = topOf(relative(source, join(source, dirname(file), specifier)).replace(/\.js$/, ".ts"));
        if (to !== from) expect(allowed[from], `${file} imports ${specifier}`).toContain(to);
      }
    }
  });

  it("formats use only plain helpers of the translator folder", () => {
    for (const file of files.filter((name) => topOf(name) === "formats")) {
      for (const specifier of importsOf(readFileSync(join(source, file), "utf8"))) {
        if (specifier.includes("/translator/"))
          expect(specifier).toMatch(/\/(paths|escapes|line-record)\.js$/);
      }
    }
  });

  it("an agent imports no other agent", () => {
    for (const file of files.filter(
      (name) => /^agents[\\/][^\\/]+[\\/]/.test(name) && !name.includes("shared"),
    )) {
      const own = file.split(sep)[1];
      for (const specifier of importsOf(readFileSync(join(source, file), "utf8"))) {
        const target = relative(source, join(source, dirname(file), specifier)).split(sep);
        if (target[0] === "agents" && target.length === 3)
          expect([own, "shared"], `${file} imports ${specifier}`).toContain(target[1]);
      }
    }
  });
});

function topOf(file: string): string {
  return file.split(/[\\/]/)[0] ?? file;
}

function importsOf(text: string): string[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;
  return [...text.matchAll(pattern)].flatMap((match) => match[1] ?? match[2] ?? match[3] ?? []);
}
