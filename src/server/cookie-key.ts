import { createHmac, randomBytes } from "node:crypto";
import { chmodSync, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeDirectories } from "../runs/files/make-directories.js";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";
import { writeAtomically } from "../runs/files/write-atomically.js";

/** Where the key that signs cookies is kept, so that open pages survive a restart of the server. */
export function defaultKeyPath(env: Environment = process.env): string {
  return join(userDirectory("state", env), "view-key");
}

/** The user's key. A new one is made if there is none that only the user can read. If it cannot be saved, it is valid until the server stops. */
export function readCookieKey(path: string): string {
  const known = readKey(path);
  if (known !== undefined) return known;
  const key = randomBytes(32).toString("hex");
  try {
    makeDirectories(dirname(path));
    writeAtomically(path, key);
    chmodSync(path, 0o600);
  } catch {
    // After a restart, pages have to be opened with a new address.
  }
  return key;
}

function readKey(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    const isPrivate = process.platform === "win32" || (stat.mode & 0o077) === 0;
    const isOwn = process.getuid === undefined || stat.uid === process.getuid();
    if (!stat.isFile() || !isPrivate || !isOwn) return undefined;
    const key = readFileSync(path, "utf8").trim();
    return /^[0-9a-f]{64}$/.test(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

const lifetimeMs = 30 * 24 * 3600 * 1000;

/** A cookie that is valid for a month, for any server of the same user on the same port. */
export function signCookie(key: string, port: number, now = Date.now()): string {
  const until = String(now + lifetimeMs);
  return `${until}.${signature(key, port, until)}`;
}

export function isSigned(cookie: string | undefined, key: string, port: number, now = Date.now()): boolean {
  const [until = "", signed = ""] = (cookie ?? "").split(".");
  return isSameText(signed, signature(key, port, until)) && Number(until) > now;
}

function signature(key: string, port: number, until: string): string {
  return createHmac("sha256", key).update(`${port} ${until}`).digest("hex");
}

/** Takes the same time wherever the texts differ, so that timing reveals nothing. */
export function isSameText(a: string, b: string): boolean {
  const key = randomBytes(16);
  const digest = (text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return digest(a).equals(digest(b));
}
