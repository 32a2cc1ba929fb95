import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Isolation } from "../../../src/agents/isolation.js";
import {
  type PreparedAgent,
  prepareAgent,
  type Scenario,
  type ScriptedModel,
  startScriptedModel,
} from "../../../src/testing/index.js";
import { isObject } from "../../../src/text/fields.js";
import { type IsolationProfile, markerOf, type PlantedPlace } from "./isolation-profile.js";

const serverScript = fileURLToPath(new URL("mcp-server.mjs", import.meta.url));

/** A user's home with markers in it, a workspace, and a scripted model. */
export interface PlantedHome extends PlantedPlace {
  workspace: string;
  /** The directory for temporary files. */
  temporary: string;
  /** A directory that leads an isolated agent to the scripted model, for `home` of the task. */
  seed: string;
  recordings: string;
  model: ScriptedModel;
  prepared: PreparedAgent;
  /** The whole environment of the user. */
  env: Readonly<Record<string, string>>;
  /** What the agent inherits from the directories above the workspace, one in each of them. */
  inherited: { path: string; marker: string }[];
  close(): Promise<void>;
}

/** What a script may have to know: the directory of the traces, and that of temporary files. */
export type ScriptPlace = Pick<PlantedHome, "seen" | "temporary">;

/**
 * The workspace is neither below the home nor in a repository: an agent that looks for files in the directories above then
 * looks in the most of them.
 */
export async function plantHome(
  profile: IsolationProfile,
  { isolation, script }: { isolation: Isolation | undefined; script(place: ScriptPlace): Scenario },
): Promise<PlantedHome> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "harness-planted-")));
  const names = ["home", "outside", "seen", "temporary", "seed", "recordings"];
  const folders = names.map((name) => join(root, name));
  for (const folder of folders) mkdirSync(folder);
  const [home = "", outside = "", seen = "", temporary = "", seed = "", recordings = ""] = folders;
  const { inherited, below } = plantInherited(profile, isolation, { outside, seen });
  const workspace = join(below, "workspace");
  mkdirSync(workspace);
  const model = await startScriptedModel({
    scenario: script({ seen, temporary }),
    agent: profile.agent,
    workspace,
  });
  const prepared = await prepareAgent(profile.agent, { home, workspace, modelUrl: model.url });
  await prepareAgent(profile.agent, { home: seed, workspace, modelUrl: model.url });
  const server = { command: process.execPath, args: [serverScript, join(seen, markerOf("mcp"))] };
  const place = { home, seen, server };
  for (const [name, content] of Object.entries({ ...profile.planted(place), ...profile.credentials }))
    plant(join(home, name), content);
  return {
    ...place,
    workspace,
    temporary,
    seed,
    recordings,
    model,
    prepared,
    inherited,
    env: {
      ...prepared.env,
      ...profile.env?.(place),
      PATH: process.env["PATH"] ?? "",
      TMPDIR: temporary,
    },
    async close() {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Plants everything that the agent inherits, each in a directory of its own: in one directory, some agents read only the first. */
function plantInherited(
  profile: IsolationProfile,
  { inherited = [], inheritedOutsideRepositories = [] }: Partial<Isolation> = {},
  { outside, seen }: { outside: string; seen: string },
): { inherited: PlantedHome["inherited"]; below: string } {
  const planted: PlantedHome["inherited"] = [];
  let below = outside;
  for (const name of [...inherited, ...inheritedOutsideRepositories]) {
    const how = profile.inherited?.[name] ?? { content: "The word is {marker}.\n" };
    if (typeof how === "string") continue;
    below = join(below, `d${planted.length}`);
    const marker = markerOf(`inherited-${planted.length}`);
    plant(
      join(below, name, how.file ?? ""),
      how.content.replaceAll("{marker}", marker).replaceAll("{seen}", seen),
    );
    planted.push({ path: join(below, name), marker });
  }
  return { inherited: planted, below };
}

/** Writes a file. If it exists, JSON is merged into it, and anything else is appended. */
function plant(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (before === undefined) writeFileSync(path, content, { mode: 0o600 });
  else if (path.endsWith(".json"))
    writeFileSync(path, JSON.stringify(merge(JSON.parse(before), JSON.parse(content))));
  else writeFileSync(path, `${before}\n${content}`);
}

function merge(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return other;
  const merged = Object.entries(other).map(([key, value]) => [key, merge(one[key], value)]);
  return { ...one, ...Object.fromEntries(merged) };
}

/** Runs something as a user with this environment. A test file has a process of its own, in which its tests run one after the other. */
export async function asUser<Result>(
  env: Readonly<Record<string, string>>,
  action: () => Promise<Result>,
): Promise<Result> {
  const own = { ...process.env };
  replaceEnvironment(env);
  try {
    return await action();
  } finally {
    replaceEnvironment(own);
  }
}

function replaceEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}
