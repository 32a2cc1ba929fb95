import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { resolveSources } from "../../../src/batch/workspace/sources.js";
import {
  asOrdinaryUser,
  commitAll,
  contentOf,
  makeDirectory,
  makePlaces,
  makeRepository,
  open,
  planOf,
  reopen,
  resolveOne,
  userGit,
  writeFiles,
} from "./places.js";

describe("a repository as a source", () => {
  it("is the commit that the ref means now", async () => {
    const repository = makeRepository();
    const first = userGit(repository, "rev-parse", "HEAD");
    userGit(repository, "tag", "-a", "v1", "-m", "v1");
    const second = commitAll(repository, "second");
    const commitOf = async (ref?: string): Promise<unknown> =>
      (await resolveOne(ref === undefined ? { git: repository } : { git: repository, ref })).source;
    const source = { kind: "git", repository };
    expect(await commitOf()).toEqual({ ...source, commit: second });
    expect(await commitOf("main")).toEqual({ ...source, commit: second });
    expect(await commitOf("v1")).toEqual({ ...source, commit: first });
    expect(await commitOf(first.slice(0, 10))).toEqual({ ...source, commit: first });
  });

  it("warns of changed files that are left out, and leaves the index alone", async () => {
    const repository = makeRepository();
    writeFiles(repository, { "a.txt": "changed\n", "new.txt": "new\n" });
    const index = statSync(join(repository, ".git", "index")).mtimeMs;
    const { warnings } = await resolveOne({ git: repository });
    expect(warnings).toEqual([expect.stringMatching(/2 changed files are not in the workspaces/)]);
    expect(statSync(join(repository, ".git", "index")).mtimeMs).toBe(index);
    commitAll(repository, "second");
    writeFiles(repository, { "a.txt": "again\n" });
    expect((await resolveOne({ git: repository })).warnings.join()).toMatch(/1 changed file is not/);
    // They do not belong to another commit anyway.
    expect((await resolveOne({ git: repository, ref: "HEAD~1" })).warnings).toEqual([]);
  });

  it("warns once, however many tasks have the same repository", async () => {
    const repository = makeRepository();
    writeFiles(repository, { "a.txt": "changed\n" });
    const { sources, warnings } = await resolveSources(
      planOf({ git: repository }, { git: repository }, { empty: true }),
      makePlaces(),
    );
    expect(warnings).toHaveLength(1);
    expect(Object.keys(sources)).toEqual(["task1", "task2", "task3"]);
    expect(sources["task3"]).toEqual({ kind: "empty" });
  });

  it("warns if files of Git LFS would only be pointers", async () => {
    const repository = makeRepository({
      ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
      "x.bin": "version https\n",
    });
    const home = process.env["HOME"];
    process.env["HOME"] = makeDirectory();
    try {
      expect((await resolveOne({ git: repository })).warnings.join()).toContain("Git LFS");
    } finally {
      process.env["HOME"] = home;
    }
  });

  it.each<[string, () => { git: string; ref?: string }, RegExp]>([
    ["is missing", () => ({ git: "/nonexistent/cart" }), /task1: \/nonexistent\/cart .*no such file/],
    ["is a file", () => ({ git: fileURLToPath(import.meta.url) }), /is a file/],
    ["is not a repository", () => ({ git: makeDirectory() }), /is not a git repository; run `git init`/],
    ["has no commit", () => ({ git: emptyRepository() }), /has no commit yet/],
    ["does not have the ref", () => ({ git: makeRepository(), ref: "no-such" }), /has no commit "no-such"/],
    [
      "has a ref that looks like an option",
      () => ({ git: makeRepository(), ref: "--all" }),
      /has no commit "--all"/,
    ],
    [
      "has a ref that is a file",
      () => ({ git: makeRepository(), ref: "HEAD:a.txt" }),
      /has no commit "HEAD:a.txt"/,
    ],
    [
      "is the inside of a repository",
      () => ({ git: join(makeRepository(), ".git") }),
      /inside of a .git directory/,
    ],
    [
      "is a directory that is not committed",
      () => ({ git: uncommittedDirectory() }),
      /has no directory new; commit it/,
    ],
  ])("is refused if it %s", async (_, make, message) => {
    const places = makePlaces();
    const refused = resolveOne(make(), places);
    await expect(refused).rejects.toMatchObject({ name: "HarnessError", code: "bad_workspace" });
    await expect(refused).rejects.toThrow(message);
  });
});

function emptyRepository(): string {
  const directory = makeDirectory();
  userGit(directory, "init", "-q");
  return directory;
}

function uncommittedDirectory(): string {
  const repository = makeRepository();
  mkdirSync(join(repository, "new"));
  return join(repository, "new");
}

describe("a directory as a source", () => {
  it("is copied as it was: contents, permissions, links, odd names", async () => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n", "bin/run": "#!/bin/sh\n", "deep/er/x": "x", "line\nbreak": "l" });
    mkdirSync(join(from, "empty"));
    chmodSync(join(from, "bin/run"), 0o4755);
    chmodSync(join(from, "deep/er"), 0o500);
    symlinkSync("a.txt", join(from, "link"));
    symlinkSync("nowhere", join(from, "broken"));
    writeFileSync(Buffer.concat([Buffer.from(`${from}/`), Buffer.from([0x66, 0xff])]), "not UTF-8");
    const places = makePlaces();
    const { source, warnings } = await resolveOne({ copy: from }, places);
    expect(warnings).toEqual([]);
    writeFiles(from, { "a.txt": "changed later\n" });
    const { directory, close, place } = await reopen(source, places);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("a\n");
    expect(statSync(join(directory, "bin/run")).mode & 0o7777).toBe(0o755);
    expect(statSync(join(directory, "deep/er")).mode & 0o777).toBe(0o500);
    expect(readdirSync(join(directory, "empty"))).toEqual([]);
    expect(readlinkSync(join(directory, "link"))).toBe("a.txt");
    expect(readlinkSync(join(directory, "broken"))).toBe("nowhere");
    expect(
      readFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0x66, 0xff])]), "utf8"),
    ).toBe("not UTF-8");
    await close();
    expect(existsSync(place)).toBe(false);
  });

  it("has a hash of its content, and of nothing else", async () => {
    const make = (change: (directory: string) => void): Promise<string> => {
      const from = makeDirectory();
      writeFiles(from, { "a.txt": "a\n", "b.txt": "b\n" });
      symlinkSync("a.txt", join(from, "link"));
      change(from);
      return hashOf(from);
    };
    const plain = await make(() => {});
    expect(await make((at) => utimesSync(join(at, "a.txt"), 1, 1))).toBe(plain);
    const others = await Promise.all([
      make((at) => writeFileSync(join(at, "a.txt"), "A\n")),
      make((at) => chmodSync(join(at, "a.txt"), 0o755)),
      make((at) => rmSync(join(at, "a.txt"))),
      make((at) => mkdirSync(join(at, "c"))),
      make((at) => {
        rmSync(join(at, "link"));
        symlinkSync("b.txt", join(at, "link"));
      }),
      make((at) => {
        rmSync(join(at, "link"));
        writeFileSync(join(at, "link"), "a.txt");
      }),
    ]);
    expect(new Set([plain, ...others]).size).toBe(others.length + 1);
  });

  it("is stored once for tasks with the same content", async () => {
    const [one, other] = [makeDirectory(), makeDirectory()];
    for (const from of [one, other]) writeFiles(from, { "a.txt": "a\n" });
    const places = makePlaces();
    await resolveSources(planOf({ copy: one }, { copy: other }), places);
    expect(readdirSync(places.sources)).toHaveLength(1);
  });

  it("does not contain the batches that are in it", async () => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n", "batches/old/batch.jsonl": "{}\n" });
    const inner = makePlaces(join(from, "batches", "new"));
    const first = await resolveOne({ copy: from }, inner);
    expect(contentOf((await reopen(first.source, inner)).directory)).toEqual({
      "a.txt": Buffer.from("a\n").toString("base64"),
    });
    // Another batch later begins with the same content.
    const second = await resolveOne({ copy: from }, makePlaces(join(from, "batches", "next")));
    expect(second.source).toEqual(first.source);
    const beside = await resolveOne({ copy: from }, makePlaces(join(from, "direct")));
    expect(beside.source).not.toEqual(first.source);
  });

  it("leaves out sockets and pipes with a warning, and warns of links that lead outside", async () => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n" });
    execFileSync("mkfifo", [join(from, "pipe")]);
    const server = createServer().listen(join(from, "s"));
    await new Promise((resolve) => server.once("listening", resolve));
    symlinkSync("/etc", join(from, "etc"));
    symlinkSync("sub/../../x", join(from, "up"));
    const { source, warnings } = await resolveOne({ copy: from });
    server.close();
    expect(source.kind).toBe("copy");
    expect(warnings).toEqual([
      expect.stringMatching(/and 1 more not copied: sockets, pipes and devices/),
      expect.stringMatching(/2 links lead outside of the copy/),
    ]);
  });

  it.each<[string, () => string, RegExp]>([
    ["missing", () => "/nonexistent/dir", /\/nonexistent\/dir cannot be copied: there is no such file/],
    ["a file", () => fileURLToPath(import.meta.url), /it is a file; name a directory/],
    ["a linked worktree", linkedWorktree, /use \{ git = … \}/],
  ])("is refused if it is %s", async (_, make, message) => {
    const refused = resolveOne({ copy: make() });
    await expect(refused).rejects.toMatchObject({ code: "bad_workspace" });
    await expect(refused).rejects.toThrow(message);
  });

  it("is refused with the name of what cannot be read, and nothing is left of it", async () => {
    await asOrdinaryUser(async () => {
      const from = makeDirectory();
      writeFiles(from, { "ok.txt": "", "private/key": "k" });
      const places = makePlaces();
      chmodSync(join(from, "private", "key"), 0o000);
      await expect(resolveOne({ copy: from }, places)).rejects.toThrow(
        `task1: ${join(from, "private", "key")} cannot be copied: permission denied`,
      );
      chmodSync(join(from, "private"), 0o000);
      await expect(resolveOne({ copy: from }, places)).rejects.toThrow(
        `task1: ${join(from, "private")} cannot be copied: permission denied`,
      );
      chmodSync(join(from, "private"), 0o700);
      expect(readdirSync(places.sources)).toEqual([]);
    });
  });

  it("may have directories that nobody can write to", async () => {
    await asOrdinaryUser(async () => {
      const from = makeDirectory();
      writeFiles(from, { "locked/deep/file": "f" });
      chmodSync(join(from, "locked", "deep"), 0o500);
      chmodSync(join(from, "locked"), 0o500);
      const places = makePlaces();
      const { directory, close } = await open({ copy: from }, places);
      expect(readFileSync(join(directory, "locked/deep/file"), "utf8")).toBe("f");
      await close();
      expect(readdirSync(places.work)).toEqual([]);
      chmodSync(join(from, "locked"), 0o700);
      chmodSync(join(from, "locked", "deep"), 0o700);
    });
  });
});

async function hashOf(from: string): Promise<string> {
  const { source } = await resolveOne({ copy: from });
  return source.kind === "copy" ? source.hash : "";
}

function linkedWorktree(): string {
  const path = join(makeDirectory(), "linked");
  userGit(makeRepository(), "worktree", "add", "-q", path);
  return path;
}
