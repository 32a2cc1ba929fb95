import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/**
 * Whatever a test file and its programs leave in the temporary directory is gone when it ends. The name is short: sockets
 * are made in there, whose paths may not be long.
 */
const directory = mkdtempSync(join(tmpdir(), "h-"));
const shared = process.env["TMPDIR"];
process.env["TMPDIR"] = directory;

afterAll(() => {
  if (shared === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = shared;
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
