import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findGitWorkspace } from "../../../src/runs/changes/find-workspace.js";
import { beginWatch } from "../../../src/runs/changes/watch-changes.js";
import {
  commitAll,
  makeDirectory,
  makeRepository,
  userGit,
  writeFiles,
} from "../../batch/workspace/places.js";
import { anySignal, changesOf, fingerprintOf, useDataDirectory, watch } from "./watched.js";

let privatePlaces = "";
beforeEach(() => {
  privatePlaces = useDataDirectory();
});

const numbered = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");

describe("the changes of a checkout", () => {
  it("are those since the start, whatever was changed before", async () => {
    const root = makeRepository({ "a.txt": "one\n", "b.txt": "two\n", "c.txt": "three\n" });
    writeFiles(root, { "a.txt": "one\nmine\n", "mine.txt": "untracked\n" });
    userGit(root, "add", "a.txt");
    const found = await changesOf(root, () => {
      writeFiles(root, { "b.txt": "two\nmore\n", "new.txt": "1\n2\n" });
      appendFileSync(join(root, "mine.txt"), "and more\n");
      unlinkSync(join(root, "c.txt"));
    });
    expect(found).toMatchObject({
      root,
      commit: userGit(root, "rev-parse", "HEAD"),
      files: [
        { path: "b.txt", kind: "modified", insertions: 1, deletions: 0 },
        { path: "c.txt", kind: "deleted", insertions: 0, deletions: 1 },
        { path: "mine.txt", kind: "modified", insertions: 1, deletions: 0 },
        { path: "new.txt", kind: "added", insertions: 2, deletions: 0 },
      ],
      insertions: 4,
      deletions: 1,
    });
    expect(found.patch.toString()).not.toContain("+mine");
    expect(found).not.toHaveProperty("moreFiles");
  });

  it("can be taken back with the patch, byte by byte", async () => {
    const root = makeRepository({
      "old name.txt": numbered,
      "bytes.bin": Buffer.from([0, 1, 2, 255]),
      run: "#!/bin/sh\n",
      "gone/deep.txt": "x\n",
      "no-newline": "end",
    });
    symlinkSync("run", join(root, "link"));
    commitAll(root, "links");
    const names = () =>
      readdirSync(root, { recursive: true }).filter((name) => !String(name).startsWith(".git"));
    const before = names().sort();
    const found = await changesOf(root, () => {
      renameSync(join(root, "old name.txt"), join(root, "new\nname.txt"));
      appendFileSync(join(root, "new\nname.txt"), "more\n");
      writeFileSync(join(root, "bytes.bin"), Buffer.from([9, 0, 9]));
      chmodSync(join(root, "run"), 0o755);
      rmSync(join(root, "gone"), { recursive: true });
      unlinkSync(join(root, "link"));
      symlinkSync("elsewhere", join(root, "link"));
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff])]), "latin\n");
      writeFileSync(join(root, "tab\there"), "t\n");
      appendFileSync(join(root, "no-newline"), "\n");
    });
    expect(found.files).toEqual([
      { path: "bytes.bin", kind: "modified", insertions: 0, deletions: 0, isBinary: true },
      { path: "f\ufffd", kind: "added", insertions: 1, deletions: 0 },
      { path: "gone/deep.txt", kind: "deleted", insertions: 0, deletions: 1 },
      { path: "link", kind: "modified", insertions: 1, deletions: 1 },
      { path: "new\nname.txt", kind: "renamed", from: "old name.txt", insertions: 1, deletions: 0 },
      { path: "no-newline", kind: "modified", insertions: 1, deletions: 1 },
      { path: "run", kind: "modified", insertions: 0, deletions: 0 },
      { path: "tab\there", kind: "added", insertions: 1, deletions: 0 },
    ]);
    execFileSync("git", ["apply", "-R"], { cwd: root, input: found.patch });
    expect(names().sort()).toEqual(before);
    expect(userGit(root, "status", "--porcelain")).toBe("");
  });

  it("contain what the agent committed, on whichever branch", async () => {
    const root = makeRepository();
    userGit(root, "branch", "other");
    const found = await changesOf(root, () => {
      userGit(root, "checkout", "-q", "other");
      writeFiles(root, { "committed.txt": "c\n" });
      commitAll(root, "by the agent");
      userGit(root, "gc", "-q", "--prune=now");
    });
    expect(found.files).toEqual([{ path: "committed.txt", kind: "added", insertions: 1, deletions: 0 }]);
  });

  it("are those of the whole repository, without what it ignores", async () => {
    const root = makeRepository({ ".gitignore": "*.log\n", "sub/x.txt": "x\n", "a.txt": "a\n" });
    writeFiles(root, { ".git/info/exclude": "secret.txt\n" });
    const found = await changesOf(join(root, "sub"), () =>
      writeFiles(root, { "a.txt": "b\n", "x.log": "", "secret.txt": "s", "node_modules/y/index.js": "y" }),
    );
    expect(found.files.map(({ path }) => path)).toEqual(["a.txt"]);
  });

  it("are none if nothing changed, also in a repository without commits", async () => {
    const root = makeDirectory();
    userGit(root, "init", "-q");
    const nothing = await changesOf(root, () => {});
    expect(nothing).toMatchObject({ files: [], insertions: 0, deletions: 0 });
    expect(nothing.patch).toHaveLength(0);
    expect(nothing).not.toHaveProperty("commit");
    const found = await changesOf(root, () => writeFiles(root, { "first.txt": "1\n" }));
    expect(found.files).toEqual([{ path: "first.txt", kind: "added", insertions: 1, deletions: 0 }]);
  });

  it("can be asked for again and again", async () => {
    const root = makeRepository();
    const watched = await watch(root);
    const ids: string[] = [];
    for (const text of ["1\n", "2\n", "1\n", "one\n"]) {
      writeFiles(root, { "a.txt": text });
      ids.push((await watched.compare(anySignal())).id);
    }
    const { changes } = await watched.compare(anySignal());
    expect(changes.files).toEqual([]);
    expect(ids[0]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(3);
    await watched.end();
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("see a change in the second in which the index was written, with the same size", async () => {
    const root = makeRepository();
    const found = await changesOf(root, () => {
      writeFiles(root, { "a.txt": "two\n" });
      const { mtime } = statSync(join(root, ".git", "index"));
      utimesSync(join(root, "a.txt"), mtime, mtime);
    });
    expect(found.files).toMatchObject([{ path: "a.txt", insertions: 1, deletions: 1 }]);
  });

  it("are listed up to a thousand, and counted beyond", async () => {
    const root = makeRepository();
    const found = await changesOf(root, () => {
      for (let at = 0; at < 1010; at++) writeFiles(root, { [`n/${at}.txt`]: "x\n" });
    });
    expect(found.files).toHaveLength(1000);
    expect(found).toMatchObject({ moreFiles: 10, insertions: 1010 });
  });

  it("do not have a file that is too large, and say so if it changed", async () => {
    const root = makeRepository();
    const large = (name: string) => {
      writeFiles(root, { [name]: "" });
      truncateSync(join(root, name), 17 * 1024 * 1024);
    };
    large("before.bin");
    large("touched.bin");
    const found = await changesOf(root, () => {
      large("during.bin");
      appendFileSync(join(root, "touched.bin"), "x");
      writeFiles(root, { "a.txt": "x\n" });
    });
    expect(found).toMatchObject({ files: [{ path: "a.txt" }], moreFiles: 2, isCut: true });
    expect((await changesOf(root, () => {})).files).toEqual([]);
  });
});

describe("any checkout", () => {
  it("may be a linked worktree", async () => {
    const main = makeRepository();
    const root = join(makeDirectory(), "linked");
    userGit(main, "worktree", "add", "-q", root);
    const before = fingerprintOf(join(main, ".git"));
    const found = await changesOf(root, () => writeFiles(root, { "a.txt": "x\n" }));
    expect(found).toMatchObject({ root, files: [{ path: "a.txt", insertions: 1, deletions: 1 }] });
    expect(fingerprintOf(join(main, ".git"))).toEqual(before);
  });

  it("may have submodules and other repositories in it", async () => {
    const library = makeRepository({ "lib.txt": "l\n", "same.txt": "s\n" });
    const root = makeRepository();
    userGit(root, "submodule", "add", "-q", library, "lib");
    commitAll(root, "submodule");
    userGit(root, "clone", "-q", library, "vendor");
    writeFiles(root, { "vendor/own.txt": "mine\n" });
    const found = await changesOf(root, () => {
      writeFiles(root, {
        "lib/lib.txt": "changed\n",
        "vendor/lib.txt": "l\nmore\n",
        "vendor/new.txt": "n\n",
      });
    });
    expect(found.files).toEqual([
      { path: "lib/lib.txt", kind: "modified", insertions: 1, deletions: 1 },
      { path: "vendor/lib.txt", kind: "modified", insertions: 1, deletions: 0 },
      { path: "vendor/new.txt", kind: "added", insertions: 1, deletions: 0 },
    ]);
    const inside = await changesOf(join(root, "lib"), () => writeFiles(root, { "lib/lib.txt": "again\n" }));
    expect(inside).toMatchObject({ root: join(root, "lib"), files: [{ path: "lib.txt" }] });
  });

  it("may be in the middle of a merge", async () => {
    const root = makeRepository({ "a.txt": "base\n", "b.txt": "b\n" });
    userGit(root, "checkout", "-q", "-b", "theirs");
    writeFiles(root, { "a.txt": "theirs\n" });
    commitAll(root, "theirs");
    userGit(root, "checkout", "-q", "main");
    writeFiles(root, { "a.txt": "ours\n" });
    commitAll(root, "ours");
    expect(() => userGit(root, "merge", "theirs")).toThrow();
    const found = await changesOf(root, () => writeFiles(root, { "a.txt": "merged\n" }));
    expect(found.files).toMatchObject([{ path: "a.txt", kind: "modified", insertions: 1 }]);
  });

  it.each([
    ["a sparse checkout", ["sparse-checkout", "set", "--sparse-index", "src"]],
    ["a split index", ["update-index", "--split-index"]],
    ["an untracked cache", ["update-index", "--untracked-cache"]],
  ])("may have %s", async (_, args) => {
    const root = makeRepository({
      "a.txt": "a\n",
      "src/b.txt": "b\n",
      "other/c.txt": "c\n",
      "other/d/e.txt": "e\n",
    });
    userGit(root, ...args);
    // To complete a sparse index, git writes trees that the repository has: it sets the times of their files instead.
    const times = { hasTimesOfObjects: !args.includes("--sparse-index") };
    const before = fingerprintOf(join(root, ".git"), times);
    const found = await changesOf(root, () =>
      writeFiles(root, { "src/b.txt": "changed\n", "src/new.txt": "n\n" }),
    );
    expect(found.files.map(({ path, kind }) => [path, kind])).toEqual([
      ["src/b.txt", "modified"],
      ["src/new.txt", "added"],
    ]);
    expect(fingerprintOf(join(root, ".git"), times)).toEqual(before);
  });

  it("may use SHA-256", async () => {
    const root = makeDirectory();
    userGit(root, "init", "-q", "--object-format=sha256");
    writeFiles(root, { "a.txt": "a\n" });
    commitAll(root, "first");
    const found = await changesOf(root, () => writeFiles(root, { "a.txt": "b\n" }));
    expect(found).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{64}$/),
      insertions: 1,
      deletions: 1,
    });
  });

  it("is not a bare repository, and not one around the user's home", async () => {
    const bare = makeDirectory();
    userGit(bare, "init", "-q", "--bare");
    expect(findGitWorkspace(bare)).toBeUndefined();
    const marked = makeRepository();
    userGit(marked, "config", "core.bare", "true");
    const workspace = findGitWorkspace(marked, "/nonexistent");
    expect(workspace).toBeDefined();
    if (workspace !== undefined)
      expect(await beginWatch(workspace, { signal: anySignal(), isTextOnly: false })).toBeUndefined();
    const dotfiles = makeRepository();
    mkdirSync(join(dotfiles, "project"));
    expect(findGitWorkspace(join(dotfiles, "project"), dotfiles)).toBeUndefined();
    expect(findGitWorkspace(dotfiles, dotfiles)).toMatchObject({ root: dotfiles });
    expect(findGitWorkspace(join(dotfiles, "project"), join(dotfiles, "src"))).toBeUndefined();
    expect(findGitWorkspace(join(dotfiles, "missing"))).toBeUndefined();
  });
});

describe("the user's repository", () => {
  it("is not written, and nothing that it names is started", async () => {
    const root = makeRepository({
      ".gitattributes": "* filter=evil diff=evil\n",
      "a.txt": "a\n",
      "d/b.txt": "b\n",
    });
    const mark = join(makeDirectory(), "started");
    const evil = join(makeDirectory(), "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`);
    chmodSync(evil, 0o755);
    const settings = {
      "core.fsmonitor": evil,
      "core.sshCommand": evil,
      "core.pager": evil,
      "core.alternateRefsCommand": evil,
      "filter.evil.clean": evil,
      "filter.evil.process": evil,
      "filter.evil.required": "true",
      "diff.evil.command": evil,
      "diff.evil.textconv": evil,
      "diff.external": evil,
      "core.hooksPath": join(root, "hooks"),
    };
    for (const [name, value] of Object.entries(settings)) userGit(root, "config", name, value);
    for (const hook of ["post-index-change", "post-checkout", "reference-transaction"])
      writeFiles(root, { [`hooks/${hook}`]: readFileSync(evil) });
    for (const hook of readdirSync(join(root, "hooks"))) chmodSync(join(root, "hooks", hook), 0o755);
    // A tree that the repository has, and whose place in the index is not valid: git would touch its object.
    writeFiles(root, { "d/b.txt": "staged\n" });
    rmSync(mark, { force: true });
    const before = fingerprintOf(join(root, ".git"));
    const found = await changesOf(root, () =>
      writeFiles(root, { "a.txt": "x\n", "d/b.txt": "b\n", "n.txt": "a\n" }),
    );
    expect(found.files.map(({ path }) => path)).toEqual(["a.txt", "d/b.txt", "n.txt"]);
    expect(existsSync(mark)).toBe(false);
    expect(fingerprintOf(join(root, ".git"))).toEqual(before);
  });

  it("is found by its directory, whatever the variables of a hook say", async () => {
    const root = makeRepository();
    const other = makeRepository({ "other.txt": "o\n" });
    const before = fingerprintOf(join(other, ".git"));
    const given = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, ".git/index"),
    };
    Object.assign(process.env, given);
    try {
      const found = await changesOf(root, () => writeFiles(root, { "a.txt": "x\n", "new.txt": "n\n" }));
      expect(found.files.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
    } finally {
      for (const name of Object.keys(given)) delete process.env[name];
    }
    expect(fingerprintOf(join(other, ".git"))).toEqual(before);
  });

  it("does not decide what the private one does, not even with attributes that cannot be followed", async () => {
    const root = makeRepository({ "a.txt": "a\n" });
    const found = await changesOf(root, () =>
      writeFiles(root, { ".gitattributes": "* working-tree-encoding=nonsense\n", "a.txt": "b\n" }),
    );
    expect(found.files.map(({ path }) => path)).toEqual([".gitattributes", "a.txt"]);
  });

  it("may be destroyed: then nobody knows, and nothing is left", async () => {
    const root = makeRepository();
    const watched = await watch(root);
    writeFiles(root, { "a.txt": "x\n" });
    rmSync(join(root, ".git"), { recursive: true });
    await expect(watched.compare(anySignal())).rejects.toThrow(/git diff-tree failed/);
    await watched.end();
    expect(readdirSync(privatePlaces)).toEqual([]);
  });
});

describe("the private directory", () => {
  it("is the user's alone, and is removed when reading is cancelled", async () => {
    const root = makeRepository();
    const watched = await watch(root);
    const [name = ""] = readdirSync(privatePlaces);
    expect(statSync(join(privatePlaces, name)).mode & 0o777).toBe(0o700);
    const cancelled = new AbortController();
    cancelled.abort(new Error("enough"));
    await expect(watched.compare(cancelled.signal)).rejects.toThrow("enough");
    await watched.end();
    const workspace = findGitWorkspace(root);
    if (workspace === undefined) throw new Error("not found");
    const options = { signal: cancelled.signal, isTextOnly: false };
    await expect(beginWatch(workspace, options)).rejects.toThrow("enough");
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("is removed by the next run if its own was killed", async () => {
    const root = makeRepository();
    const longAgo = new Date(Date.now() - 2 * 60 * 60_000);
    const leave = (name: string, identity: object, isOld: boolean) => {
      const owner = join(privatePlaces, name, "owner.json");
      writeFiles(privatePlaces, {
        [`${name}/owner.json`]: JSON.stringify(identity),
        [`${name}/git/HEAD`]: "x",
      });
      if (isOld) utimesSync(owner, longAgo, longAgo);
    };
    leave("1-dead", { pid: 1, started: "another boot:1" }, true);
    leave("2-young", { pid: 1, started: "another boot:1" }, false);
    leave("3-alive", { pid: process.pid }, true);
    leave("others", { pid: 1, started: "another boot:1" }, true);
    const watched = await watch(root);
    await watched.end();
    expect(readdirSync(privatePlaces).sort()).toEqual(["2-young", "3-alive", "others"]);
  });

  it("has nothing of binary files in the patch if secrets are to be masked", async () => {
    const root = makeRepository();
    const watched = await watch(root, { isTextOnly: true });
    writeFiles(root, { "x.bin": Buffer.from([0, 1, 2]) });
    const { patchPath } = await watched.compare(anySignal());
    expect(readFileSync(patchPath, "utf8")).toContain("Binary files /dev/null and b/x.bin differ");
    await watched.end();
  });
});
