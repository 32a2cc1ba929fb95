import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import {
  commitAll,
  contentOf,
  makeDirectory,
  makeRepository,
  userGit,
} from "../../batch/workspace/places.js";
import { changesOf, useDataDirectory } from "./watched.js";

beforeEach(() => {
  useDataDirectory();
});

const names = ["a.txt", "b.txt", "c.log", "d e.txt", "src/f.txt", "src/g.log"];
const name = fc.constantFrom(...names);
const texts = fc.array(fc.constantFrom("one", "two", "", "\tthree", "été", "\0bin"), { maxLength: 8 });
const content = fc.tuple(texts, fc.boolean()).map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""));

/** What somebody may do in a checkout. What cannot be done does nothing. */
type Operation = (root: string) => void;

const place = (root: string, path: string): string => join(root, path);
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(name, content).map(
    ([at, text]): Operation =>
      (root) => {
        rmSync(place(root, at), { force: true });
        writeFileSync(place(root, at), text);
      },
  ),
  fc.tuple(name, content).map(
    ([at, text]): Operation =>
      (root) => {
        if (isFile(place(root, at))) appendFileSync(place(root, at), text);
      },
  ),
  name.map(
    (at): Operation =>
      (root) =>
        rmSync(place(root, at), { force: true }),
  ),
  fc.tuple(name, name).map(
    ([from, to]): Operation =>
      (root) => {
        if (isThere(place(root, from))) renameSync(place(root, from), place(root, to));
      },
  ),
  fc.tuple(name, fc.constantFrom(0o755, 0o644)).map(
    ([at, mode]): Operation =>
      (root) => {
        if (isFile(place(root, at))) chmodSync(place(root, at), mode);
      },
  ),
  fc.tuple(name, fc.constantFrom("a.txt", "nowhere", "src")).map(
    ([at, to]): Operation =>
      (root) => {
        rmSync(place(root, at), { force: true });
        symlinkSync(to, place(root, at));
      },
  ),
  fc.constant<Operation>((root) => void commitAll(root, "theirs")),
  fc.constantFrom("main", "other").map(
    (branch): Operation =>
      (root) => {
        userGit(root, "checkout", "-q", "-f", branch);
        // Git removes directories that it has emptied.
        if (!existsSync(place(root, "src/keep"))) throw new Error("src is gone");
      },
  ),
  fc.constantFrom("*.log\n", "", "src/f.txt\n", "!*.log\n").map(
    (text): Operation =>
      (root) => {
        writeFileSync(place(root, ".gitignore"), text);
      },
  ),
);

/** What is in a directory, as a tree in a repository outside of it. */
function treeOf(directory: string, repository: string): string {
  const there = ["--git-dir", repository, "--work-tree", directory];
  userGit(directory, ...there, "add", "-A", "--force");
  return userGit(directory, ...there, "write-tree");
}

/** A copy of all files that git does not ignore. */
function stateOf(root: string): string {
  const copy = join(makeDirectory(), "state");
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  userGit(copy, "clean", "-q", "-f", "-d", "-X");
  rmSync(join(copy, ".git"), { recursive: true });
  return copy;
}

function makeTemplate(): string {
  const root = makeRepository({
    "a.txt": "one\ntwo\nthree\nfour\nfive\n",
    "b.txt": "b\n",
    "src/f.txt": "f\n",
    "src/keep": "",
    ".gitignore": "*.log\n",
  });
  userGit(root, "checkout", "-q", "-b", "other");
  writeFileSync(join(root, "a.txt"), "one\nTWO\nthree\nfour\nfive\nsix\n");
  rmSync(join(root, "b.txt"));
  commitAll(root, "other");
  userGit(root, "checkout", "-q", "main");
  return root;
}

it("the patch makes the state at the end out of the state at the start, whatever happened between them", async () => {
  const template = makeTemplate();
  const repository = join(makeDirectory(), "states.git");
  userGit(template, "init", "-q", "--bare", repository);
  const operations = fc.array(operation, { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(operations, operations, async (before, during) => {
      const root = join(makeDirectory(), "root");
      cpSync(template, root, { recursive: true, verbatimSymlinks: true });
      for (const act of before) act(root);
      const start = stateOf(root);
      const found = await changesOf(root, () => {
        for (const act of during) act(root);
      });
      const end = stateOf(root);
      const trees = [treeOf(start, repository), treeOf(end, repository)];
      const counted = userGit(root, "--git-dir", repository, "diff-tree", "-r", "--numstat", "-M", ...trees);
      const sum = (column: number): number =>
        counted.split("\n").reduce((all, line) => all + (Number(line.split("\t")[column]) || 0), 0);
      expect(found).toMatchObject({ insertions: sum(0), deletions: sum(1) });
      const patch = join(makeDirectory(), "changes.patch");
      writeFileSync(patch, found.patch);
      if (found.patch.length > 0) userGit(start, "apply", "--whitespace=nowarn", patch);
      expect(contentOf(start)).toEqual(contentOf(end));
    }),
    { numRuns: 15 },
  );
});
