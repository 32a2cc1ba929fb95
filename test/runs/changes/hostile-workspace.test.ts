import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeDirectory, makeRepository, userGit, writeFiles } from "../../batch/workspace/places.js";
import { changesOf, useDataDirectory, watch } from "./watched.js";

let privatePlaces = "";
beforeEach(() => {
  privatePlaces = useDataDirectory();
});

/** A program that leaves a mark if anything starts it. */
function makeTrap(): { trap: string; mark: string } {
  const mark = join(makeDirectory(), "started");
  const trap = join(makeDirectory(), "trap.sh");
  writeFileSync(trap, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  chmodSync(trap, 0o755);
  return { trap, mark };
}

describe("a hostile workspace", () => {
  it("cannot contain the private repository: an agent in a sandbox could give it filters", async () => {
    const root = makeRepository();
    process.env["XDG_DATA_HOME"] = join(root, "data");
    await expect(watch(root)).rejects.toThrow(/set XDG_DATA_HOME to a directory outside of it/);
    const linked = join(makeDirectory(), "link");
    symlinkSync(join(root, "data"), linked);
    process.env["XDG_DATA_HOME"] = linked;
    await expect(watch(root)).rejects.toThrow(/set XDG_DATA_HOME to a directory outside of it/);
    expect(readdirSync(join(linked, "harness", "changes"))).toEqual([]);
  });

  it("makes git fetch nothing that is missing, from wherever it names", async () => {
    const { trap, mark } = makeTrap();
    for (const url of [`ext::${trap}`, makeRepository(), "ssh://nowhere.invalid/x"]) {
      const root = makeRepository({ "a.txt": "a\n" });
      const settings = {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": url,
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": trap,
        "core.sshCommand": trap,
        "protocol.ext.allow": "always",
      };
      for (const [name, value] of Object.entries(settings)) userGit(root, "config", name, value);
      rmSync(join(root, ".git", "objects"), { recursive: true });
      mkdirSync(join(root, ".git", "objects"));
      await changesOf(root, () => writeFiles(root, { "n.txt": "n\n" })).catch(() => undefined);
      expect(existsSync(mark)).toBe(false);
    }
  });

  it("has its files copied only if they can be an index", async () => {
    const root = makeRepository();
    truncateSync(join(root, ".git", "index"), 5 * 1024 ** 3);
    await expect(watch(root)).rejects.toThrow(/index is too large to be copied/);
    expect(readdirSync(privatePlaces)).toEqual([]);
  });

  it("may have pipes, loops and endless files where git has its own", async () => {
    const root = makeRepository({ "a.txt": "a\n" });
    rmSync(join(root, ".git", "info"), { recursive: true, force: true });
    mkdirSync(join(root, ".git", "info"));
    writeFileSync(join(root, ".git", "info", "exclude"), "");
    truncateSync(join(root, ".git", "info", "exclude"), 5 * 1024 ** 3);
    execFileSync("mkfifo", [join(root, ".git", "sharedindex.1"), join(root, "pipe")]);
    symlinkSync("loop", join(root, "loop"));
    symlinkSync("/dev/zero", join(root, "zero"));
    mkdirSync(join(root, "nested"));
    writeFileSync(join(root, "nested", ".git"), "gitdir: .git\n");
    const found = await changesOf(root, () => {
      writeFiles(root, { "a.txt": "b\n" });
      execFileSync("mkfifo", [join(root, "other-pipe")]);
      symlinkSync(".", join(root, "here"));
    });
    expect(found.files.map(({ path }) => path)).toEqual(expect.arrayContaining(["a.txt", "here"]));
  });
});
