import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { AgentDefinition } from "../../agents/definition.js";
import { sessionAbilities } from "../../agents/session-abilities.js";
import { resolveAgent } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { refuseWeakening } from "../../config/refuse-weakening.js";
import { taskSettings } from "../../config/task-settings.js";
import { HarnessError } from "../../errors.js";
import { chooseModel } from "../../models/choose-model.js";
import { findPrice } from "../../models/find-price.js";
import { listModels } from "../../models/list-models.js";
import { loadModels } from "../../models/load-models.js";
import { complain, note } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { cancelOnSignals } from "../ending-signals.js";
import { exitCodeOfSignal, exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { readVersion } from "../package-files.js";
import type { AcpFlags } from "./command.js";
import { type AcpServer, type AcpServerOptions, createAcpServer } from "./server.js";

/** Serves an agent until the editor closes standard input. Standard output carries nothing but the protocol. */
export async function acpAction(words: readonly string[], flags: AcpFlags): Promise<number> {
  const config = readConfiguration({ trust: flags.trust });
  const agent = await agentToServe(flags.agent, config);
  const output = createOutput(process.stdout);
  const models = loadModels(config);
  const { model, warnings } = chooseModel(flags.model, agent, config, models.layers);
  for (const warning of warnings) complain(`warning: ${warning}`);
  const server = createAcpServer({
    agent,
    task: {
      ...taskFromFlags(flags, agent, config, words),
      model,
      findPrice: (id) => findPrice(id, models.layers),
    },
    models: listModels(models.layers).flatMap(({ name, description, ids }) => {
      const id = ids[agent.id]?.id;
      return id === undefined ? [] : [{ id, name, description }];
    }),
    version: readVersion(),
    write: (line) => output.write(line),
    complain,
  });
  if (process.stdin.isTTY)
    note(`${agent.name} is served on standard input and output, for an editor to start. Stop with Ctrl-D.\n`);
  return serve(server, (gone) => output.onClose(gone));
}

async function serve(server: AcpServer, onGone: (gone: () => void) => void): Promise<number> {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => server.received(line));
  const watch = cancelOnSignals(() => {
    server.stop();
    lines.close();
  });
  onGone(() => lines.close());
  await new Promise<void>((resolved) => lines.once("close", resolved));
  await server.close();
  watch.stop();
  // An editor may leave standard input open after a signal.
  process.stdin.destroy();
  return watch.signal === undefined ? exitCodes.success : exitCodeOfSignal(watch.signal);
}

async function agentToServe(flag: string | undefined, config: Config): Promise<AgentDefinition> {
  const name = flag ?? config.get("default_agent")?.value;
  if (name === undefined)
    throw new HarnessError("no_agent", "no agent was named; choose one, such as: harness acp --agent codex");
  const agent = await resolveAgent(name, config);
  if (sessionAbilities(agent) !== undefined) return agent;
  const message = `${agent.name} cannot be served: it has no live protocol and cannot resume a session; choose another agent`;
  throw new HarnessError("unsupported_option", message);
}

/** The editor can be asked, so asking is the default. What cannot be kept is refused before an editor meets it. */
function taskFromFlags(
  flags: AcpFlags,
  agent: AgentDefinition,
  config: Config,
  words: readonly string[],
): AcpServerOptions["task"] {
  const settings = taskSettings(agent.id, config);
  const permissions = flags.permissions ?? settings.permissions ?? "ask";
  const needsAnswers = permissions === "ask" || typeof permissions === "object";
  if (needsAnswers && sessionAbilities(agent)?.ask !== true) {
    const message = `${agent.name} cannot ask for permission; add --permissions full-access or, if it can work so, --permissions read-only`;
    throw new HarnessError("unsupported_option", message);
  }
  refuseWeakening(agent, permissions, config);
  const binary = flags.binary ?? settings.binary;
  return {
    permissions,
    binary: flags.binary !== undefined && /[/\\]/.test(flags.binary) ? resolve(flags.binary) : binary,
    extraArgs: [...settings.extraArgs, ...words],
    env: settings.env,
    redact: flags.redact,
    log: flags.log,
  };
}
