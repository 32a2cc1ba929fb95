import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Everything that runs in a browser. */
const pure = [
  "vocabulary",
  "outcome",
  "translator",
  "shell",
  "agents",
  "summary",
  "formats",
  "errors.ts",
  "suggest.ts",
  "check-options.ts",
  "option-parts.ts",
];

/** What each folder of `src/` may import, as ARCHITECTURE.md has it. `node`: Node's own modules. */
const allowed: Record<string, readonly string[]> = {
  "errors.ts": [],
  "suggest.ts": [],
  "check-options.ts": ["errors.ts", "suggest.ts"],
  "option-parts.ts": [],
  vocabulary: [],
  outcome: ["vocabulary"],
  translator: ["vocabulary", "outcome"],
  shell: [],
  agents: [
    "vocabulary",
    "outcome",
    "translator",
    "shell",
    "errors.ts",
    "suggest.ts",
    "check-options.ts",
    "option-parts.ts",
  ],
  summary: ["vocabulary"],
  formats: ["vocabulary", "outcome", "translator", "summary"],
  text: ["vocabulary", "translator", "formats"],
  render: ["vocabulary", "translator", "shell", "summary", "formats", "text"],
  export: ["vocabulary", "translator", "formats", "summary", "text", "recording", "node"],
  "core.ts": pure,
  process: ["vocabulary", "errors.ts", "node"],
  recording: [...pure, "process", "node"],
  redact: ["vocabulary", "translator"],
  run: [...pure, "process", "recording", "models", "redact", "node"],
  sessions: [...pure, "process", "recording", "export", "node"],
  config: [...pure, "recording", "text", "node"],
  models: [...pure, "config", "recording", "node"],
  inspect: [...pure, "process", "node"],
  testing: ["node"],
  view: [...pure, "process", "recording", "run", "sessions", "config", "models", "export", "text", "node"],
  demo: ["errors.ts", "suggest.ts", "node"],
  "index.ts": [...pure, "core.ts", "config", "inspect", "models", "run", "recording", "sessions"],
  cli: [
    "demo",
    ...pure,
    "process",
    "recording",
    "run",
    "config",
    "models",
    "inspect",
    "render",
    "text",
    "sessions",
    "export",
    "view",
    "node",
  ],
};

/** Translators, formats and shell commands are read in browsers: packages must be too. */
const packages: Record<string, readonly string[]> = {
  "check-options.ts": ["valibot"],
  "option-parts.ts": ["valibot"],
  vocabulary: ["valibot"],
  agents: ["valibot"],
  run: ["valibot"],
  sessions: ["valibot"],
  formats: ["valibot", "@valibot/to-json-schema"],
  shell: ["unbash"],
  render: ["string-width"],
  text: ["diff"],
  export: ["markdown-it"],
  config: ["valibot", "toml-eslint-parser"],
  models: ["valibot"],
  view: ["hono", "hono/body-limit", "hono/cookie", "hono/streaming", "@hono/node-server", "valibot"],
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
        expect(allowed[from] ?? [], `${file} imports ${specifier}`).toContain("node");
      else if (!specifier.startsWith("."))
        expect(packages[from] ?? [], `${file} imports ${specifier}`).toContain(specifier);
      else {
        const to = topOf(relative(source, join(source, dirname(file), specifier)).replace(/\.js$/, ".ts"));
        if (to !== from) expect(allowed[from] ?? [], `${file} imports ${specifier}`).toContain(to);
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
