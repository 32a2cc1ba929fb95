/**
 * Bundles the command into a few files: `harness --version` must not load two hundred modules. What a command
 * does not use stays in files of its own, loaded when it is needed. The library stays unbundled.
 */
import { chmod, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const bundle = await rolldown({
  input: { main: `${dist}cli/main.js` },
  platform: "node",
  external: [/^node:/],
});
await bundle.write({
  dir: `${dist}bundled-cli`,
  format: "esm",
  entryFileNames: "[name].js",
  // Beside the entry, since modules find the package's other files from where they are.
  chunkFileNames: "[name]-[hash].js",
});
await bundle.close();
await rm(`${dist}cli`, { recursive: true });
await rename(`${dist}bundled-cli`, `${dist}cli`);
await chmod(`${dist}cli/main.js`, 0o755);
