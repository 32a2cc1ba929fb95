/** Builds the page of `harness view` into dist/page. */
import { fileURLToPath } from "node:url";
import { build } from "vite";

const configFile = fileURLToPath(new URL("../page/vite.config.ts", import.meta.url));
await build({ configFile, logLevel: process.argv.includes("--quiet") ? "error" : "info" });
