/** Empties `dist`: modules that were moved or removed must not stay in it, nor get into the package. */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

rmSync(fileURLToPath(new URL("../dist/", import.meta.url)), { recursive: true, force: true });
