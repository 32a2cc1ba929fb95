import type { Capabilities } from "../../agents/definition.js";
import type { Abilities } from "../../agents/live-contract.js";
import { processPerTurn } from "../../agents/process-per-turn.js";
import { declareAgent } from "../../config/configured-agents.js";
import type { Line } from "../../outputs/text/line.js";
import { readConfiguration } from "../configuration.js";
import { exitCodes } from "../exit-codes.js";
import { type Fact, toFactLines } from "../facts.js";
import { type DeclaredReport, inspectDeclared } from "../inspect-declared.js";
import { createOutput } from "../output.js";
import { standardScreen } from "../screen.js";
import type { CheckFlags } from "./command.js";

/** Prints one agent in detail. The exit code is 0 if it can be run, else 127. No module is loaded for it. */
export async function checkAction(name: string, flags: CheckFlags): Promise<number> {
  const config = readConfiguration({ trust: flags.trust });
  const report = await inspectDeclared(declareAgent(name, config), config, flags.binary);
  const output = createOutput(process.stdout);
  const screen = standardScreen();
  await (flags.json ? output.printJson(report) : output.printLines(describe(report, screen.columns), screen));
  return report.isInstalled ? exitCodes.success : exitCodes.notInstalled;
}

function describe(report: DeclaredReport, columns: number): Line[] {
  const { isInstalled, name, version = "" } = report;
  const title: Line = isInstalled
    ? [
        { text: "✓ ", style: "success" },
        { text: `${name} ${version}`.trimEnd(), style: "bold" },
      ]
    : [{ text: "✗ ", style: "failure" }, { text: name, style: "bold" }, { text: ": cannot be run" }];
  const facts: Fact[] = [
    ["program", report.binary],
    ["problem", report.problem, "failure"],
    ["note", report.warning, "warning"],
    ["recorded with", report.recordedVersions.join(", ") || "no version"],
    ...describeOptions(report),
    ["live session", report.capabilities && describeLive(report)],
    ["credentials", describeCredentials(report.credentials)],
    ["docs", report.docs],
  ];
  return [title, ...toFactLines(facts, columns)];
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
  mcpServers: "--mcp-config",
  effort: "--effort",
  allowedTools: "--allowed-tools",
  schema: "--schema",
};

function describeOptions({ capabilities, canBeIsolated, module }: DeclaredReport): Fact[] {
  if (capabilities === undefined)
    return [["can", `not known: ${module} defines it, and is only loaded for a run`]];
  return [
    ["can", listOptions(capabilities, true)],
    ["cannot", listOptions(capabilities, false)],
    ["effort", capabilities.effort?.join(", ")],
    [
      "isolated",
      canBeIsolated ? "yes: --isolated gives it a fresh home" : "not possible: --isolated is refused",
    ],
  ];
}

function listOptions(capabilities: Capabilities, value: boolean): string {
  const options = (Object.keys(flagOf) as (keyof Capabilities)[]).filter(
    (option) => Boolean(capabilities[option]) === value,
  );
  return options.map((option) => flagOf[option]).join(", ") || "nothing";
}

/** What a live session can do, as people say it. */
const abilityWords: Partial<Record<keyof Abilities, string>> = {
  ask: "asks for permission",
  questions: "asks questions",
  steer: "can be steered",
  setModel: "can change its model",
  always: "allows always",
  denyReason: "hears the reason of a denial",
  changeInput: "takes changed input",
};

function describeLive({ live }: DeclaredReport): string {
  if (live === undefined) return "not possible: it has no protocol for it and cannot resume";
  const { protocol, abilities } = live;
  const words = Object.entries(abilityWords).flatMap(([ability, text]) =>
    abilities[ability as keyof Abilities] ? [text] : [],
  );
  const how = protocol === processPerTurn ? "one process per turn" : `over ${protocol}`;
  return [how, ...words].join(", ");
}

function describeCredentials(credentials: DeclaredReport["credentials"]): string {
  const names = Object.entries(credentials).map(([name, isSet]) => `${name} (${isSet ? "set" : "not set"})`);
  return `${names.join(", ")}${names.length > 0 ? ", or " : ""}its own sign-in`;
}
