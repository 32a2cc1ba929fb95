import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { splitPatch } from "../../src/story/patch-files.js";
import { patch } from "../page/patches.js";

describe("the files of a patch", () => {
  it("are those that git itself counts, whatever their names and lines are", () => {
    const directory = mkdtempSync(join(tmpdir(), "harness-patch-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
        cwd: directory,
        encoding: "utf8",
      });
    const write = (name: string, text: string | Buffer): void => writeFileSync(join(directory, name), text);
    git("init", "-q");
    mkdirSync(join(directory, "dir with space"));
    write("a.txt", "one\n-- two\n++ three\ndiff --git a/x b/x\n");
    write('täst \t"x".txt', "old\n");
    write("moved.txt", "the same\n".repeat(20));
    write("gone.txt", "gone\n");
    write("image.bin", Buffer.from([0, 1, 2, 0]));
    git("add", "-A");
    git("commit", "-qm", "first");
    write("a.txt", "one\n-- changed\n++ three\n");
    write('täst \t"x".txt', "new");
    renameSync(join(directory, "moved.txt"), join(directory, "dir with space", "b b.txt"));
    rmSync(join(directory, "gone.txt"));
    write("image.bin", Buffer.from([0, 1, 3, 0]));
    write("empty.txt", "");
    git("add", "-A");
    const files = splitPatch(git("diff", "--cached", "-M"));
    const counted = git("diff", "--cached", "-M", "--numstat", "-z")
      .split("\0")
      .filter((part) => part.includes("\t"))
      .map((part) => part.split("\t").slice(0, 2));
    expect(files.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual(
      [
        "modified a.txt",
        "renamed dir with space/b b.txt",
        "added empty.txt",
        "deleted gone.txt",
        "modified image.bin",
        'modified täst \t"x".txt',
      ].sort(),
    );
    const sum = (index: number): number =>
      counted.reduce((total, counts) => total + (Number(counts[index]) || 0), 0);
    expect(files.reduce((total, { insertions }) => total + insertions, 0)).toBe(sum(0));
    expect(files.reduce((total, { deletions }) => total + deletions, 0)).toBe(sum(1));
    expect(files.find(({ kind }) => kind === "renamed")?.from).toBe("moved.txt");
    expect(files.find(({ path }) => path === "image.bin")).toMatchObject({ isBinary: true, text: "" });
  });

  it("are found whatever the text is, and nothing throws", () => {
    const part = fc.constantFrom(
      "diff --git ",
      "a/x b/x",
      "\n",
      "@@ -1 +1 @@",
      "+",
      "-",
      '"',
      "\\303",
      "rename to ",
      "/dev/null",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        for (const file of splitPatch(parts.join(""))) expect(typeof file.path).toBe("string");
      }),
    );
    expect(splitPatch("no patch")).toEqual([]);
    expect(splitPatch(patch)).toHaveLength(6);
  });
});

describe("a patch of somebody else", () => {
  // Each of these threw, or took minutes: a test that takes so long fails.
  it.each([
    [
      "a name without end",
      `diff --git a/x b/x\n--- a/x\n+++ "b/${"y".repeat(1_000_000)}"\n@@ -1 +1 @@\n-a\n+b\n`,
    ],
    ["escapes without end", `diff --git a/x "b/${'\\"'.repeat(300_000)}x\n`],
    ["quotes without end", `diff --git ${'"\\'.repeat(300_000)}\n`],
    ["tabs without end", `diff --git a/x b/x\n+++ b/${"\t".repeat(300_000)}x\n`],
    ["many files", "diff --git a/x b/x\n".repeat(5_000)],
  ])("may have %s", (_, text) => {
    expect(splitPatch(text).length).toBeGreaterThan(0);
  });

  it("may be anything", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "diff --git ",
        "\n",
        '"',
        "\\",
        "\\303",
        "a/",
        "b/",
        "--- ",
        "+++ ",
        "@@ ",
        "rename to ",
        "\t",
      ),
      fc.constantFrom("GIT binary patch", "new file mode 1", "/dev/null", "\r", " ", "Binary files "),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { path, insertions, deletions } of splitPatch(pieces.join(""))) {
          expect(typeof path).toBe("string");
          expect(insertions + deletions).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
