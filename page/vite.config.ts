import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { charts } from "../src/outputs/html/style/charts.js";
import { colours } from "../src/outputs/html/style/colours.js";
import { values } from "../src/outputs/html/style/values.js";

/** The colours, the charts and the contents of entries look the same here as in an exported run. */
function exportStyle(): Plugin {
  const id = "virtual:export.css";
  return {
    name: "export-style",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? colours + charts + values : undefined),
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [exportStyle()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    target: "es2022",
    // Everything is a file of its own: the policy of the page allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
  },
});
