import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load-config.js";
import { parseToml } from "../../src/config/toml-document.js";
import { readCachedRegistry } from "../../src/models/cached-registry.js";
import { temporaryDirectory } from "../cli/harness.js";

/** What takes the place of a file, and the message about it. */
const places: [string, (path: string) => void | Promise<void>, RegExp][] = [
  ["a pipe", (path) => void execFileSync("mkfifo", [path]), /it is a pipe, a device or a socket, not a file/],
  ["a device without end", (path) => symlinkSync("/dev/zero", path), /it is a pipe, a device or a socket/],
  ["a terminal", (path) => symlinkSync("/dev/tty", path), /it is a pipe, a device or a socket/],
  [
    "a socket",
    (path) =>
      new Promise<void>((resolve) => {
        const server = createServer().listen(path, () => resolve());
        server.unref();
      }),
    /it is a pipe, a device or a socket/,
  ],
  ["a directory", (path) => void mkdirSync(path), /it is a directory, not a file/],
  [
    "a large file",
    (path) => writeFileSync(path, `#${" ".repeat(9 * 1024 * 1024)}`),
    /it is larger than the limit of \d MB; make it smaller/,
  ],
];

describe.each(places)("%s", (_title, make, message) => {
  const env = { XDG_CONFIG_HOME: "/nowhere", XDG_STATE_HOME: "/nowhere" };

  it("in place of harness.toml is a clear error at once", async () => {
    const cwd = temporaryDirectory();
    await make(join(cwd, "harness.toml"));
    expect(() => loadConfig({ cwd, env })).toThrow(message);
  });

  it("in place of the user's file is a clear error too", async () => {
    const home = temporaryDirectory();
    mkdirSync(join(home, "harness"));
    await make(join(home, "harness", "config.toml"));
    expect(() => loadConfig({ cwd: temporaryDirectory(), env: { XDG_CONFIG_HOME: home } })).toThrow(message);
  });

  it("in place of the fetched registry is a clear error too", async () => {
    const path = join(temporaryDirectory(), "models.toml");
    await make(path);
    expect(() => readCachedRegistry(path)).toThrow(message);
  });
});

describe("a text that would overflow the parser's stack or take too long", () => {
  const many = (count: number, line: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => line(n)).join("\n");

  it.each([
    ["arrays in each other", `a = ${"[".repeat(400_000)}`, /nested more than 32 deep/],
    ["arrays that end", `a = ${"[".repeat(5000)}${"]".repeat(5000)}`, /nested more than 32 deep/],
    ["tables in each other", `a = ${"{a=".repeat(200_000)}`, /nested more than 32 deep/],
    ["a key of many parts", `a${".a".repeat(400_000)} = 1`, /more than 32 parts/],
    ["a key of many quoted parts", `"a"${' . "a"'.repeat(100_000)} = 1`, /more than 32 parts/],
    ["a table of many parts", `[a${".a".repeat(400_000)}]`, /more than 32 parts/],
    ["a long list", `a = [${"1,".repeat(400_000)}]`, /more than 20000 lines/],
    ["many keys", many(100_000, (n) => `k${n}=1`), /more than 20000 lines/],
    ["many tables", many(60_000, (n) => `[a.k${n}]`), /more than 20000 lines/],
    ["many empty lines", "\n".repeat(1_000_000), /more than 20000 lines/],
    ["a long string", `a = "${"x".repeat(1_000_000)}"`, /a value is too long/],
    ["a long number", `a = ${"9".repeat(1_000_000)}`, /a value is too long/],
  ])("%s", (_title, text, message) => {
    expect(() => parseToml(text)).toThrow(message);
  });

  it("is reported with its position; brackets in strings and comments do not count", () => {
    expect(() => parseToml(`a = 1\nb = """\n[[[["\n"""\nc = ${"[".repeat(40)}`)).toThrow(
      expect.objectContaining({ line: 5, column: 37 }),
    );
    const brackets = "[".repeat(100);
    const text = `a = "${brackets}\\"${brackets}" # ${brackets}\nb = '${brackets}'\nc = '''\n'${brackets}'''\nd = [[[1.5]]]\n`;
    expect(parseToml(text).values).toMatchObject({ b: brackets, d: [[[1.5]]] });
  });
});

it("a text that ends in the middle of an escape is scanned in linear time", () => {
  const text = `"""\n${'\\"""\n'.repeat(18_000)}${"a".repeat(800_000)}\\`;
  expect(() => parseToml(text)).toThrow();
});
