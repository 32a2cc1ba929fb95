import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import {
  type ModelApi,
  type PreparedAgent,
  prepareAgent,
  type Scenario,
  type ScriptedModel,
  startScriptedModel,
} from "../../src/testing/index.js";

/** Everything a run needs besides the agent: an empty home, a new workspace and a model. */
export interface Stage {
  home: string;
  workspace: string;
  model: ScriptedModel;
  prepared: PreparedAgent;
  /** The whole environment of `harness`. Only PATH is inherited. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export interface StageOptions {
  agent: string;
  script: Scenario;
  files: Readonly<Record<string, string>>;
  /** No server listens at the model's address. */
  isRefused?: boolean | undefined;
  api?: ModelApi | undefined;
  model?: string | undefined;
}

export async function prepareStage(options: StageOptions): Promise<Stage> {
  // Not inside another repository, because agents look for instructions in parent directories.
  const root = mkdtempSync(join(tmpdir(), "harness-real-"));
  const home = join(root, "home");
  const workspace = join(root, "workspace");
  for (const folder of [home, workspace]) mkdirSync(folder);
  for (const [name, content] of Object.entries(options.files)) write(join(workspace, name), content);
  const model = await startScriptedModel({ scenario: options.script, agent: options.agent, workspace });
  const { api, model: modelName } = options;
  const prepared = await prepareAgent(options.agent, {
    home,
    workspace,
    modelUrl: model.url,
    ...(api !== undefined && { api }),
    ...(modelName !== undefined && { model: modelName }),
  });
  if (options.isRefused) await model.close();
  return {
    home,
    workspace,
    model,
    prepared,
    env: { ...prepared.env, PATH: pathWith(join(root, "bin")) },
    async close() {
      if (!options.isRefused) await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Debian calls `fd` `fdfind`; Pi looks for `fd`. */
function pathWith(folder: string): string {
  const path = process.env["PATH"] ?? "";
  const fdfind = path.split(delimiter).map((one) => join(one, "fdfind"));
  const found = fdfind.find((file) => readdirSafely(dirname(file)).includes("fdfind"));
  if (found === undefined) return path;
  mkdirSync(folder);
  symlinkSync(found, join(folder, "fd"));
  return `${folder}${delimiter}${path}`;
}

/** The contents of the files in a folder, by relative path. */
export function filesIn(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [relative(directory, file), readFileSync(file, "utf8")]),
  );
}

function readdirSafely(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
