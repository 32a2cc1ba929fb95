/** Builds the page of `harness view` into dist/page or a given directory: [DIRECTORY] [--quiet]. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const configFile = fileURLToPath(new URL("../page/vite.config.ts", import.meta.url));
const [directory] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
await build({
  configFile,
  logLevel: process.argv.includes("--quiet") ? "error" : "info",
  ...(directory !== undefined && { build: { outDir: resolve(directory) } }),
});
