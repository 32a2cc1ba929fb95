import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * Gives each test file its own temporary directory, which is removed at the end. The name is short, because the paths of
 * sockets in it must be short.
 */
const directory = mkdtempSync(join(tmpdir(), "h-"));
const shared = process.env["TMPDIR"];
process.env["TMPDIR"] = directory;

afterAll(() => {
  if (shared === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = shared;
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
