import type { Capabilities } from "../../agents/definition.js";
import { resolveAgent } from "../../config/configured-agents.js";
import { loadConfig } from "../../config/load-config.js";
import { type AgentReport, inspectAgent } from "../../inspect/inspect-agent.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";

/** One agent in detail. Exit 0 when it can be run, 127 when not. */
export async function checkAction(name: string, flags: { binary?: string; json?: boolean }): Promise<number> {
  const config = loadConfig({ cwd: process.cwd() });
  const agent = await resolveAgent(name, config);
  const binary = flags.binary ?? config.agent(agent.id, "binary")?.value;
  const report = await inspectAgent(agent, { binary });
  const output = createOutput(process.stdout);
  await (flags.json ? output.printJson(report) : output.print(describe(report)));
  return report.isInstalled ? exitCodes.success : exitCodes.notInstalled;
}

function describe(report: AgentReport): string {
  const title = report.isInstalled
    ? `${report.name} ${report.version ?? ""}`.trimEnd()
    : `${report.name}: cannot be run`;
  const facts: [string, string][] = [
    ...(report.binary === undefined ? [] : [["program", report.binary] as [string, string]]),
    ...(report.problem === undefined ? [] : [["problem", report.problem] as [string, string]]),
    ...(report.warning === undefined ? [] : [["note", report.warning] as [string, string]]),
    ["recorded with", report.recordedVersions.join(", ") || "no version"],
    ["can", listOptions(report.capabilities, true)],
    ["cannot", listOptions(report.capabilities, false)],
    ["credentials", describeCredentials(report.credentials)],
    ["docs", report.docs],
  ];
  return `${title}\n${toTable(
    ["", "", ""],
    facts.map(([label, value]) => ["", label, value]),
  )
    .split("\n")
    .slice(1)
    .join("\n")}`;
}

/** The options of `run`, as people write them. */
const flagOf: Record<keyof Capabilities, string> = {
  model: "--model",
  readOnly: "--permissions read-only",
  systemPrompt: "--system-prompt",
  appendSystemPrompt: "--append-system-prompt",
  maxTurns: "--max-turns",
  maxBudgetUsd: "--max-budget-usd",
  resume: "--resume",
};

function listOptions(capabilities: Capabilities, value: boolean): string {
  const options = (Object.keys(flagOf) as (keyof Capabilities)[]).filter(
    (option) => capabilities[option] === value,
  );
  return options.map((option) => flagOf[option]).join(", ") || "nothing";
}

function describeCredentials(credentials: AgentReport["credentials"]): string {
  const names = Object.entries(credentials).map(([name, isSet]) => `${name} (${isSet ? "set" : "not set"})`);
  return `${names.join(", ")}${names.length > 0 ? ", or " : ""}its own sign-in`;
}
