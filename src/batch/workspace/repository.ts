import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { badWorkspace, git, tryGit } from "../../runs/changes/git.js";

/** A repository that a task names, as git sees it. */
export interface FoundRepository {
  /** The root of its checkout, or the repository itself if it is bare. */
  root: string;
  isBare: boolean;
  /** The named directory below the root: `packages/cart`, or empty. */
  directory: string;
}

/** Finds the repository that a directory belongs to. `path` exists. */
export async function findRepository(path: string): Promise<FoundRepository> {
  const query = ["rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-prefix"];
  const { isSuccess, output, complaint } = await tryGit(query, { cwd: path });
  if (!isSuccess) throw badWorkspace(`${path}: ${wordsFor(complaint)}`);
  const [isBare, isInside, directory = ""] = linesOf(output);
  if (isBare === "true") {
    const [root = path] = linesOf(await git(["rev-parse", "--git-dir"], { cwd: path }));
    return { root: resolve(path, root), isBare: true, directory: "" };
  }
  if (isInside !== "true")
    throw badWorkspace(`${path} is inside of a .git directory; name the checkout instead`);
  const [root = path] = linesOf(await git(["rev-parse", "--show-toplevel"], { cwd: path }));
  return { root, isBare: false, directory: directory.replace(/\/$/, "") };
}

function wordsFor(complaint: string): string {
  if (/^not a git repository/.test(complaint))
    return "it is not a git repository; run `git init` and commit there, or use { copy = … }";
  if (/dubious ownership/.test(complaint))
    return "the repository belongs to another user; if you trust it, allow it with `git config --global --add safe.directory`";
  return `git cannot read the repository: ${complaint}`;
}

/** The commit that a branch, a tag or an abbreviated id means now. */
export async function resolveCommit({ root }: FoundRepository, ref: string): Promise<string> {
  const query = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const { isSuccess, output } = await tryGit(query, { cwd: root });
  const [commit = ""] = linesOf(output);
  if (isSuccess && commit !== "") return commit;
  if (ref === "HEAD") throw badWorkspace(`the repository ${root} has no commit yet; commit something first`);
  throw badWorkspace(`the repository ${root} has no commit "${ref}"; check the \`ref\`, or fetch it first`);
}

/** What a workspace needs to know about its repository. */
export interface RepositoryFacts {
  /** Where its objects are. */
  objects: string;
  /** The id of the commit's tree. */
  tree: string;
  /** `sha1` or `sha256`. */
  format: string;
  /** Where the history of a shallow clone ends. */
  shallow: Buffer | undefined;
  /** The tags that the commit contains, in the format of git's `packed-refs`. */
  tags: Buffer;
  /** Who commits. */
  name: string;
  email: string;
}

const known = new Map<string, Promise<RepositoryFacts>>();

/** The facts do not change while a batch runs, so each repository is asked once. */
export function repositoryFacts(repository: string, commit: string): Promise<RepositoryFacts> {
  const key = `${commit} ${repository}`;
  const facts = known.get(key) ?? readFacts(repository, commit);
  known.set(key, facts);
  // What is wrong with a repository may be put right.
  facts.catch(() => known.delete(key));
  return facts;
}

async function readFacts(cwd: string, commit: string): Promise<RepositoryFacts> {
  const { isSuccess, output } = await tryGit(["rev-parse", "--verify", "--quiet", `${commit}^{tree}`], {
    cwd,
  });
  if (!isSuccess)
    throw badWorkspace(`the repository ${cwd} does not have the commit ${commit} any more; fetch it again`);
  const query = ["rev-parse", "--show-object-format", "--git-path", "objects", "--git-path", "shallow"];
  const [format = "sha1", objects = "", shallow = ""] = linesOf(await git(query, { cwd }));
  const list = ["for-each-ref", `--merged=${commit}`, "--format=%(objectname) %(refname)", "refs/tags"];
  return {
    objects: resolve(cwd, objects),
    tree: output.toString("latin1").trim(),
    format,
    shallow: await readFile(resolve(cwd, shallow)).catch(() => undefined),
    tags: await git(list, { cwd }),
    name: (await settingOf(cwd, "user.name")) ?? "harness",
    email: (await settingOf(cwd, "user.email")) ?? "harness@localhost",
  };
}

async function settingOf(cwd: string, key: string): Promise<string | undefined> {
  const { isSuccess, output } = await tryGit(["config", "--get", key], { cwd });
  return isSuccess ? linesOf(output)[0] : undefined;
}

export function linesOf(output: Buffer): string[] {
  return output.toString("utf8").split("\n");
}
