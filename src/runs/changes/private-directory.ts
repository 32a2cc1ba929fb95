import { mkdtempSync, realpathSync, statSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSameProcess, ownIdentity } from "../../process/process-identity.js";
import { isObject } from "../../text/fields.js";
import { parseOwnJson } from "../../text/parse-json.js";
import { makeDirectories } from "../files/make-directories.js";
import { type Environment, userDirectory } from "../files/user-directory.js";
import { contains } from "./find-workspace.js";
import { badWorkspace } from "./git.js";

/** A directory of one run, which only this user can read. */
export interface PrivateDirectory {
  path: string;
  /** Says that it is still needed. */
  touch(): Promise<void>;
  /** Never rejects. */
  remove(): Promise<void>;
}

const ownerName = "owner.json";
/** A process of another container may use it: it has another number here, or none. So only what nobody has touched for so long is removed. */
const leftMs = 60 * 60_000;

/**
 * Not in the temporary directory: agents in a sandbox may write there, and git would carry out what they put into a configuration.
 */
export function privateDirectories(env: Environment = process.env): string {
  return join(userDirectory("data", env), "changes");
}

/** Throws if it would be in the workspace: an agent in a sandbox may write there, too. */
export async function createPrivateDirectory(workspace: string): Promise<PrivateDirectory> {
  const parent = privateDirectories();
  makeDirectories(parent);
  if (contains(realpathSync(workspace), realpathSync(parent)))
    throw badWorkspace(
      `the workspace contains ${parent}, where an agent must not write; set XDG_DATA_HOME to a directory outside of it`,
    );
  const path = mkdtempSync(join(parent, `${process.pid}-`));
  const owner = join(path, ownerName);
  const touch = (): Promise<void> => writeFile(owner, JSON.stringify(ownIdentity()), { mode: 0o600 });
  await touch();
  const sweeping = sweep(parent);
  return {
    path,
    touch: () => touch().catch(() => {}),
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
      await sweeping;
    },
  };
}

/** Removes what killed processes have left. */
async function sweep(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const path = join(parent, name);
    if (/^\d+-/.test(name) && (await isLeft(path)))
      await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function isLeft(path: string): Promise<boolean> {
  const owner = join(path, ownerName);
  const touched = (statSync(owner, { throwIfNoEntry: false }) ?? statSync(path, { throwIfNoEntry: false }))
    ?.mtimeMs;
  if (touched === undefined || Date.now() - touched < leftMs) return false;
  const identity = parseOwnJson(await readFile(owner, "utf8").catch(() => ""));
  if (!isObject(identity) || typeof identity["pid"] !== "number") return true;
  const { pid, started } = identity;
  return !isSameProcess({ pid, ...(typeof started === "string" && { started }) });
}
