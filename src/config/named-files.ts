import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { LoadedConfig } from "./read-config.js";
import type { AgentSettings } from "./schema.js";

/** Digests by absolute path. */
export type FileDigests = Readonly<Record<string, string>>;

/**
 * Digests of the files that would be executed because a configuration names them: every `module`, a `binary` that is a
 * relative path or a path inside the file's directory, and words of `extra_args` and `env` that are files in it. Files
 * that those load in turn are not covered.
 */
export function digestNamedFiles(file: LoadedConfig): FileDigests {
  const folder = dirname(placeOf(file.path));
  const paths = Object.values(file.values.agents ?? {}).flatMap((settings) => namedIn(settings, folder));
  return Object.fromEntries([...new Set(paths)].sort().map((path) => [path, digestOf(path)]));
}

/**
 * The path of a file, with the symbolic links of its parent directories resolved. A link at the file itself is not
 * followed: a project could link to another project's trusted file and bring its own modules.
 */
export function placeOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function namedIn(settings: AgentSettings, folder: string): string[] {
  const { module, binary, extra_args = [], env = {} } = settings;
  const words = [...extra_args, ...Object.values(env)].flatMap((text) => [text, ...text.split(/[\s=:,;]+/)]);
  const scripts = words.map((word) => resolve(folder, word));
  return [
    ...(module === undefined ? [] : [resolve(folder, module)]),
    ...(binary !== undefined && isPath(binary) && isOfProject(binary, folder)
      ? [resolve(folder, binary)]
      : []),
    ...scripts.filter((path) => isWithin(path, folder) && isFile(path)),
  ];
}

/** True for a path, false for a name to look up on PATH. */
export function isPath(binary: string): boolean {
  return /[/\\]/.test(binary);
}

function isOfProject(binary: string, folder: string): boolean {
  return !isAbsolute(binary) || isWithin(binary, folder);
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A larger file is not compared. It counts as changed every time. */
const maxBytes = 512 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

function digestOf(path: string): string {
  if (!isFile(path)) return "not a file";
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const { size } = fstatSync(descriptor);
    if (size > maxBytes) return `too large, ${Date.now()}`;
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size + 1));
    for (let bytes = read(descriptor, chunk); bytes > 0; bytes = read(descriptor, chunk))
      hash.update(chunk.subarray(0, bytes));
    return hash.digest("hex");
  } catch {
    return "not readable";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function read(descriptor: number, chunk: Buffer): number {
  return readSync(descriptor, chunk, 0, chunk.length, null);
}
