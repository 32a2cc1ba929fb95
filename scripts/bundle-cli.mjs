/**
 * Bundles the command into a few files: `harness --version` must not load two hundred modules. What a command
 * does not use stays in files of its own, loaded when it is needed. The library stays unbundled.
 */
import { chmod, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/** The folders behind `harness run --format ndjson`, and the parser of shell commands. */
const ofEveryRun =
  /dist\/(?:cli\/(?:run|print\/(?:printer|quiet)|actions\/run|(?!main|version)[\w-]+\.js)|agents|formats|models|outcome|process|recording|redact|run|shell|translator|vocabulary|errors|suggest)|node_modules\/unbash/;

const bundle = await rolldown({
  input: { main: `${dist}cli/main.js` },
  platform: "node",
  external: [/^node:/],
});
await bundle.write({
  dir: `${dist}bundled-cli`,
  format: "esm",
  // Without comments and white space, which are read at every start; names stay, for traces.
  minify: { compress: false, mangle: false, codegen: true },
  // One file for what every run loads: thirty small ones take longer to find than to read.
  codeSplitting: {
    groups: [
      { name: "version", test: /cli\/version/, priority: 2 },
      { name: "run", test: ofEveryRun },
    ],
  },
  entryFileNames: "[name].js",
  // Beside the entry, since modules find the package's other files from where they are.
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();
await rm(`${dist}cli`, { recursive: true });
await rename(`${dist}bundled-cli`, `${dist}cli`);
await chmod(`${dist}cli/main.js`, 0o755);
