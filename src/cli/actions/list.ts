import type { AgentDefinition } from "../../agents/definition.js";
import { agents } from "../../agents/registry.js";
import { ownAgentNames, resolveAgent } from "../../config/configured-agents.js";
import { type Config, loadConfig } from "../../config/load-config.js";
import { messageOf } from "../../errors.js";
import { inspectAgent } from "../../inspect/inspect-agent.js";
import { complain } from "../complain.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";

/** All agents, installed or not. */
export async function listAction(flags: { json?: boolean }): Promise<number> {
  const config = loadConfig({ cwd: process.cwd() });
  const own = await Promise.all(ownAgentNames(config).map((name) => loadOrComplain(name, config)));
  const reports = await Promise.all(
    [...agents, ...own.flatMap((agent) => agent ?? [])].map((agent) =>
      inspectAgent(agent, { binary: config.agent(agent.id, "binary")?.value }),
    ),
  );
  const output = createOutput(process.stdout);
  if (flags.json) {
    await output.printJson(reports);
    return 0;
  }
  const rows = reports.map((report) => [
    report.agent,
    report.name,
    report.isInstalled ? (report.version ?? "installed") : "not installed",
    report.isInstalled ? (report.binary ?? "") : report.install,
  ]);
  await output.print(toTable(["AGENT", "NAME", "VERSION", "PROGRAM, OR HOW TO INSTALL IT"], rows));
  return 0;
}

/** One agent of the user's own that cannot be loaded does not hide the others. */
async function loadOrComplain(name: string, config: Config): Promise<AgentDefinition | undefined> {
  try {
    return await resolveAgent(name, config);
  } catch (error) {
    complain(messageOf(error));
    return undefined;
  }
}
