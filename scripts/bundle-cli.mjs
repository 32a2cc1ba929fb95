/**
 * Bundles the command into a few files: `harness --version` must not load two hundred modules. What a command
 * does not use stays in files of its own, loaded when it is needed. The library stays unbundled.
 *
 * The bundle is CommonJS: Node's loader of ES modules takes 10 ms to start and reads what nobody asked for.
 */
import { chmod, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The folders behind `harness run --format ndjson`, without what it does once a day, and the parser of shell commands. */
const ofEveryRun =
  /dist\/(?:cli\/(?:run|print\/(?:printer|quiet)|actions\/run|(?!main|version)[\w-]+\.js)|agents|formats|models\/(?!fetch|update)|outcome|process|recording|redact|run|shell|translator|vocabulary|errors|suggest)|node_modules\/unbash/;

const bundle = await rolldown({
  input: { main: `${dist}cli/main.js`, "demo-player": `${dist}cli/demo/play.js` },
  platform: "node",
  external: [/^node:/],
  // A module that one command needs at once and another one later is told of, and is fine.
  checks: { ineffectiveDynamicImport: false },
});
await bundle.write({
  dir: `${dist}bundled-cli`,
  format: "cjs",
  // All of it is read at every start, so it is short; the names of functions stay, for traces.
  minify: { compress: false, mangle: { keepNames: true }, codegen: true },
  // One file for what every run loads: thirty small ones take longer to find than to read.
  codeSplitting: {
    groups: [
      { name: "version", test: /cli\/package-files/, priority: 2 },
      { name: "run", test: ofEveryRun },
    ],
  },
  entryFileNames: "[name].cjs",
  // Beside the entry, since modules find the package's other files from where they are.
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();
await rm(`${dist}cli`, { recursive: true });
await rename(`${dist}bundled-cli`, `${dist}cli`);
await chmod(`${dist}cli/main.cjs`, 0o755);
