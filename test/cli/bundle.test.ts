import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { commandPath, homeEnvironment, program, temporaryDirectory } from "./harness.js";

/** The files of the command that a start loads, without the hashes in their names. */
function loadedBy(args: readonly string[]): string[] {
  const directory = temporaryDirectory();
  const report = join(directory, "loaded.json");
  const tracer = join(directory, "tracer.cjs");
  writeFileSync(
    tracer,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(report)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  execFileSync(process.execPath, ["--require", tracer, commandPath, ...args], {
    cwd: directory,
    env: { ...process.env, ...homeEnvironment() },
  });
  const files: string[] = JSON.parse(readFileSync(report, "utf8"));
  return files
    .filter((file) => file !== tracer)
    .map((file) => basename(file, ".cjs").replace(/-[\w-]{8}$/, ""))
    .sort();
}

it("a start loads few files: those that it needs", () => {
  const task = ["--agent", "generic", "--binary", program(""), "-p", "x", "--format", "ndjson", "--no-log"];
  expect(loadedBy(["--version"])).toEqual(["main"]);
  expect(loadedBy(["--help"])).toEqual(["code-cache", "main", "program", "rolldown-runtime"]);
  expect(loadedBy(["run", ...task])).toEqual(["code-cache", "main", "program", "rolldown-runtime", "run"]);
});

it("its files are fast to read: ASCII, and no table of Unicode is made before it is used", () => {
  const folder = dirname(commandPath);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".cjs"))) {
    const code = readFileSync(join(folder, file), "utf8");
    expect(code, file).toMatch(/^[\0-\x7f]*$/);
    expect(code, file).not.toMatch(/\\p\{RGI_Emoji\}[^`]*\/v/);
    expect(code, file).not.toMatch(/(?<!\?\?=)new Intl\.Segmenter/);
  }
});
