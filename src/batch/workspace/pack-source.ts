import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, openSync, writeFileSync, writeSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badWorkspace, git, tryGit } from "../../runs/changes/git.js";
import { createPrivateRepository } from "../../runs/changes/private-repository.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { openNew } from "../../runs/files/open-file.js";
import { cleanText } from "../../text/clean-text.js";
import type { Source } from "../model/source.js";
import { hashTree } from "./copy-tree.js";
import { borrowHistory } from "./own-repository.js";
import { removeTree } from "./remove-tree.js";
import { repositoryFacts } from "./repository.js";
import { snapshotOf } from "./snapshot.js";
import { refuseUnsafeArchive } from "./tar-entries.js";

export interface PackOptions {
  snapshots: string;
  /** The file to write. */
  to: string;
  /** A history that takes more is left out: only the commit is packed. Default 256 MiB. */
  maxHistoryBytes?: number | undefined;
}

const defaultMaxHistoryBytes = 256 * 1024 * 1024;

type GitSource = Extract<Source, { kind: "git" }>;
type CopySource = Extract<Source, { kind: "copy" }>;

/**
 * Writes a source to one file, for another machine. A repository is a git bundle with the history of the commit, in a tar archive
 * beside the list of commits at which a shallow history ends. A copy is a compressed tar archive. Returns what the other machine will
 * not have, in sentences.
 */
export async function packSource(source: Source, options: PackOptions): Promise<string[]> {
  const { to, snapshots, maxHistoryBytes = defaultMaxHistoryBytes } = options;
  makeDirectories(dirname(to));
  if (source.kind === "empty") closeSync(openNew(to));
  if (source.kind === "copy") await tar(["-czf", "-", "-C", snapshotOf(snapshots, source.hash), "."], { to });
  return source.kind === "git" ? packHistory(source, to, maxHistoryBytes) : [];
}

/**
 * Unpacks what `packSource` wrote into a directory, which is then the place of the snapshots. Returns a source that works on this machine.
 * Throws a `HarnessError` if the file would write elsewhere, or does not have the commit or the content of the source. A source
 * that is there already is not unpacked again.
 */
export async function unpackSource(source: Source, packed: string, directory: string): Promise<Source> {
  makeDirectories(directory);
  if (source.kind === "copy") await unpackCopy(source, packed, directory);
  return source.kind === "git" ? unpackHistory(source, packed, directory) : source;
}

const bundleName = "history.bundle";
const shallowName = "shallow";
const branch = "refs/heads/main";

async function packHistory(source: GitSource, to: string, maxBytes: number): Promise<string[]> {
  const { repository, commit } = source;
  const facts = await repositoryFacts(repository, commit);
  return inDraft(`${to}-draft`, async (draft) => {
    const own = join(draft, "own");
    const config = join(draft, "config");
    await writeFile(config, configFor(facts.format));
    await createPrivateRepository(own, { config });
    await borrowHistory(own, facts);
    await writeFile(
      join(own, "packed-refs"),
      Buffer.concat([Buffer.from(`${commit} ${branch}\n`), facts.tags]),
    );
    const bundle = join(draft, bundleName);
    const isWhole = await writeBundle(own, bundle, maxBytes);
    if (!isWhole) {
      await writeFile(join(own, "packed-refs"), `${commit} ${branch}\n`);
      await writeFile(join(own, shallowName), `${commit}\n`);
      await writeBundle(own, bundle, Number.POSITIVE_INFINITY);
    }
    await writeFile(join(draft, shallowName), await readFile(join(own, shallowName)).catch(() => ""));
    await tar(["-cf", "-", "-C", draft, bundleName, shallowName], { to });
    if (isWhole) return [];
    const limit = Math.round(maxBytes / 1024 ** 2);
    return [
      `${repository}: its history is larger than ${limit} MiB, so workers on other machines get the commit without it`,
    ];
  });
}

/** False if it is larger than allowed. */
async function writeBundle(gitDirectory: string, path: string, maxBytes: number): Promise<boolean> {
  const file = openNew(path);
  let size = 0;
  try {
    await git(["bundle", "create", "-q", "-", "--all"], {
      cwd: gitDirectory,
      env: { GIT_DIR: gitDirectory },
      onOutput(piece) {
        size += piece.length;
        if (size > maxBytes) return false;
        for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
        return true;
      },
    });
  } finally {
    closeSync(file);
  }
  return size <= maxBytes;
}

function configFor(format: string): string {
  const extension = format === "sha1" ? "" : `[extensions]\n\tobjectformat = ${format}\n`;
  return `[core]\n\trepositoryformatversion = ${format === "sha1" ? 0 : 1}\n\tbare = true\n${extension}`;
}

async function unpackHistory(source: GitSource, packed: string, directory: string): Promise<Source> {
  const { commit } = source;
  // The name of the repository is the name of the workspaces.
  const repository = join(directory, commit, basename(source.repository) || "repository");
  const unpacked: Source = { ...source, repository };
  if (existsSync(repository)) return unpacked;
  await mkdir(dirname(repository), { recursive: true, mode: 0o700 });
  return inDraft(repository, async (draft) => {
    await refuseUnsafeArchive(packed, { isZipped: false });
    await tar(["-xf", "-", "-C", draft, "--no-same-owner", bundleName, shallowName], { from: packed });
    const own = join(draft, "own");
    await writeFile(join(draft, "config"), configFor(commit.length === 40 ? "sha1" : "sha256"));
    await createPrivateRepository(own, { config: join(draft, "config") });
    const shallow = await readFile(join(draft, shallowName), "latin1");
    if (!/^(?:[0-9a-f]{40,64}\n)*$/.test(shallow)) throw damaged();
    if (shallow !== "") writeFileSync(join(own, shallowName), shallow);
    const fetch = ["fetch", "-q", "--no-write-fetch-head", join(draft, bundleName), "refs/*:refs/*"];
    const fetched = await tryGit(fetch, { cwd: own, env: { GIT_DIR: own, GIT_ALLOW_PROTOCOL: "file" } });
    if (!fetched.isSuccess) throw damaged(fetched.complaint);
    const verify = ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`];
    const { isSuccess } = await tryGit(verify, { cwd: own, env: { GIT_DIR: own } });
    if (!isSuccess)
      throw badWorkspace(`the packed source does not have the commit ${commit}; it has to be packed again`);
    await keepFirst(own, repository);
    return unpacked;
  });
}

async function unpackCopy({ hash }: CopySource, packed: string, directory: string): Promise<void> {
  const snapshot = snapshotOf(directory, hash);
  if (existsSync(snapshot)) return;
  await inDraft(snapshot, async (draft) => {
    await refuseUnsafeArchive(packed, { isZipped: true });
    const content = join(draft, "content");
    await mkdir(content, { mode: 0o700 });
    await tar(["-xzpf", "-", "-C", content, "--no-same-owner"], { from: packed });
    if ((await hashTree(content)) !== hash)
      throw badWorkspace(
        "the packed source does not have the content of the batch; it has to be packed again",
      );
    await keepFirst(content, snapshot);
  });
}

/** Another worker may have been faster, with the same content. */
async function keepFirst(draft: string, path: string): Promise<void> {
  await rename(draft, path).catch((error: unknown) => {
    if (!existsSync(path)) throw error;
  });
}

/** Works in a directory beside `path`, which is removed afterwards. */
async function inDraft<Result>(path: string, act: (draft: string) => Promise<Result>): Promise<Result> {
  const draft = `${path}.${randomUUID()}`;
  await mkdir(draft, { mode: 0o700 });
  try {
    return await act(draft);
  } finally {
    await removeTree(draft);
  }
}

/** Runs the system's tar. The archive is its input or output: a name with a colon would be taken for another machine. */
async function tar(args: readonly string[], archive: { to: string } | { from: string }): Promise<void> {
  const file = "to" in archive ? openNew(archive.to) : openSync(archive.from, "r");
  try {
    await runTar(args, "to" in archive ? ["ignore", file, "pipe"] : [file, "ignore", "pipe"]);
  } finally {
    closeSync(file);
  }
}

function runTar(args: readonly string[], stdio: ("ignore" | "pipe" | number)[]): Promise<void> {
  // `TAR_OPTIONS` would add to the arguments.
  const { TAR_OPTIONS, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn("tar", args, { stdio, env: { ...env, LC_ALL: "C" } });
    const errors: Buffer[] = [];
    child.stderr?.on("data", (piece: Buffer) => errors.push(piece));
    child.on("error", (error) => reject(badWorkspace("tar could not be started; install it", error)));
    child.on("close", (code) => {
      const complaint = cleanText(Buffer.concat(errors).toString("utf8")).trim().split("\n")[0] ?? "";
      if (code === 0) resolve();
      else
        reject(
          badWorkspace(`the source cannot be packed or unpacked: ${complaint || `tar ended with ${code}`}`),
        );
    });
  });
}

function damaged(complaint = ""): Error {
  const reason = complaint === "" ? "it is damaged" : complaint;
  return badWorkspace(`the packed source is not unpacked: ${reason}; it has to be packed again`);
}
