import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../errors.js";

export interface PageFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  /** True: the file's name changes with its contents. */
  isHashed: boolean;
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Where the build puts the page: `dist/page`, also when the sources run from `src`. */
export const pageDirectory = fileURLToPath(new URL("../../dist/page/", import.meta.url));

/**
 * The page's files by their address. All of them are read at the start. Requests are answered from this table alone, so no
 * address can name any other file.
 */
export function readPageFiles(directory: string = pageDirectory): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const name of namesIn(directory)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(directory, name)));
    const address = `/${name.split(sep).join("/")}`;
    files.set(address === "/index.html" ? "/" : address, {
      body,
      type,
      isHashed: address.startsWith("/assets/"),
    });
  }
  if (!files.has("/")) throw missing(directory);
  return files;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" });
  } catch (error) {
    throw missing(directory, error);
  }
}

function missing(directory: string, cause?: unknown): HarnessError {
  const message = `the page is not in ${directory}; install the package again, or build it with: node scripts/build-page.mjs`;
  return new HarnessError("no_page", message, { cause });
}
