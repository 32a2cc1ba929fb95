import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pages = [
  "README.md",
  ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).flatMap((name) =>
    /\.md$/.test(name) ? [`docs/${name}`] : [],
  ),
];

/**
 * As a stranger's strict project would, with no help for bad types: what is built is what is installed. A sample stands
 * on its own, so that it can be copied.
 */
it("every TypeScript sample of the documents compiles against the package", () => {
  const project = mkdtempSync(join(tmpdir(), "samples-"));
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(project, "node_modules/harness-stream"));
  symlinkSync(join(root, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const samples = pages.flatMap((page) => samplesOf(page));
  for (const { name, text } of samples) writeFileSync(join(project, name), text);
  const flags = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", "node"];
  const { status, stdout } = spawnSync(
    join(root, "node_modules/.bin/tsc"),
    [...flags, ...samples.map(({ name }) => name)],
    { cwd: project, encoding: "utf8" },
  );
  expect(stdout).toBe("");
  expect(status).toBe(0);
  expect(samples.length).toBeGreaterThan(4);
});

function samplesOf(page: string): { name: string; text: string }[] {
  const text = readFileSync(join(root, page), "utf8");
  const name = page.replaceAll(/[/.]/g, "-");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample = ""], index) => ({
    name: `${name}-${index + 1}.ts`,
    // A module, also where nothing is imported.
    text: `${sample}\nexport {};\n`,
  }));
}
