/**
 * Bundles the command into a few files: `harness --version` must not load two hundred modules. What only some
 * commands need stays in files of its own, which are loaded when they are needed. The library stays unbundled.
 *
 * The bundle is CommonJS: Node's loader of ES modules takes 10 ms longer to start.
 */
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { lazyUnicode } from "./lazy-unicode.mjs";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

/**
 * One file for each step of a start, since finding thirty small files takes longer than reading them. A file holds
 * the module that is named here and all that it imports statically, unless an earlier step has it already. What is
 * imported dynamically is left to the files of its own.
 */
const steps = [
  { name: "start", module: "cli/main.js" },
  { name: "code-cache", module: "cli/code-cache.js" },
  { name: "program", module: "cli/program.js" },
  { name: "run", module: "cli/run/action.js" },
];

const common = {
  platform: "node",
  // Optional peers: whoever uses a queue, sends spans or serves tools installs them.
  external: [/^node:/, "bullmq", "ioredis", /^@opentelemetry\//, /^@modelcontextprotocol\/server/],
  // Some modules are imported statically by one command and dynamically by another. That is intended.
  checks: { ineffectiveDynamicImport: false },
  plugins: [lazyUnicode()],
};
const written = {
  dir: `${dist}bundled-cli`,
  format: "cjs",
  // Short, since it is read at every start. The names of functions stay, for stack traces.
  minify: { compress: false, mangle: { keepNames: true }, codegen: true },
  entryFileNames: "[name].cjs",
};

const bundle = await rolldown({
  ...common,
  input: { main: `${dist}cli/main.js`, "demo-player": `${dist}cli/demo/play.js` },
});
const command = await bundle.write({
  ...written,
  codeSplitting: {
    groups: steps.map(({ name, module }, index) => ({
      name,
      test: (id) => id === `${dist}${module}`,
      includeDependenciesRecursively: true,
      priority: steps.length - index,
    })),
  },
  // Beside the entry, so that modules find the package's other files (src/cli/package-files.ts).
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();

/** Worker threads share no file with the command: loading one would load the command with it, which begins at once. */
const workers = await rolldown({
  ...common,
  input: {
    "translate-worker": `${dist}cli/translate/worker.js`,
    "export-worker": `${dist}cli/sessions/export-worker.js`,
  },
});
const threads = await workers.write({ ...written, chunkFileNames: "worker-[name]-[hash].cjs" });
await workers.close();

for (const { fileName } of [...command.output, ...threads.output])
  await escapeCharacters(`${dist}bundled-cli/${fileName}`);
await rm(`${dist}cli`, { recursive: true });
await rename(`${dist}bundled-cli`, `${dist}cli`);
await chmod(`${dist}cli/main.cjs`, 0o755);

/**
 * Writes characters beyond ASCII as escapes. A source with a single one of them takes V8 twice the memory and several
 * times as long to read: 2 ms at every start. src/cli/code-cache.ts relies on it.
 */
async function escapeCharacters(path) {
  const code = await readFile(path, "utf8");
  // Between these, an escape would not be read as one.
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(code)) throw new Error(`${path}: String.raw with more than ASCII`);
  await writeFile(
    path,
    code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}
