import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { PermissionMode, Permissions } from "../../agents/definition.js";
import { checkAgentName, declareAgent } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { permissionsOf } from "../../config/task-settings.js";
import { HarnessError } from "../../errors.js";
import { parseRules } from "../../live/rules/parse-rules.js";
import { realPath } from "../../live/rules/real-path.js";
import type { PermissionRules } from "../../live/rules/rule.js";
import { loadModels } from "../../models/load-models.js";
import { complain, note } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { readVersion } from "../package-files.js";
import { refuseIdleRules } from "../refuse-idle-rules.js";
import type { McpFlags } from "./command.js";
import type { DelegationLimits } from "./limits.js";
import { nestingDepth } from "./nesting.js";
import { createDelegatedRuns } from "./runs.js";
import { serve } from "./server.js";

/** Serves the tools until the client closes standard input. Standard output carries nothing but the protocol. */
export async function mcpAction(flags: McpFlags): Promise<number> {
  const depth = nestingDepth();
  const limits = limitsOf(flags, depth);
  const runs = createDelegatedRuns(limits);
  const { redact, log, model } = flags;
  const models = loadModels(limits.config);
  const workshop = { limits, runs, models, common: { redact, log, model, depth } };
  const server = await serve(workshop, { version: readVersion(), complain });
  if (process.stdin.isTTY)
    note("This is a server of the Model Context Protocol, for an agent to start. Stop it with Ctrl-D.\n");
  // The second signal kills what the first one has cancelled.
  const watch = cancelOnSignals(() => void server.close().then(() => runs.close()));
  await server.closed;
  await runs.close();
  watch.stop();
  // A client may leave standard input open after a signal.
  process.stdin.destroy();
  return watch.signal === undefined ? exitCodes.success : exitCodeOfSignal(watch.signal);
}

/**
 * The configuration is read once: a run that writes a `harness.toml` changes nothing for the next one, even if the project is
 * trusted.
 */
function limitsOf(flags: McpFlags, depth: number): DelegationLimits {
  const config = readConfiguration({ trust: flags.trust });
  return {
    config,
    agents: agentIds(flags.agents, config),
    directories: directoriesOf(flags.directory ?? ["."]),
    permissions: permissionsFrom(flags, permissionsOf(config)),
    maxRuns: flags.maxRuns,
    timeoutMs: flags.timeout,
    maxBudgetUsd: flags.maxBudgetUsd,
    depthLeft: flags.maxDepth - depth,
  };
}

function agentIds(given: readonly string[] | undefined, config: Config): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  const names = given.flatMap((text) => text.split(",")).map((name) => name.trim());
  for (const name of names) checkAgentName(name, config);
  return new Set(names.map((name) => declareAgent(name, config).agent.id));
}

function directoriesOf(given: readonly string[]): DelegationLimits["directories"] {
  const [first = ".", ...others] = given;
  return [directoryOf(first), ...others.map(directoryOf)];
}

function directoryOf(given: string): string {
  const path = realPath(resolve(given));
  if (path !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new HarnessError(
    "invalid_option",
    `--directory ${given} is not a directory; name one that exists, in which runs may work`,
  );
}

/** Whoever asks here is a model. So the default is reading, and no configuration raises it; rules of the user's own count. */
function permissionsFrom(
  { permissions, allow = [], deny = [] }: McpFlags,
  configured: PermissionMode | PermissionRules | undefined,
): Permissions | PermissionRules {
  if (permissions === "full-access" || permissions === "read-only") return permissions;
  const rules = allow.length + deny.length > 0 ? { allow, deny } : configured;
  if (typeof rules !== "object") return "read-only";
  parseRules(rules);
  refuseIdleRules(rules, {
    where: "harness mcp",
    advice: "add rules that allow (--allow read), or choose --permissions read-only",
  });
  return rules;
}
