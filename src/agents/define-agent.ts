import { HarnessError } from "../errors.js";
import { checkOptions } from "../text/check-options.js";
import { AgentInputSchema } from "./agent-schemas.js";
import type { CreateMapping } from "./contract.js";
import type { AgentDefinition, Capabilities, Launch, LaunchTask, Traits } from "./definition.js";
import type { Isolation } from "./isolation.js";
import { type AgentId, requireAgent } from "./registry.js";
import type { StreamedText } from "./streamed-text.js";

/** What defines an agent that is not built in. Fields that are left out have defaults. */
export interface AgentInput {
  /** Letters, digits, `-` and `_`. */
  id: string;
  name?: string;
  aliases?: readonly string[];
  /** Default: the id. */
  binaries?: readonly string[];
  version?: { args?: readonly string[]; recorded?: readonly string[] };
  install?: string;
  docs?: string;
  credentials?: readonly string[];
  /** What a person runs to sign in, for the hint of a failure: "`myagent login`". */
  signIn?: string;
  /** Options of a run that `launch` understands. Default: none. */
  capabilities?: Partial<Capabilities>;
  traits?: Partial<Traits>;
  stderrNoise?: RegExp;
  /** Arguments that cannot change what it may do, as `--option` or `--option=value`. */
  harmlessArguments?: readonly RegExp[];
  /** Variables that decide what it may do. */
  permissionVariables?: readonly string[];
  /** Where its stream carries texts in pieces, so that `--redact` finds a secret that is cut in two. */
  streamedText?: StreamedText;
  launch?(task: LaunchTask): Launch;
  /** How it gets a home of its own. Left out: that of `translator` if its launcher is used, else it cannot be isolated. */
  isolation?: Isolation;
  /** How its output is read: a mapping of its own … */
  createMapping?: CreateMapping;
  /** … or a built-in agent with the same output format. Its launcher is used too, unless `launch` is given. */
  translator?: AgentId;
}

/**
 * Defines an agent that is not built in. Pass the result as `agent` of a run, or name its
 * module in `harness.toml`.
 *
 * @example
 * export default defineAgent({
 *   id: "myagent",
 *   launch: (task) => ({ args: ["--json", task.prompt] }),
 *   createMapping: () => ({
 *     record(record, out) {
 *       if (record.type === "said") out.emit({ type: "agent", message: String(record.text) });
 *       if (record.type === "done") out.run.terminal = "success";
 *       if (record.type === "done") out.consume("done");
 *     },
 *   }),
 * });
 */
export function defineAgent(given: AgentInput): AgentDefinition {
  const input = checkOptions(AgentInputSchema, given, "the agent", "invalid_agent");
  if (!/^[A-Za-z0-9][\w-]*$/.test(input.id)) {
    throw refuse(input.id, "its id must be letters, digits, - and _");
  }
  const base = input.translator === undefined ? undefined : requireAgent(input.translator);
  const launch = input.launch ?? base?.launch;
  const createMapping = input.createMapping ?? base?.createMapping;
  if (createMapping === undefined) throw refuse(input.id, 'give it "createMapping" or "translator"');
  if (launch === undefined) throw refuse(input.id, 'give it "launch" or "translator"');
  const launcher = input.launch === undefined ? base : undefined;
  const harmlessArguments = input.harmlessArguments ?? launcher?.harmlessArguments;
  const permissionVariables = input.permissionVariables ?? launcher?.permissionVariables;
  const isolation = input.isolation ?? launcher?.isolation;
  const streamedText =
    input.streamedText ?? (input.createMapping === undefined ? base?.streamedText : undefined);
  const stderrNoise = input.stderrNoise ?? base?.stderrNoise;
  return {
    id: input.id,
    name: input.name ?? input.id,
    aliases: input.aliases ?? [],
    binaries: input.binaries ?? [input.id],
    version: { args: input.version?.args ?? ["--version"], recorded: input.version?.recorded ?? [] },
    install: input.install ?? "",
    docs: input.docs ?? "",
    credentials: input.credentials ?? [],
    capabilities: merge({ ...noCapabilities, ...launcher?.capabilities }, input.capabilities),
    traits: merge({ isStreaming: true, ...base?.traits }, input.traits),
    ...(input.signIn !== undefined && { signIn: input.signIn }),
    ...(stderrNoise && { stderrNoise }),
    ...(harmlessArguments && { harmlessArguments }),
    ...(permissionVariables && { permissionVariables }),
    ...(base !== undefined && createMapping === base.createMapping && { translator: base.id }),
    ...(streamedText && { streamedText }),
    ...(isolation && { isolation }),
    ...(launcher?.live !== undefined && createMapping === base?.createMapping && { live: launcher.live }),
    launch,
    createMapping,
  };
}

const noCapabilities: Capabilities = {
  model: false,
  readOnly: false,
  systemPrompt: false,
  appendSystemPrompt: false,
  maxTurns: false,
  maxBudgetUsd: false,
  resume: false,
};

/** Undefined values count as left out. */
function merge<T extends object>(defaults: T, given: { [K in keyof T]?: T[K] | undefined } | undefined): T {
  const set = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

function refuse(id: string, problem: string): HarnessError {
  return new HarnessError("invalid_agent", `the agent "${id}" cannot be defined: ${problem}`);
}
