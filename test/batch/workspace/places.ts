import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CheckedPlan, Workspace } from "../../../src/batch/model/plan.js";
import type { Source } from "../../../src/batch/model/source.js";
import { type OpenedWorkspace, openWorkspace } from "../../../src/batch/workspace/open-workspace.js";
import { resolveSources, type SourcePlaces } from "../../../src/batch/workspace/sources.js";

/** A directory of its own for one test. The real path: git reports that one. */
export function makeDirectory(): string {
  return mkdtempSync(join(tmpdir(), "w-"));
}

/** The user's git, as a person would call it: with an identity, and without settings of this machine. */
export function userGit(cwd: string, ...args: string[]): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

export type Files = Readonly<Record<string, string | Buffer>>;

export function writeFiles(directory: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

/** A repository with one commit of these files. */
export function makeRepository(files: Files = { "a.txt": "one\n", "src/b.txt": "two\n" }): string {
  const directory = join(makeDirectory(), "cart");
  mkdirSync(directory);
  userGit(directory, "init", "-q", "-b", "main");
  writeFiles(directory, files);
  commitAll(directory, "first");
  return directory;
}

export function commitAll(directory: string, message: string): string {
  userGit(directory, "add", "-A");
  userGit(directory, "commit", "-q", "-m", message, "--allow-empty");
  return userGit(directory, "rev-parse", "HEAD");
}

export function makePlaces(directory = makeDirectory()): SourcePlaces & { work: string } {
  return { directory, sources: join(directory, "sources"), work: join(directory, "work") };
}

/** A plan with one task for each workspace: `task1`, `task2` … */
export function planOf(...workspaces: Workspace[]): CheckedPlan {
  const tasks = workspaces.map((workspace, at) => ({ id: `task${at + 1}`, prompt: "Do it.", workspace }));
  return {
    name: "test",
    tasks,
    arms: [],
    repeats: 1,
    concurrency: 1,
    limits: {},
    retries: 0,
    isolated: true,
  };
}

export async function resolveOne(
  workspace: Workspace,
  places = makePlaces(),
): Promise<{ source: Source; warnings: string[] }> {
  const { sources, warnings } = await resolveSources(planOf(workspace), places);
  const source = sources["task1"];
  if (source === undefined) throw new Error("the task has no source");
  return { source, warnings };
}

let runs = 0;

/** Resolves and opens a workspace. */
export async function open(
  workspace: Workspace,
  places = makePlaces(),
): Promise<OpenedWorkspace & { place: string }> {
  const { source } = await resolveOne(workspace, places);
  return reopen(source, places);
}

/** Opens one more workspace of a source. */
export async function reopen(
  source: Source,
  places: ReturnType<typeof makePlaces>,
): Promise<OpenedWorkspace & { place: string }> {
  runs++;
  const place = join(places.work, `c0123456789abcde-${runs}`);
  const opened = await openWorkspace(source, { directory: place, snapshots: places.sources });
  return { ...opened, place };
}

/** Everything in a directory but `.git`: contents, links, and whether a file can be executed. */
export function contentOf(directory: string, left: readonly string[] = [".git"]): Record<string, string> {
  const content: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(directory.length + 1);
    if (name.split("/").some((part) => left.includes(part))) continue;
    if (entry.isSymbolicLink()) content[name] = `-> ${readlinkSync(path)}`;
    else if (entry.isFile()) content[name] = describeFile(path);
  }
  return Object.fromEntries(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function describeFile(path: string): string {
  const isExecutable = (statSync(path).mode & 0o100) !== 0;
  return `${isExecutable ? "x " : ""}${readFileSync(path).toString("base64")}`;
}

const nobody = 65534;

/** Does something without the rights of root, which permissions do not stop. What `act` makes belongs to that user. */
export async function asOrdinaryUser(act: () => Promise<void>): Promise<void> {
  const { seteuid } = process;
  if (process.geteuid?.() !== 0 || seteuid === undefined) return act();
  const { TMPDIR = tmpdir(), HOME } = process.env;
  const own = mkdtempSync(join(TMPDIR, "nobody-"));
  chmodSync(TMPDIR, 0o755);
  chownSync(own, nobody, nobody);
  Object.assign(process.env, { TMPDIR: own, HOME: own });
  seteuid(nobody);
  try {
    await act();
  } finally {
    seteuid(0);
    Object.assign(process.env, { TMPDIR, HOME });
  }
}
