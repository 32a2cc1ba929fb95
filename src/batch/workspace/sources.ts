import { stat } from "node:fs/promises";
import { isHarnessError, messageOf, problemOf } from "../../errors.js";
import { badWorkspace, tryGit } from "../../runs/changes/git.js";
import type { CheckedPlan, Workspace } from "../model/plan.js";
import type { Source } from "../model/source.js";
import { type FoundRepository, findRepository, resolveCommit } from "./repository.js";
import { takeSnapshot } from "./snapshot.js";

/** Where a batch keeps its files: its own directory, and the snapshots in it. */
export interface SourcePlaces {
  directory: string;
  sources: string;
}

export interface ResolvedSources {
  /** By the task's id. */
  sources: Record<string, Source>;
  warnings: string[];
}

interface Resolved {
  source: Source;
  warnings: readonly string[];
}

/**
 * What the workspaces of each task are made from: a ref becomes the commit that it means now, a directory becomes a snapshot of its
 * content. Throws a `HarnessError` that names the task.
 */
export async function resolveSources(plan: CheckedPlan, places: SourcePlaces): Promise<ResolvedSources> {
  const sources: Record<string, Source> = {};
  const warnings = new Set<string>();
  const seen = new Map<string, Resolved>();
  for (const { id, workspace } of plan.tasks) {
    const key = JSON.stringify(workspace);
    const resolved = seen.get(key) ?? (await resolveFor(id, workspace, places));
    seen.set(key, resolved);
    sources[id] = resolved.source;
    for (const warning of resolved.warnings) warnings.add(warning);
  }
  return { sources, warnings: [...warnings] };
}

async function resolveFor(taskId: string, workspace: Workspace, places: SourcePlaces): Promise<Resolved> {
  try {
    return await resolve(workspace, places);
  } catch (error) {
    const problem = isHarnessError(error) ? messageOf(error) : problemOf(error);
    throw badWorkspace(`task ${taskId}: ${problem}`, error);
  }
}

async function resolve(workspace: Workspace, places: SourcePlaces): Promise<Resolved> {
  if ("git" in workspace) return resolveGit(workspace.git, workspace.ref ?? "HEAD");
  if ("copy" in workspace)
    return takeSnapshot(workspace.copy, { snapshots: places.sources, batch: places.directory });
  return { source: { kind: "empty" }, warnings: [] };
}

async function resolveGit(path: string, ref: string): Promise<Resolved> {
  const found = await stat(path).catch((error: unknown) => {
    throw badWorkspace(`${path} cannot be used as a repository: ${problemOf(error)}`, error);
  });
  if (!found.isDirectory()) throw badWorkspace(`${path} is a file; name the directory of a repository`);
  const repository = await findRepository(path);
  const { root, directory } = repository;
  const commit = await resolveCommit(repository, ref);
  if (directory !== "") await requireDirectory(repository, commit);
  const source: Source = { kind: "git", repository: root, commit };
  if (directory !== "") source.directory = directory;
  const warnings = [
    await changesWarning(repository, commit),
    await submodulesWarning(repository, commit),
    await largeFilesWarning(repository, commit),
  ];
  return { source, warnings: warnings.filter((warning) => warning !== undefined) };
}

async function requireDirectory({ root, directory }: FoundRepository, commit: string): Promise<void> {
  const { output } = await tryGit(["cat-file", "-t", `${commit}:${directory}`], { cwd: root });
  if (output.toString("utf8").trim() === "tree") return;
  throw badWorkspace(
    `the commit ${commit.slice(0, 12)} of ${root} has no directory ${directory}; commit it first`,
  );
}

/** Changed files that a user may expect in the workspaces: those of a checkout that is at this very commit. */
async function changesWarning(
  { root, isBare }: FoundRepository,
  commit: string,
): Promise<string | undefined> {
  if (isBare) return undefined;
  const { output: head } = await tryGit(["rev-parse", "--verify", "--quiet", "HEAD"], { cwd: root });
  if (head.toString("utf8").trim() !== commit) return undefined;
  // Submodules are repositories of their own, with settings that could start programs.
  const status = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"];
  const env = await withoutOwnFilters(root);
  const { isSuccess, output } = await tryGit(status, { cwd: root, env });
  if (!isSuccess) return undefined;
  const count = output.toString("latin1").split("\0").length - 1;
  if (count === 0) return undefined;
  const files = count === 1 ? "1 changed file is" : `${count} changed files are`;
  return `${root}: ${files} not in the workspaces, which are made from the commit ${commit.slice(0, 12)}; commit to have them there`;
}

/** Switches off the filters that a repository defines itself: they are programs. Those of the user's own configuration stay. */
async function withoutOwnFilters(root: string): Promise<Record<string, string>> {
  const query = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const { output } = await tryGit(query, { cwd: root });
  const fields = output.toString("utf8").split("\0");
  const settings = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, name = ""] = fields.slice(at, at + 2);
    const filter = name.slice(0, name.lastIndexOf("."));
    if (scope !== "local" && scope !== "worktree") continue;
    for (const key of ["clean", "smudge", "process"]) settings.set(`${filter}.${key}`, "");
    settings.set(`${filter}.required`, "false");
  }
  const pairs = [...settings].flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key] as const,
    [`GIT_CONFIG_VALUE_${at}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(settings.size), ...Object.fromEntries(pairs) };
}

async function submodulesWarning({ root }: FoundRepository, commit: string): Promise<string | undefined> {
  const { isSuccess } = await tryGit(["cat-file", "-e", `${commit}:.gitmodules`], { cwd: root });
  if (!isSuccess) return undefined;
  return `${root} has submodules, which are empty directories in the workspaces; \`git submodule update --init\` as \`setup\` fills them`;
}

/** Large files are fetched by a filter of the user's configuration. Without it, their pointers are checked out. */
async function largeFilesWarning({ root }: FoundRepository, commit: string): Promise<string | undefined> {
  const { output } = await tryGit(["cat-file", "blob", `${commit}:.gitattributes`], { cwd: root });
  if (!output.includes("filter=lfs")) return undefined;
  const { isSuccess } = await tryGit(["config", "--get", "filter.lfs.process"], { cwd: "/" });
  if (isSuccess) return undefined;
  return `${root} has files of Git LFS, which are pointers in the workspaces; run \`git lfs install\` to have the files there`;
}
