import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { HarnessError, problemOf, systemCode } from "../errors.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { digestNamedFiles, placeOf } from "./named-files.js";
import type { LoadedConfig } from "./read-config.js";
import { readSmallFile } from "./read-small-file.js";

/** What was trusted: the path of a project's file, its content, and the content of the files it names. */
const TrustRecord = v.object({
  path: v.string(),
  digest: v.string(),
  files: v.record(v.string(), v.string()),
  trustedAt: v.string(),
});
export type TrustRecord = v.InferOutput<typeof TrustRecord>;

/** `changed`: it was trusted and has changed since. `changedFiles`: the files it names that have changed. */
export type TrustState =
  | { kind: "trusted" }
  | { kind: "new" }
  | { kind: "changed"; changedFiles: readonly string[] };

/** The directory of the trust records, one file each. */
export function trustDirectory(env: Environment = process.env): string {
  return join(userDirectory("state", env), "trust");
}

/** Whether the user has trusted a project's file with exactly this content. */
export function trustStateOf(file: LoadedConfig, directory: string): TrustState {
  const known = readRecord(recordPath(placeOf(file.path), directory));
  if (known === undefined || known.path !== placeOf(file.path)) return { kind: "new" };
  if (known.digest !== file.digest) return { kind: "changed", changedFiles: [] };
  const files = digestNamedFiles(file);
  const changedFiles = [...new Set([...Object.keys(files), ...Object.keys(known.files)])].filter(
    (path) => files[path] !== known.files[path],
  );
  return changedFiles.length === 0 ? { kind: "trusted" } : { kind: "changed", changedFiles };
}

/** Describes what trusting a file covers: its content as read, and the current content of the files it names. */
export function toTrustRecord(file: LoadedConfig): TrustRecord {
  return {
    path: placeOf(file.path),
    digest: file.digest,
    files: digestNamedFiles(file),
    trustedAt: new Date().toISOString(),
  };
}

/** Records that the user trusts what they were shown. */
export function recordTrust(record: TrustRecord, directory: string): void {
  try {
    makeDirectories(directory);
    writeAtomically(recordPath(record.path, directory), `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    const message = `cannot write ${directory}: ${problemOf(error)}; nothing was trusted`;
    throw new HarnessError("trust_not_written", message, { cause: error });
  }
}

/** Revokes trust. False if there was none. The file itself may be gone. */
export function revokeTrust(path: string, directory: string): boolean {
  const record = recordPath(placeOf(path), directory);
  try {
    rmSync(record);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    const message = `cannot remove ${record}: ${problemOf(error)}; it is still trusted`;
    throw new HarnessError("trust_not_written", message, { cause: error });
  }
}

/** All trust records, sorted by path. */
export function listTrusted(directory: string): TrustRecord[] {
  return namesIn(directory)
    .flatMap((name) => readRecord(join(directory, name)) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".json"));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw new HarnessError("unreadable_config", `cannot read ${directory}: ${problemOf(error)}`, {
      cause: error,
    });
  }
}

function recordPath(path: string, directory: string): string {
  return join(directory, `${createHash("sha256").update(path).digest("hex")}.json`);
}

/** A record counts only if no other user could have written it. */
function readRecord(path: string): TrustRecord | undefined {
  try {
    const stats = lstatSync(path);
    const isOwn = process.getuid === undefined || stats.uid === process.getuid();
    const isPrivate = process.platform === "win32" || (stats.mode & 0o022) === 0;
    if (!stats.isFile() || !isOwn || !isPrivate) return undefined;
    const parsed = v.safeParse(TrustRecord, JSON.parse(readSmallFile(path)?.toString("utf8") ?? "null"));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
