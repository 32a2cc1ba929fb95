import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ModelApi } from "./apis/dialect.js";
import type { AgentSetup } from "./environment/agent-setup.js";
import { claude } from "./environment/claude.js";
import { cline } from "./environment/cline.js";
import { codex } from "./environment/codex.js";
import { copilot } from "./environment/copilot.js";
import { droid } from "./environment/droid.js";
import { gemini } from "./environment/gemini.js";
import { goose } from "./environment/goose.js";
import { grok } from "./environment/grok.js";
import { kimi } from "./environment/kimi.js";
import { kilo, opencode } from "./environment/opencode.js";
import { pi } from "./environment/pi.js";
import { qwen } from "./environment/qwen.js";

/** Where `prepareAgent` writes, and which model it points the agent at. */
export interface PrepareOptions {
  /** An empty directory that becomes the agent's home. */
  readonly home: string;
  /** The agent's working directory. */
  readonly workspace: string;
  /** The scripted model's `url`. */
  readonly modelUrl: string;
  /** The API between the agent and its model. Default: the one it is mostly used with. */
  readonly api?: ModelApi;
  /** The model's name. Some agents choose their tools by it. Default: a name that gives the usual tools. */
  readonly model?: string;
}

/** How to start an agent that `prepareAgent` has prepared. */
export interface PreparedAgent {
  /** Everything the agent needs besides PATH. It contains nothing of your own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Add these to the agent's arguments. */
  readonly args: readonly string[];
  /** The files that were written. */
  readonly files: readonly string[];
}

const setups: readonly AgentSetup[] = [
  claude,
  codex,
  opencode,
  kilo,
  pi,
  cline,
  goose,
  gemini,
  qwen,
  copilot,
  grok,
  droid,
  kimi,
];

/** The agents that can be prepared. */
export const preparableAgents: readonly string[] = setups.map(({ agent }) => agent);

/** Writes into an empty home what the real program needs to use the scripted model, and nothing else. */
export async function prepareAgent(agent: string, options: PrepareOptions): Promise<PreparedAgent> {
  const { home, workspace, modelUrl } = options;
  const found = setups.find((one) => one.agent === agent);
  if (found === undefined)
    throw new Error(`Cannot prepare "${agent}"; the known agents are ${preparableAgents.join(", ")}.`);
  const api = options.api ?? found.api;
  const usual = found.models[api];
  if (usual === undefined)
    throw new Error(`${agent} does not speak ${api}; it speaks ${Object.keys(found.models).join(", ")}.`);
  const model = options.model ?? usual;
  const { env, args = [], files = {} } = found.setup({ home, modelUrl, api, model });
  const written: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    written.push(path);
  }
  const proxy = found.ignoresNoProxy ? {} : deadProxy;
  return { env: { ...ownHome(home, workspace), ...proxy, ...env }, args, files: written };
}

function ownHome(home: string, workspace: string): Record<string, string> {
  return {
    HOME: home,
    PWD: workspace,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    LANG: "C.UTF-8",
    TERM: "dumb",
  };
}

/** A proxy that does not exist, so that only the loopback interface can be reached. */
const deadProxy = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};
