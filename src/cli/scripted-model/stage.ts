import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { prepareAgent } from "../../testing/environment.js";

/** Where agents meet the scripted model: a directory to work in, and an empty home for each of them. */
export interface Stage {
  workspace: string;
  /** Points an agent at the model. Returns its variables and arguments. */
  prepare(
    agent: string,
    modelUrl: string,
  ): Promise<{ env: Readonly<Record<string, string>>; args: readonly string[] }>;
  /** Removes everything that was made here. */
  remove(): void;
}

/** With a repository, the run records exactly what changed. Without git, it goes on without one. */
function makeRepository(workspace: string): void {
  // Variables such as GIT_DIR would lead to a repository of the user.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  spawnSync("git", ["init", "--quiet", "--template=", workspace], { env, stdio: "ignore" });
}

/** `cwd` is a directory of the user's own: no files are written to it, and it stays. */
export function createStage(files: Readonly<Record<string, string>>, cwd: string | undefined): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-scripted-model-")));
  const workspace = cwd === undefined ? join(root, "workspace") : resolve(cwd);
  if (cwd === undefined) {
    mkdirSync(workspace);
    for (const [name, content] of Object.entries(files)) {
      const path = join(workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    }
    makeRepository(workspace);
  }
  return {
    workspace,
    async prepare(agent, modelUrl) {
      const home = join(root, agent);
      mkdirSync(home);
      return prepareAgent(agent, { home, workspace, modelUrl });
    },
    // A program that is just ending may still write to its home.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
