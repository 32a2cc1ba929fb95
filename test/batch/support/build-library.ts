import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Bundles the library as it is now, for programs that are run in processes of their own. */
export async function buildLibrary(): Promise<{ path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "library-"));
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  const bundle = await rolldown({
    input: join(root, "src/index.ts"),
    platform: "node",
    external: [/^node:/],
    logLevel: "silent",
  });
  await bundle.write({ dir: join(folder, "dist/library"), format: "esm", entryFileNames: "index.mjs" });
  await bundle.close();
  return {
    path: join(folder, "dist/library/index.mjs"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
