import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { beforeEach, expect, it } from "vitest";
import { type CommandResult, commandPath, harness, program, temporaryDirectory } from "./harness.js";

let cache: string;
beforeEach(() => {
  cache = temporaryDirectory();
});

/** What a start needs: its own directory for the cache. */
function start(args: readonly string[], env: Record<string, string> = {}): Promise<CommandResult> {
  return harness(args, { env: { XDG_CACHE_HOME: cache, ...env } });
}

/** The directory of the one installation that was started. */
function codeDirectory(): string {
  const all = join(cache, "harness", "code");
  return join(all, String(readdirSync(all)[0]));
}

/** The kept files by name, without the hashes, with their numbers: a file that is written again has another one. */
function kept(): Record<string, number> {
  const directory = codeDirectory();
  const files = readdirSync(directory).map((name) => [
    name.replace(/-[\w-]{8}\.cjs\.cache$/, ""),
    statSync(join(directory, name)).ino,
  ]);
  return Object.fromEntries(files);
}

function pathOf(name: string): string {
  const found = readdirSync(codeDirectory()).find((file) => file.startsWith(`${name}-`));
  return join(codeDirectory(), String(found));
}

/** Code of somebody else's, which V8 cannot tell from that of the file: its source is as long. */
function plant(path: string): void {
  const file = join(dirname(commandPath), path.replace(/^.*\/|\.cache$/g, ""));
  const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, "utf8")}\n})`;
  const planted = '(function () { console.log("planted"); process.exit(0);';
  const script = new Script(`${planted}${" ".repeat(source.length - planted.length - 2)}})`);
  script.runInThisContext();
  const code = script.createCachedData();
  const hash = createHash("sha256").update(source).update(code).digest();
  writeFileSync(path, Buffer.concat([hash, code]));
}

const isPlanted = /planted/;

it("keeps the compiled code of a start, for the user alone, and uses it at the next", async () => {
  const first = await start(["--help"]);
  const before = kept();
  expect(Object.keys(before)).toContain("program");
  expect(statSync(codeDirectory()).mode & 0o777).toBe(0o700);
  expect(statSync(pathOf("program")).mode & 0o777).toBe(0o600);
  const second = await start(["--help"]);
  expect(second).toEqual(first);
  expect(kept()).toEqual(before);
});

it("a run, which changes the flags of V8, keeps code that the next run can use", async () => {
  const run = ["run", "--agent", "generic", "--binary", program(""), "-p", "x", "--no-log"];
  expect((await start(run)).exitCode).toBe(0);
  const before = kept();
  expect(Object.keys(before)).toContain("run");
  expect((await start(run)).exitCode).toBe(0);
  expect(kept()).toEqual(before);
});

it("code that is damaged is not used, and is replaced", async () => {
  const { stdout } = await start(["--help"]);
  const path = pathOf("program");
  const code = readFileSync(path);
  for (let at = 100; at < code.length; at += 1000) code.writeUInt8(code.readUInt8(at) ^ 0xff, at);
  writeFileSync(path, code);
  expect(await start(["--help"])).toEqual({ stdout, stderr: "", exitCode: 0 });
  expect(readFileSync(path).equals(code)).toBe(false);
});

it("code of another source is not used", async () => {
  const { stdout } = await start(["--help"]);
  await start(["completion", "bash"]);
  writeFileSync(pathOf("program"), readFileSync(pathOf("action")));
  expect((await start(["--help"])).stdout).toEqual(stdout);
});

it("code in a place where others can write is not used", async () => {
  await start(["--help"]);
  const path = pathOf("program");
  plant(path);
  // In a directory of the user's own it is: this is what the rest is about.
  expect(String((await start(["--help"])).stdout)).toMatch(isPlanted);
  chmodSync(codeDirectory(), 0o777);
  expect(String((await start(["--help"])).stdout)).not.toMatch(isPlanted);
  chmodSync(codeDirectory(), 0o700);
  chmodSync(path, 0o666);
  expect(String((await start(["--help"])).stdout)).not.toMatch(isPlanted);
});

it("a cache that cannot be written is done without", async () => {
  writeFileSync(join(cache, "harness"), "in the way");
  const { stderr, exitCode } = await start(["--help"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
});

it("removes code of files that the installation no longer has", async () => {
  await start(["--help"]);
  writeFileSync(join(codeDirectory(), "program-00000000.cjs.cache"), "");
  mkdirSync(join(cache, "harness", "code", "recent"));
  await start(["completion", "bash"]);
  expect(readdirSync(codeDirectory())).not.toContain("program-00000000.cjs.cache");
  expect(readdirSync(join(cache, "harness", "code"))).toContain("recent");
});

it("NODE_DISABLE_COMPILE_CACHE turns it off", async () => {
  expect((await start(["--help"], { NODE_DISABLE_COMPILE_CACHE: "1" })).exitCode).toBe(0);
  expect(readdirSync(cache)).toEqual([]);
});
