import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/batch/model/plan.js";
import { tryGit } from "../../../src/runs/changes/git.js";
import { maxPatchBytes } from "../../../src/runs/changes/write-patch.js";
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

const none = { files: 0, insertions: 0, deletions: 0 };

function patchPath(): string {
  return join(makeDirectory(), "cell", "changes.patch");
}

/** One workspace of each kind, with the same two files or without any. */
function eachKind(): [string, Workspace][] {
  const copied = makeDirectory();
  writeFiles(copied, { "a.txt": "one\n", "src/b.txt": "two\n" });
  return [
    ["git", { git: makeRepository() }],
    ["copy", { copy: copied }],
    ["empty", { empty: true }],
  ];
}

describe.each(eachKind())("the changes in a workspace: %s", (kind, workspace) => {
  it("are none in the beginning", async () => {
    const { changes } = await open(workspace);
    const path = patchPath();
    expect(await changes(path)).toEqual(none);
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("are every file, untracked, staged or committed, and only the owner can read them", async () => {
    const { directory, changes } = await open(workspace);
    writeFiles(directory, { "new/deep.txt": "1\n2\n", "bytes.bin": Buffer.from([0, 255, 1, 254]) });
    const path = patchPath();
    expect(await changes(path)).toEqual({ files: 2, insertions: 2, deletions: 0 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    if (kind !== "git") return expect(readdirSync(directory)).not.toContain(".git");
    const before = readFileSync(path, "utf8");
    userGit(directory, "checkout", "-q", "-b", "fix");
    commitAll(directory, "by the agent");
    await changes(path);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("do not have what is ignored", async () => {
    const { directory, changes } = await open(workspace);
    writeFiles(directory, { ".gitignore": "dist\n", "dist/x.js": "x", "node_modules/y/index.js": "y" });
    expect(await changes(patchPath())).toEqual({ files: 1, insertions: 1, deletions: 0 });
  });

  it("begin after the setup", async () => {
    const { directory, baseline, changes } = await open(workspace);
    writeFiles(directory, { "lock.json": "{}\n", "built.txt": "b\n" });
    await baseline();
    expect(await changes(patchPath())).toEqual(none);
    // What the setup has made stays a part of the beginning, even if the agent has it ignored.
    writeFiles(directory, { ".gitignore": "built.txt\n", "lock.json": "{ }\n" });
    expect(await changes(patchPath())).toEqual({ files: 2, insertions: 2, deletions: 1 });
    await baseline();
    expect(await changes(patchPath())).toEqual(none);
  });

  it("have the files of repositories that the agent made, with and without commits", async () => {
    const { directory, changes } = await open(workspace);
    for (const name of ["app", "app/inner", "bare-bones"]) {
      mkdirSync(join(directory, name));
      userGit(join(directory, name), "init", "-q");
      writeFiles(join(directory, name), { "main.txt": `${name}\n` });
    }
    commitAll(join(directory, "app", "inner"), "x");
    expect(await changes(patchPath())).toEqual({ files: 3, insertions: 3, deletions: 0 });
  });

  it("do not need the agent's .git", async () => {
    const { directory, changes } = await open(workspace);
    rmSync(join(directory, ".git"), { recursive: true, force: true });
    writeFiles(directory, { "new.txt": "new\n" });
    expect(await changes(patchPath())).toEqual({ files: 1, insertions: 1, deletions: 0 });
    userGit(directory, "init", "-q");
    commitAll(directory, "everything");
    expect(await changes(patchPath())).toEqual({ files: 1, insertions: 1, deletions: 0 });
  });

  it("are that everything is gone, if the directory was removed or became a link", async () => {
    const { directory, changes } = await open(workspace);
    const secret = makeDirectory();
    writeFiles(secret, { "secret.txt": "secret\n" });
    rmSync(directory, { recursive: true });
    const files = kind === "empty" ? 0 : 2;
    expect(await changes(patchPath())).toEqual({ files, insertions: 0, deletions: files });
    symlinkSync(secret, directory);
    const path = patchPath();
    expect((await changes(path)).insertions).toBe(0);
    expect(readFileSync(path, "utf8")).not.toContain("secret");
  });

  it("are taken in spite of names and attributes that git refuses", async () => {
    const { directory, changes } = await open(workspace);
    writeFiles(directory, {
      ".GIT/config": "x",
      ".gitattributes": "*.enc working-tree-encoding=UTF-16LE\n",
      "text.enc": "odd",
      "back\\slash.txt": "x\n",
      "git~1": "x\n",
      " leading\nline.txt": "x\n",
      ":(top)magic": "x\n",
      "-n": "x\n",
    });
    const path = patchPath();
    const { files, isCut } = await changes(path);
    expect({ files, isCut }).toEqual({ files: 8, isCut: true });
  });

  it("are taken in spite of pipes", async () => {
    const { directory, changes } = await open(workspace);
    rmSync(join(directory, "a.txt"), { force: true });
    execFileSync("mkfifo", [join(directory, "a.txt"), join(directory, "pipe")]);
    writeFiles(directory, { "new.txt": "new\n" });
    const path = patchPath();
    expect((await changes(path)).insertions).toBe(1);
    expect(readFileSync(path, "utf8")).not.toContain("a.txt");
  });

  it("are cut before the first file that does not fit", async () => {
    const places = makePlaces();
    const { source } = await resolveOne(workspace, places);
    const { directory, changes } = await reopen(source, places);
    writeFiles(directory, { "1.txt": "first\n", "2.txt": `${"x".repeat(99)}\n`.repeat(maxPatchBytes / 100) });
    const path = patchPath();
    expect(await changes(path)).toMatchObject({ files: 2, isCut: true });
    expect(statSync(path).size).toBeLessThanOrEqual(maxPatchBytes);
    const fresh = await reopen(source, places);
    userGit(fresh.directory, "apply", path);
    expect(readdirSync(fresh.directory)).toContain("1.txt");
    expect(readdirSync(fresh.directory)).not.toContain("2.txt");
  });

  it("count a file that is too large to be read, without reading it", async () => {
    const { directory, changes } = await open(workspace);
    writeFileSync(join(directory, "sparse.img"), "");
    truncateSync(join(directory, "sparse.img"), 8 * 1024 ** 3);
    expect(await changes(patchPath())).toEqual({ files: 1, insertions: 0, deletions: 0, isCut: true });
  });
});

it("a pipe that git waits for ends its call", async () => {
  const directory = makeDirectory();
  userGit(directory, "init", "-q");
  execFileSync("mkfifo", [join(directory, ".gitignore")]);
  const list = ["ls-files", "--others", "--exclude-standard"];
  await expect(tryGit(list, { cwd: directory, timeoutMs: 300 })).rejects.toThrow(
    /git ls-files in .* did not end/,
  );
});

it("a change in the second of the checkout is seen in the next second", async () => {
  await sleep(1000 - (Date.now() % 1000));
  const { directory, changes } = await open({ git: makeRepository() });
  writeFileSync(join(directory, "a.txt"), "two\n");
  await sleep(1000 - (Date.now() % 1000));
  expect(await changes(patchPath())).toEqual({ files: 1, insertions: 1, deletions: 1 });
});

it("a change of a copy that keeps size and time is seen", async () => {
  const copied = makeDirectory();
  writeFiles(copied, { "a.txt": "one\n" });
  const { directory, changes } = await open({ copy: copied });
  writeFileSync(join(directory, "a.txt"), "two\n");
  expect(await changes(patchPath())).toEqual({ files: 1, insertions: 1, deletions: 1 });
});

/** Deterministic, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
}

const names = [
  "a.txt",
  "src/b.txt",
  "src/c d.txt",
  "ü/ß.txt",
  "tab\there",
  'quote"d',
  "src/deep/er/e.txt",
  "f",
];

/** Changes a workspace at random: new, changed, deleted, moved and executable files, links, and files that become directories. */
function disturb(directory: string, random: (below: number) => number): void {
  const pick = (): string => join(directory, names[random(names.length)] ?? "a.txt");
  const actions: (() => void)[] = [
    () => writeFiles("/", { [pick()]: Buffer.from(Array.from({ length: random(400) }, () => random(256))) }),
    () => writeFiles("/", { [pick()]: "line\n".repeat(random(50)) + (random(2) === 0 ? "no end" : "") }),
    () => rmSync(pick(), { recursive: true, force: true }),
    () => renameSync(pick(), pick()),
    () => chmodSync(pick(), random(2) === 0 ? 0o755 : 0o644),
    () => symlinkSync(names[random(names.length)] ?? "", pick()),
    () => {
      const path = pick();
      rmSync(path, { recursive: true, force: true });
      writeFiles(path, { "inside.txt": "inside\n" });
    },
  ];
  for (let count = 12; count > 0; count--) {
    try {
      actions[random(actions.length)]?.();
    } catch {
      // This one is not possible here: there is no such file, or something is in the way.
    }
  }
}

describe.each(["git", "copy", "empty"])("a patch of random changes: %s", (kind) => {
  it.each([1, 2, 3, 4, 5, 6])("gives the same files in a fresh workspace (%i)", async (seed) => {
    const random = createRandom(seed * 7919);
    const original = makeRepository(
      Object.fromEntries(names.slice(0, 6).map((name) => [name, `${name}\n`.repeat(9)])),
    );
    const copied = makeDirectory();
    writeFiles(copied, Object.fromEntries(names.slice(0, 6).map((name) => [name, `${name}\n`.repeat(9)])));
    const all: Record<string, Workspace> = {
      git: { git: original },
      copy: { copy: copied },
      empty: { empty: true },
    };
    const places = makePlaces();
    const { source } = await resolveOne(all[kind] ?? { empty: true }, places);
    const changed = await reopen(source, places);
    disturb(changed.directory, random);
    const path = patchPath();
    const { files, isCut } = await changed.changes(path);
    expect(isCut).toBeUndefined();
    const fresh = await reopen(source, places);
    if (files > 0) userGit(fresh.directory, "apply", path);
    expect(contentOf(fresh.directory)).toEqual(contentOf(changed.directory));
    const again = patchPath();
    await fresh.changes(again);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(path, "utf8"));
  });
});
