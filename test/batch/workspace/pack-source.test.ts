import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Source } from "../../../src/batch/model/source.js";
import { packSource, unpackSource } from "../../../src/batch/workspace/pack-source.js";
import {
  commitAll,
  contentOf,
  makeDirectory,
  makePlaces,
  makeRepository,
  reopen,
  resolveOne,
  userGit,
  writeFiles,
} from "./places.js";

/** Packs a source, and removes everything that it was made from. */
async function pack(
  workspace: { git: string } | { copy: string } | { empty: true },
  maxHistoryBytes?: number,
) {
  const places = makePlaces();
  const { source } = await resolveOne(workspace, places);
  const packed = join(makeDirectory(), "with: colon", "packed");
  const warnings = await packSource(source, { snapshots: places.sources, to: packed, maxHistoryBytes });
  rmSync(places.directory, { recursive: true });
  if ("git" in workspace) rmSync(workspace.git, { recursive: true });
  return { source, packed, warnings };
}

/** Opens a workspace of a source that came from another machine. */
async function openElsewhere(source: Source, packed: string) {
  const places = makePlaces();
  const unpacked = await unpackSource(source, packed, places.sources);
  return { ...(await reopen(unpacked, places)), unpacked, places };
}

describe("a packed repository", () => {
  it("has the commit with its history and its tags, and nothing later", async () => {
    const repository = makeRepository();
    userGit(repository, "tag", "-a", "v1", "-m", "v1");
    commitAll(repository, "second");
    commitAll(repository, "later");
    userGit(repository, "tag", "later");
    userGit(repository, "checkout", "-q", "HEAD~1");
    const { source, packed, warnings } = await pack({ git: repository });
    expect(warnings).toEqual([]);
    expect(statSync(packed).mode & 0o777).toBe(0o600);
    const { directory, changes, unpacked, places } = await openElsewhere(source, packed);
    expect(basename(directory)).toBe("cart");
    expect(userGit(directory, "log", "--all", "--format=%s").split("\n").sort()).toEqual(["first", "second"]);
    expect(userGit(directory, "describe")).toMatch(/^v1-1-/);
    userGit(directory, "fsck");
    writeFiles(directory, { "a.txt": "changed\n" });
    expect(await changes(join(makeDirectory(), "p"))).toEqual({ files: 1, insertions: 1, deletions: 1 });
    // It is there already.
    rmSync(packed);
    expect(await unpackSource(source, packed, places.sources)).toEqual(unpacked);
  });

  it("has only the commit, and says so, if its history is too large", async () => {
    const repository = makeRepository();
    writeFiles(repository, {
      "large.bin": randomBytes(50_000),
    });
    commitAll(repository, "large");
    rmSync(join(repository, "large.bin"));
    commitAll(repository, "small again");
    const { source, packed, warnings } = await pack({ git: repository }, 2000);
    expect(warnings).toEqual([expect.stringMatching(/its history is larger than/)]);
    const { directory } = await openElsewhere(source, packed);
    expect(userGit(directory, "log", "--format=%s")).toBe("small again");
    userGit(directory, "fsck");
  });

  it("may be a shallow clone, or use SHA-256", async () => {
    const original = makeRepository();
    commitAll(original, "second");
    const parent = makeDirectory();
    userGit(parent, "clone", "-q", "--depth", "1", `file://${original}`, "clone");
    userGit(parent, "init", "-q", "--object-format=sha256", "modern");
    writeFiles(join(parent, "modern"), { "a.txt": "one\n" });
    commitAll(join(parent, "modern"), "first");
    for (const name of ["clone", "modern"]) {
      const { source, packed } = await pack({ git: join(parent, name) });
      const { directory } = await openElsewhere(source, packed);
      expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n");
      userGit(directory, "fsck");
    }
  });

  it("is refused if it is damaged, or has another commit", async () => {
    const { source, packed } = await pack({ git: makeRepository() });
    const directory = makeDirectory();
    const other = { ...source, commit: "1".repeat(40) };
    await expect(unpackSource(other, packed, directory)).rejects.toThrow(/does not have the commit/);
    const bytes = readFileSync(packed);
    bytes.fill(0x41, 700, 760);
    writeFileSync(packed, bytes);
    await expect(unpackSource(source, packed, directory)).rejects.toMatchObject({ code: "bad_workspace" });
    writeFileSync(packed, bytes.subarray(0, 100));
    await expect(unpackSource(source, packed, directory)).rejects.toMatchObject({ code: "bad_workspace" });
    expect(readdirSync(directory).flatMap((name) => readdirSync(join(directory, name)))).toEqual([]);
  });
});

describe("a packed copy", () => {
  it("has the same content, permissions and links", async () => {
    const from = makeDirectory();
    writeFiles(from, {
      "a.txt": "a\n",
      "bin/run": "#!/bin/sh\n",
      [`${"long/".repeat(60)}x`]: "x",
      "line\nbreak": "l",
      ü: "u",
    });
    chmodSync(join(from, "bin/run"), 0o755);
    chmodSync(join(from, "a.txt"), 0o666);
    mkdirSync(join(from, "empty"));
    symlinkSync("/etc/passwd", join(from, "link"));
    // Its name is not UTF-8. It is checked by the hash.
    const odd = (directory: string): Buffer =>
      Buffer.concat([Buffer.from(`${directory}/f`), Buffer.from([0xff])]);
    writeFileSync(odd(from), "odd");
    const { source, packed } = await pack({ copy: from });
    const { directory, changes } = await openElsewhere(source, packed);
    expect(readFileSync(odd(directory), "utf8")).toBe("odd");
    for (const at of [from, directory]) rmSync(odd(at));
    expect(contentOf(directory)).toEqual(contentOf(from));
    expect(statSync(join(directory, "a.txt")).mode & 0o777).toBe(0o666);
    expect((await changes(join(makeDirectory(), "p"))).files).toBe(1);
  });

  it("is refused if its content is not the batch's, and nothing is left of it", async () => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n" });
    const { source, packed } = await pack({ copy: from });
    writeFiles(from, { "a.txt": "b\n" });
    execFileSync("tar", ["-czf", packed, "-C", from, "."], { cwd: "/", env: { PATH: process.env["PATH"] } });
    const directory = makeDirectory();
    await expect(unpackSource(source, packed, directory)).rejects.toThrow(/does not have the content/);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each<[string, string]>([
    [
      "an absolute path",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\ni=tarfile.TarInfo(sys.argv[2]+'/evil');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a path with ..",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\ni=tarfile.TarInfo('a/../../../evil');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a long path with ..",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz',format=tarfile.GNU_FORMAT)\ni=tarfile.TarInfo('a/'*80+'../'*90+'evil');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a POSIX path with ..",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz',format=tarfile.PAX_FORMAT)\ni=tarfile.TarInfo('ü/'*80+'../'*90+'evil');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a file through a link",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\nl=tarfile.TarInfo('l');l.type=tarfile.SYMTYPE;l.linkname=sys.argv[2];t.addfile(l)\ni=tarfile.TarInfo('l/evil');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a link that is replaced",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\nl=tarfile.TarInfo('l');l.type=tarfile.SYMTYPE;l.linkname=sys.argv[2]+'/evil';t.addfile(l)\ni=tarfile.TarInfo('l');i.size=1;t.addfile(i,io.BytesIO(b'x'));t.close()",
    ],
    [
      "a hard link",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\nl=tarfile.TarInfo('l');l.type=tarfile.LNKTYPE;l.linkname='/etc/passwd';t.addfile(l);t.close()",
    ],
    [
      "a device",
      "import tarfile,io,sys\nt=tarfile.open(sys.argv[1],'w:gz')\nl=tarfile.TarInfo('l');l.type=tarfile.CHRTYPE;t.addfile(l);t.close()",
    ],
  ])("is refused with %s", async (_, script) => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n" });
    const { source, packed } = await pack({ copy: from });
    const outside = makeDirectory();
    execFileSync("python3", ["-c", script, packed, outside]);
    const parent = makeDirectory();
    const directory = join(parent, "deep", "er");
    await expect(unpackSource(source, packed, directory)).rejects.toThrow(/is not unpacked: /);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
    expect(existsSync(join(parent, "evil"))).toBe(false);
  });

  it("is refused if it is not an archive", async () => {
    const from = makeDirectory();
    writeFiles(from, { "a.txt": "a\n" });
    const { source, packed } = await pack({ copy: from });
    const bytes = readFileSync(packed);
    for (const damaged of [Buffer.alloc(0), Buffer.from("not an archive"), bytes.subarray(0, 60)]) {
      writeFileSync(packed, damaged);
      await expect(unpackSource(source, packed, makeDirectory())).rejects.toMatchObject({
        code: "bad_workspace",
      });
    }
  });
});

it("an empty directory needs nothing", async () => {
  const { source, packed } = await pack({ empty: true });
  expect(await unpackSource(source, packed, makeDirectory())).toEqual({ kind: "empty" });
});
