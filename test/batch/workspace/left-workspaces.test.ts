import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import type { Source } from "../../../src/batch/model/source.js";
import { removeLeftWorkspaces } from "../../../src/batch/workspace/open-workspace.js";
import { runShellStep } from "../../../src/batch/workspace/shell-step.js";
import {
  asOrdinaryUser,
  contentOf,
  makeDirectory,
  makePlaces,
  makeRepository,
  open,
  reopen,
  resolveOne,
  writeFiles,
} from "./places.js";

describe("workspaces that a killed process has left", () => {
  it("are removed, and nothing else in the directory is", async () => {
    const places = makePlaces();
    const repository = makeRepository();
    const before = contentOf(repository, []);
    const copied = makeDirectory();
    writeFiles(copied, { "a.txt": "a\n" });
    for (const workspace of [{ git: repository }, { copy: copied }, { empty: true as const }]) {
      const { directory } = await open(workspace, places);
      writeFiles(directory, { "new.txt": "new\n" });
    }
    writeFiles(places.work, {
      "mine/file.txt": "mine\n",
      "c0123456789abcde-mine/file.txt": "mine\n",
      "notes.txt": "n\n",
    });
    mkdirSync(join(places.work, "empty"));
    // Killed between two steps.
    mkdirSync(join(places.work, "c0123456789abcde-begun"));
    symlinkSync(copied, join(places.work, "link"));
    await removeLeftWorkspaces(places.work);
    expect(readdirSync(places.work).sort()).toEqual([
      "c0123456789abcde-mine",
      "empty",
      "link",
      "mine",
      "notes.txt",
    ]);
    expect(readdirSync(copied)).toEqual(["a.txt"]);
    expect(contentOf(repository, [])).toEqual(before);
  });

  it("are removed if their repository is gone, and if nobody may write to them", async () => {
    await asOrdinaryUser(async () => {
      const places = makePlaces();
      const repository = makeRepository();
      const { directory } = await open({ git: repository }, places);
      writeFiles(directory, { "locked/deep/file": "f" });
      chmodSync(join(directory, "locked", "deep"), 0o500);
      chmodSync(join(directory, "locked"), 0o500);
      rmSync(repository, { recursive: true });
      await removeLeftWorkspaces(places.work);
      expect(readdirSync(places.work)).toEqual([]);
      await removeLeftWorkspaces(join(places.directory, "never-made"));
    });
  });

  it("are removed after SIGKILL at any moment, and the repository is as it was", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`d${at % 9}/f${at}.txt`, `${at}\n`]),
    );
    const repository = makeRepository(files);
    const before = contentOf(repository, []);
    const places = makePlaces();
    const { source } = await resolveOne({ git: repository }, places);
    if (source.kind !== "git") throw new Error("not a git source");
    const program = await bundle("open-workspace");
    for (let round = 0; round < 12; round++) {
      const child = spawn(
        process.execPath,
        ["--input-type=module", "-e", openerOf(program, source, places)],
        {
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      await once(child.stdout, "data");
      await sleep(7 * round);
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(readdirSync(places.work)).not.toEqual([]);
      await removeLeftWorkspaces(places.work);
      expect(readdirSync(places.work)).toEqual([]);
    }
    expect(contentOf(repository, [])).toEqual(before);
  });
});

/** A module of the workspace, as a file that Node can load. */
async function bundle(name: string): Promise<string> {
  const input = fileURLToPath(new URL(`../../../src/batch/workspace/${name}.ts`, import.meta.url));
  const bundled = await rolldown({ input, platform: "node", logLevel: "silent" });
  const file = join(makeDirectory(), `${name}.mjs`);
  await bundled.write({ file, format: "esm" });
  await bundled.close();
  return file;
}

/** A program that opens and closes workspaces, several at once, until it is killed. */
function openerOf(
  module: string,
  source: Source,
  { work, sources }: { work: string; sources: string },
): string {
  return `
    import { openWorkspace } from ${JSON.stringify(module)};
    let runs = 0;
    async function work() {
      for (;;) {
        const directory = ${JSON.stringify(work)} + "/c0123456789abcde-" + process.pid + "-" + runs++;
        const { close } = await openWorkspace(${JSON.stringify(source)}, { directory, snapshots: ${JSON.stringify(sources)} });
        await close();
      }
    }
    for (let count = 0; count < 4; count++) work();
    console.log("begun");`;
}

/** A disk of this size, for one test. */
async function onSmallDisk(size: string, act: (disk: string) => Promise<void>): Promise<void> {
  const disk = makeDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk]);
  try {
    await act(disk);
  } finally {
    execFileSync("umount", ["-l", disk]);
  }
}

const canMount = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe.skipIf(!canMount || process.geteuid?.() !== 0)("a disk that is full", () => {
  it("is a clear error when a workspace is made, and nothing of it is left", async () => {
    const large = { "large.bin": Buffer.alloc(4 * 1024 * 1024, "x"), "a.txt": "a\n" };
    const copied = makeDirectory();
    writeFiles(copied, large);
    for (const workspace of [{ git: makeRepository(large) }, { copy: copied }]) {
      const places = makePlaces();
      const { source } = await resolveOne(workspace, places);
      await onSmallDisk("1m", async (disk) => {
        await expect(reopen(source, { ...places, work: disk })).rejects.toMatchObject({
          code: "bad_workspace",
        });
        await expect(reopen(source, { ...places, work: disk })).rejects.toThrow(
          /disk is full|No space left|unable to write|failed/,
        );
        expect(readdirSync(disk)).toEqual([]);
      });
    }
  });

  it("is a clear error when a directory is copied", async () => {
    const copied = makeDirectory();
    writeFiles(copied, { "large.bin": Buffer.alloc(4 * 1024 * 1024, "x") });
    await onSmallDisk("1m", async (disk) => {
      await expect(resolveOne({ copy: copied }, makePlaces(disk))).rejects.toThrow(/the disk is full/);
      expect(readdirSync(join(disk, "sources"))).toEqual([]);
    });
  });

  it("is a clear error when changes are written", async () => {
    await onSmallDisk("64k", async (disk) => {
      const { directory, changes } = await open({ empty: true });
      writeFiles(directory, { "a.txt": "0123456789\n".repeat(100_000) });
      await expect(changes(join(disk, "p"))).rejects.toMatchObject({ code: "bad_workspace" });
      await expect(changes(join(disk, "p"))).rejects.toThrow(/the disk is full/);
    });
  });

  it("does not fail a command whose log does not fit", async () => {
    await onSmallDisk("64k", async (disk) => {
      const { isSuccess, tail } = await runShellStep({
        command: "head -c 500000 /dev/zero | tr '\\0' 'x'; echo; echo fine",
        cwd: makeDirectory(),
        runId: "c0123456789abcde-disk",
        timeoutMs: 30_000,
        logPath: join(disk, "check.log"),
      });
      expect(isSuccess).toBe(true);
      expect(tail).toBe("fine\n[the log could not be written: the disk is full]");
    });
  });
});
