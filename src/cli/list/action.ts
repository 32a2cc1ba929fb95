import { agents } from "../../agents/registry.js";
import { type DeclaredAgent, declareAgent, ownAgentNames } from "../../config/configured-agents.js";
import type { Config } from "../../config/load-config.js";
import { messageOf } from "../../errors.js";
import { complain } from "../complain.js";
import { readConfiguration } from "../configuration.js";
import { inspectDeclared } from "../inspect-declared.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { ListFlags } from "./command.js";

/** Lists all agents, installed or not. The modules of the user's own agents are not loaded for it. */
export async function listAction(flags: ListFlags): Promise<number> {
  const config = readConfiguration({ trust: flags.trust });
  const own = ownAgentNames(config).flatMap((name) => declareOrComplain(name, config) ?? []);
  const builtIn = agents.map((agent): DeclaredAgent => ({ agent }));
  const reports = await Promise.all(
    [...builtIn, ...own].map((declared) => inspectDeclared(declared, config)),
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

/** An invalid agent of the user's own does not hide the others. */
function declareOrComplain(name: string, config: Config): DeclaredAgent | undefined {
  try {
    return declareAgent(name, config);
  } catch (error) {
    complain(messageOf(error));
    return undefined;
  }
}
