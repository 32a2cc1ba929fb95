import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryFacts } from "../../../src/batch/workspace/repository.js";
import {
  commitAll,
  contentOf,
  makeDirectory,
  makePlaces,
  makeRepository,
  open,
  reopen,
  resolveOne,
  userGit,
  writeFiles,
} from "./places.js";

describe("a git workspace", () => {
  it("has the files of the commit, and is a repository in which one can commit", async () => {
    const repository = makeRepository();
    const first = userGit(repository, "rev-parse", "HEAD");
    writeFiles(repository, { "a.txt": "later\n" });
    commitAll(repository, "second");
    const { directory } = await open({ git: repository, ref: "HEAD~1" });
    expect(basename(directory)).toBe("cart");
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
    expect(userGit(directory, "rev-parse", "HEAD")).toBe(first);
    expect(userGit(directory, "status", "--porcelain")).toBe("");
    writeFiles(directory, { "new.txt": "new\n" });
    commitAll(directory, "by the agent");
    expect(userGit(directory, "log", "--format=%s")).toBe("by the agent\nfirst");
  });

  it("has an identity for commits, the user's if there is one", async () => {
    const repository = makeRepository();
    userGit(repository, "config", "user.name", 'Ada "the \\ first"');
    userGit(repository, "config", "user.email", "ada@example.org");
    const { directory } = await open({ git: repository });
    expect(userGit(directory, "config", "user.name")).toBe('Ada "the \\ first"');
    const other = makeRepository();
    const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };
    const plain = await open({ git: other });
    writeFiles(plain.directory, { x: "x" });
    execFileSync("git", ["add", "."], { cwd: plain.directory, env });
    execFileSync("git", ["commit", "-q", "-m", "x"], { cwd: plain.directory, env });
  });

  it("leaves the user's repository exactly as it is, whatever is done in the workspace", async () => {
    const repository = makeRepository();
    const before = everyFile(repository);
    const places = makePlaces();
    const one = await open({ git: repository }, places);
    userGit(one.directory, "checkout", "-q", "-b", "fix");
    writeFiles(one.directory, { "a.txt": "changed\n" });
    userGit(one.directory, "stash");
    userGit(one.directory, "tag", "done");
    userGit(one.directory, "config", "core.hooksPath", "/tmp/hooks");
    writeFiles(one.directory, { "b.txt": "b\n" });
    commitAll(one.directory, "x");
    userGit(one.directory, "gc", "-q", "--prune=now");
    await one.close();
    expect(everyFile(repository)).toEqual(before);
  });

  it("shares neither branches nor the stash with another workspace", async () => {
    const repository = makeRepository();
    const places = makePlaces();
    const { source } = await resolveOne({ git: repository }, places);
    const [one, other] = await Promise.all([reopen(source, places), reopen(source, places)]);
    for (const { directory } of [one, other]) {
      userGit(directory, "checkout", "-q", "-b", "fix");
      writeFiles(directory, { "a.txt": "changed\n" });
      expect(userGit(directory, "stash", "list")).toBe("");
      userGit(directory, "stash");
    }
  });

  it("has the tags of its history, and nothing that came later", async () => {
    const repository = makeRepository();
    userGit(repository, "tag", "-a", "v1", "-m", "v1");
    writeFiles(repository, { "a.txt": "the solution\n" });
    commitAll(repository, "the solution");
    userGit(repository, "tag", "v2");
    const { directory } = await open({ git: repository, ref: "v1" });
    expect(userGit(directory, "describe")).toBe("v1");
    expect(userGit(directory, "log", "--all", "--format=%s")).toBe("first");
    expect(userGit(directory, "branch", "-a", "--format=%(refname)")).not.toContain("refs/heads");
  });

  it("is the same subdirectory, if a subdirectory was named", async () => {
    const repository = makeRepository({ "packages/cart/x.txt": "x\n", "top.txt": "t\n" });
    const { directory, changes } = await open({ git: join(repository, "packages", "cart") });
    expect(directory.endsWith("/cart/packages/cart")).toBe(true);
    expect(readFileSync(join(directory, "x.txt"), "utf8")).toBe("x\n");
    writeFiles(directory, { "../../top.txt": "changed\n" });
    const patch = join(makeDirectory(), "p");
    expect(await changes(patch)).toEqual({ files: 1, insertions: 1, deletions: 1 });
    expect(readFileSync(patch, "utf8")).toContain("a/top.txt");
  });

  it("is made from bare repositories, shallow clones, linked worktrees, SHA-256 and odd paths, too", async () => {
    const repository = makeRepository();
    commitAll(repository, "second");
    const parent = makeDirectory();
    userGit(parent, "clone", "-q", "--bare", repository, "bare.git");
    userGit(parent, "clone", "-q", "--depth", "1", `file://${repository}`, 'sh"all\\ow #ü');
    userGit(repository, "worktree", "add", "-q", join(parent, "linked"));
    const modern = join(parent, "modern");
    userGit(parent, "init", "-q", "--object-format=sha256", "modern");
    writeFiles(modern, { "a.txt": "one\n" });
    commitAll(modern, "first");
    for (const name of ["bare.git", 'sh"all\\ow #ü', "linked", "modern"]) {
      const { directory, changes } = await open({ git: join(parent, name) });
      expect(readFileSync(join(directory, "a.txt"), "utf8"), name).toBe("one\n");
      expect(userGit(directory, "log", "--format=%s"), name).not.toBe("");
      userGit(directory, "fsck");
      writeFiles(directory, { "a.txt": "two\n" });
      expect(await changes(join(makeDirectory(), "p")), name).toEqual({
        files: 1,
        insertions: 1,
        deletions: 1,
      });
    }
  });

  it("starts no program that the repository names", async () => {
    const repository = makeRepository({
      ".gitattributes": "*.txt filter=evil diff=evil\n",
      "a.txt": "one\n",
      "b.txt": "two\n",
    });
    const proof = join(makeDirectory(), "proof");
    const evil = join(makeDirectory(), "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$0 $@" >> ${proof}\ncat\n`);
    chmodSync(evil, 0o755);
    for (const hook of [
      "post-checkout",
      "post-index-change",
      "reference-transaction",
      "pre-commit",
      "post-commit",
    ]) {
      mkdirSync(join(repository, ".git", "hooks"), { recursive: true });
      writeFileSync(join(repository, ".git", "hooks", hook), `#!/bin/sh\necho ${hook} >> ${proof}\n`);
      chmodSync(join(repository, ".git", "hooks", hook), 0o755);
    }
    for (const key of [
      ...["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "diff.external"],
      ...[
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
      ],
      ...["credential.helper", "core.alternateRefsCommand", "gpg.program", "core.gitProxy"],
    ])
      userGit(repository, "config", key, evil);
    userGit(repository, "config", "filter.evil.required", "true");
    userGit(repository, "config", "log.showSignature", "true");
    writeFileSync(join(repository, "a.txt"), "dirty\n");
    const { directory, changes, close, baseline } = await open({ git: repository });
    writeFileSync(join(directory, "a.txt"), "changed\n");
    await baseline();
    await changes(join(makeDirectory(), "p"));
    await close();
    expect(existsSync(proof) ? readFileSync(proof, "utf8") : "").toBe("");
    // Git as it is starts them.
    expect(() => userGit(repository, "status")).toThrow();
    expect(readFileSync(proof, "utf8")).toContain("evil.sh");
  });

  it("starts no program that the agent has named in the workspace", async () => {
    const { directory, changes } = await open({ git: makeRepository() });
    const proof = join(makeDirectory(), "proof");
    const evil = join(directory, "evil.sh");
    writeFileSync(evil, `#!/bin/sh\necho "$@" >> ${proof}\n`);
    chmodSync(evil, 0o755);
    for (const key of [
      "core.fsmonitor",
      "diff.external",
      "diff.evil.textconv",
      "filter.evil.clean",
      "core.hooksPath",
    ])
      userGit(directory, "config", key, evil);
    writeFiles(directory, { ".gitattributes": "* filter=evil diff=evil\n", "a.txt": "changed\n" });
    const patch = join(makeDirectory(), "p");
    expect((await changes(patch)).files).toBe(3);
    expect(existsSync(proof)).toBe(false);
    userGit(directory, "add", "-A");
    expect(existsSync(proof)).toBe(true);
  });

  it("does not work in another repository that a variable names", async () => {
    const repository = makeRepository();
    const other = makeRepository({ "other.txt": "o\n" });
    process.env["GIT_DIR"] = join(other, ".git");
    process.env["GIT_INDEX_FILE"] = join(other, ".git", "index");
    try {
      const { directory, changes } = await open({ git: repository });
      expect(readdirSync(directory).sort()).toEqual([".git", "a.txt", "src"]);
      expect(await changes(join(makeDirectory(), "p"))).toEqual({ files: 0, insertions: 0, deletions: 0 });
    } finally {
      delete process.env["GIT_DIR"];
      delete process.env["GIT_INDEX_FILE"];
    }
    expect(userGit(other, "status", "--porcelain")).toBe("");
  });

  it("is made 40 times at once", async () => {
    const repository = makeRepository();
    const places = makePlaces();
    const { source } = await resolveOne({ git: repository }, places);
    const opened = await Promise.all(Array.from({ length: 40 }, () => reopen(source, places)));
    for (const { directory } of opened) expect(userGit(directory, "status", "--porcelain")).toBe("");
    await Promise.all(opened.map(({ close }) => close()));
    expect(readdirSync(places.work)).toEqual([]);
  });

  it("is only for its owner, and is removed with everything in it", async () => {
    const { directory, place, close } = await open({ git: makeRepository() });
    expect(statSync(place).mode & 0o777).toBe(0o700);
    mkdirSync(join(directory, "locked", "deep"), { recursive: true });
    writeFileSync(join(directory, "locked", "deep", "file"), "");
    chmodSync(join(directory, "locked", "deep"), 0o500);
    chmodSync(join(directory, "locked"), 0o500);
    await close();
    expect(existsSync(place)).toBe(false);
  });

  it("says so if the commit or the repository has gone, and leaves nothing behind", async () => {
    const repository = makeRepository();
    const places = makePlaces();
    const { source } = await resolveOne({ git: repository }, places);
    if (source.kind !== "git") throw new Error("not a git source");
    rmSync(join(repository, ".git"), { recursive: true });
    await expect(reopen(source, places)).rejects.toMatchObject({ code: "bad_workspace" });
    rmSync(repository, { recursive: true });
    await expect(reopen(source, places)).rejects.toMatchObject({ code: "bad_workspace" });
    expect(readdirSync(places.work)).toEqual([]);
    await expect(repositoryFacts(makeRepository(), "0".repeat(40))).rejects.toThrow(
      /does not have the commit/,
    );
  });

  it("has empty directories for submodules, until the setup fills them", async () => {
    const library = makeRepository({ "lib.txt": "lib\n" });
    const repository = makeRepository();
    userGit(repository, "submodule", "add", "-q", library, "lib");
    commitAll(repository, "with a submodule");
    const places = makePlaces();
    const { source, warnings } = await resolveOne({ git: repository }, places);
    expect(warnings.join()).toContain("has submodules");
    const { directory, baseline, changes } = await reopen(source, places);
    expect(readdirSync(join(directory, "lib"))).toEqual([]);
    userGit(directory, "submodule", "update", "-q", "--init");
    await baseline();
    const patch = join(makeDirectory(), "p");
    expect((await changes(patch)).files).toBe(0);
    writeFiles(directory, { "lib/lib.txt": "changed\n" });
    expect(await changes(patch)).toEqual({ files: 1, insertions: 1, deletions: 1 });
    expect(readFileSync(patch, "utf8")).toContain("+++ b/lib/lib.txt");
  });
});

/** Every file of a repository, `.git` included, with its bytes. */
function everyFile(directory: string): Record<string, string> {
  return contentOf(directory, []);
}
