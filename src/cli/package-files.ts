import { readFileSync } from "node:fs";

/**
 * Where a file of the package is. This module must stay in this folder: the command is bundled into files of
 * `dist/cli`, which are as deep in the package as this one.
 */
export function packageFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}

/** The package's version. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile("package.json"), "utf8"));
  return String(version);
}
