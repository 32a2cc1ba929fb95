import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../events/recording-meta.js";
import { isSameProcess, ownIdentity } from "../process/process-identity.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import { readRegularFile } from "../runs/files/regular-file.js";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { isObject } from "../text/fields.js";
import { parseOwnJson } from "../text/parse-json.js";
import type { PageServer } from "./server.js";

/** What a program needs to talk with a server: the line of `harness view --json`, and the file of a server that runs. */
export interface ServerAddress {
  /** The address of the page, without the token. */
  url: string;
  /** What the paths of the HTTP API are appended to. */
  api: string;
  token: string;
  port: number;
  pid: number;
}

export function addressOf({ origin, token, port }: PageServer): ServerAddress {
  return { url: origin, api: `${origin}/api/v1`, token, port, pid: process.pid };
}

/** Where servers that run are listed: `PORT.json`. */
export function defaultServersDirectory(env: Environment = process.env): string {
  return join(userDirectory("state", env), "view");
}

/**
 * Writes the file by which other programs of the same user find this server, and removes those of servers that were killed. Only the
 * user can read it. Call the returned function when the server stops. Throws if the file cannot be written.
 */
export function announceServer(
  address: ServerAddress & { directory: string },
  directory: string = defaultServersDirectory(),
): () => void {
  makeDirectories(directory);
  for (const name of readdirSync(directory))
    if (name.endsWith(".json") && !isRunning(join(directory, name))) remove(join(directory, name));
  const path = join(directory, `${address.port}.json`);
  writeAtomically(path, `${JSON.stringify({ ...address, ...ownIdentity() })}\n`);
  // A server that was started since then may have the port.
  return () => {
    if (identityIn(path)?.pid === address.pid) remove(path);
  };
}

/** What is no file, or not ours to remove, stays. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is only out of date.
  }
}

function isRunning(path: string): boolean {
  const identity = identityIn(path);
  return identity !== undefined && isSameProcess(identity);
}

function identityIn(path: string): ProcessIdentity | undefined {
  try {
    const found = parseOwnJson(readRegularFile(path));
    if (!isObject(found)) return undefined;
    const { pid, started } = found;
    // Other numbers mean groups of processes, or all of them.
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1) return undefined;
    return { pid, ...(typeof started === "string" && { started }) };
  } catch {
    return undefined;
  }
}
