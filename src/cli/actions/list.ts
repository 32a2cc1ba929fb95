import { agents } from "../../agents/registry.js";
import { inspectAgent } from "../../inspect/inspect-agent.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";

/** All agents, installed or not. */
export async function listAction(flags: { json?: boolean }): Promise<number> {
  const reports = await Promise.all(agents.map((agent) => inspectAgent(agent)));
  const output = createOutput(process.stdout);
  if (flags.json) {
    await output.write(`${JSON.stringify(reports, null, 2)}\n`);
    return 0;
  }
  const rows = reports.map((report) => [
    report.agent,
    report.name,
    report.isInstalled ? (report.version ?? "installed") : "not installed",
    report.isInstalled ? (report.binary ?? "") : report.install,
  ]);
  await output.write(toTable(["AGENT", "NAME", "VERSION", "PROGRAM, OR HOW TO INSTALL IT"], rows));
  return 0;
}
