import { createHash } from "node:crypto";
import { lstatSync, readdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as v from "valibot";
import { HarnessError, problemOf, systemCode } from "../errors.js";
import { makeDirectories } from "../runs/files/make-directories.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { digestNamedFiles, placeOf } from "./named-files.js";
import type { LoadedConfig } from "./read-config.js";
import { readSmallFile } from "./read-small-file.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** What was trusted: a project's file at its place, with its content and that of the files it names. */
const TrustRecord = v.object({
  path: v.string(),
  digest: v.string(),
  files: v.record(v.string(), v.string()),
  trustedAt: v.string(),
});
export type TrustRecord = v.InferOutput<typeof TrustRecord>;

/** `changed`: it was trusted, and is not what it was. `changedFiles`: those that it names and that changed. */
export type TrustState =
  | { kind: "trusted" }
  | { kind: "new" }
  | { kind: "changed"; changedFiles: readonly string[] };

/** Where trust is kept: one file for each that is trusted. By the XDG rules a relative path there is ignored. */
export function trustDirectory(env: Environment = process.env): string {
  const state = env["XDG_STATE_HOME"];
  const base =
    state !== undefined && isAbsolute(state) ? state : join(env["HOME"] || homedir(), ".local", "state");
  return join(base, "harness", "trust");
}

/** Whether a project's file, as it was read, is one that the user has trusted. */
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

/** What trusting a file means: the file as it was read, and the files that it names as they are now. */
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

/** Takes trust back. False when there was none. The file itself may be gone. */
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

/** Everything that is trusted, by path. */
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

/** A record counts only when nobody else could have written it. */
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
