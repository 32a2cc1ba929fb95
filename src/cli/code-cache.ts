/**
 * V8's compiled code of this command, kept from one start to the next: a start of `harness run` would otherwise parse and
 * compile 1.2 MB of JavaScript, which takes 40 ms of processor time on Node 20. From 22.1 on Node has a cache of its own
 * (`module.enableCompileCache`). This one saves a run 9 to 15 ms more there: it also has the functions that V8 compiles at
 * their first call. And Node's does not ask who else can write to its directory.
 *
 * What is in a cache is executed, so it is read only from a directory that nobody but the user can write to, and only if it
 * was made by this Node, with these options, from exactly this source. Anything else is compiled as usual, without a
 * word. `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off, as it does with Node's own.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { makeDirectories } from "../runs/files/make-directories.js";
import { type Environment, userDirectory } from "../runs/files/user-directory.js";
import { writeAtomically } from "../runs/files/write-atomically.js";
import { withFirstFlags } from "./v8-flags.js";

/** The files of the command. */
const folder = dirname(fileURLToPath(import.meta.url));

/** From now on, the files of the command are loaded with the cache. */
export function useCodeCache(env: Environment): void {
  // Where owners of files are not known, nobody can say whose code a cache is.
  if (process.geteuid === undefined || env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return;
  const directory = directoryFor(env);
  if (directory === undefined) return;
  const cache: Cache = { directory, isUsable: isOurs(directory), missing: [] };
  const { extensions } = createRequire(import.meta.url);
  const loadOther = extensions[".js"];
  extensions[".cjs"] = (module, path) => {
    if (dirname(path) !== folder || !load(module, path, cache)) loadOther(module, path);
  };
}

interface Cache {
  directory: string;
  /** The directory is there, and only we can write to it. */
  isUsable: boolean;
  /** What was compiled, and is not in the cache yet. */
  missing: Compiled[];
}

interface Compiled {
  name: string;
  source: Buffer;
  script: Script;
}

/** One for each installation, version of Node and set of options: V8 refuses what was made with others. */
function directoryFor(env: Environment): string | undefined {
  const made = [process.version, process.arch, ...process.execArgv, env["NODE_OPTIONS"] ?? "", folder];
  const key = createHash("sha256").update(made.join("\n")).digest("hex").slice(0, 32);
  try {
    return join(userDirectory("cache", env), "code", key);
  } catch {
    // The system does not know this user's home.
    return undefined;
  }
}

const before = Buffer.from("(function (exports, require, module, __filename, __dirname) { ");
const after = Buffer.from("\n})");

/** Does what Node does with a file of CommonJS. False if that must be left to Node. */
function load(module: NodeModule, path: string, cache: Cache): boolean {
  const source = Buffer.concat([before, readFileSync(path), after]);
  const name = `${basename(path)}.cache`;
  const cachedData = cache.isUsable ? readCode(join(cache.directory, name), source) : undefined;
  // Optional packages and modules of the user are imported. Code from a cache cannot do that before Node 22.
  if (cachedData === undefined && source.includes("import(")) return false;
  // The bundler writes nothing but ASCII, which is faster to read.
  const script = new Script(source.toString("latin1"), { filename: path, cachedData });
  if (script.cachedDataRejected !== false) keepSoon(cache, { name, source, script });
  const require = (id: string): unknown => module.require(id);
  script.runInThisContext().call(module.exports, module.exports, require, module, path, folder);
  return true;
}

const hashBytes = 32;

/**
 * The code that was kept for a source. V8 itself compares only the length of the source, and crashes if a byte of the code
 * is wrong. So both are hashed.
 */
function readCode(path: string, source: Buffer): Buffer | undefined {
  try {
    if (!isOurs(path)) return undefined;
    const kept = readFileSync(path);
    const code = kept.subarray(hashBytes);
    return hashOf(source, code).equals(kept.subarray(0, hashBytes)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(source: Buffer, code: Buffer): Buffer {
  return createHash("sha256").update(source).update(code).digest();
}

const writableByOthers = 0o022;

/** True for a file or directory of this user that nobody else can write to. Links are not followed. */
function isOurs(path: string): boolean {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return false;
    return found.uid === process.geteuid?.() && (found.mode & writableByOthers) === 0;
  } catch {
    return false;
  }
}

/** By then the agent is started and most of what a start needs is compiled, which V8 does at the first call. */
const keepAfterMs = 1000;

function keepSoon(cache: Cache, compiled: Compiled): void {
  cache.missing.push(compiled);
  if (cache.missing.length > 1) return;
  const keepNow = (): void => {
    clearTimeout(timer);
    process.off("exit", keepNow);
    withFirstFlags(() => keep(cache));
  };
  const timer = setTimeout(keepNow, keepAfterMs).unref();
  process.once("exit", keepNow);
}

/** Writes what is missing. Whatever is in the way, the next start only takes longer. */
function keep(cache: Cache): void {
  const { directory } = cache;
  const missing = cache.missing.splice(0);
  try {
    makeDirectories(directory);
    cache.isUsable = isOurs(directory);
    if (!cache.isUsable) return;
    for (const { name, source, script } of missing) {
      const code = script.createCachedData();
      writeAtomically(join(directory, name), Buffer.concat([hashOf(source, code), code]));
    }
    removeOld(directory);
  } catch {
    // No room, or a directory that cannot be written to.
  }
}

const unusedAfterMs = 30 * 24 * 60 * 60_000;

/** Removes what belongs to files that the installation no longer has, and the directories of others that were not written to for a month. */
function removeOld(directory: string): void {
  const files = new Set(readdirSync(folder).map((name) => `${name}.cache`));
  for (const name of readdirSync(directory)) if (!files.has(name)) rmSync(join(directory, name));
  const all = dirname(directory);
  for (const name of readdirSync(all)) {
    const path = join(all, name);
    const isUnused = lstatSync(path).mtimeMs < Date.now() - unusedAfterMs;
    if (path !== directory && isUnused) rmSync(path, { recursive: true });
  }
}
