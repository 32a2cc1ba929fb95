import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { createFramedTranslator } from "../../src/agents/frame/frame.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { ExitRecord, LineRecord, RawRecord } from "../../src/events/raw-record.js";
import { readStdout } from "./capture-stdout.mjs";

/** Captures of real programs: what one run printed, and how it ended. */
export interface Capture {
  agent: string;
  scenario: string;
  directory: string;
  args: string[];
  cwd: string;
  isResumed: boolean;
  stdout: string[];
  stderr: string[];
  exit: { exitCode: number | null; signal: string | null };
}

/** The arguments by which the agents resume a session. */
const resumeArguments = new Set(["resume", "fork", "--resume", "--conversation", "-S"]);

export const capturesDirectory = fileURLToPath(new URL("../fixtures/captures/", import.meta.url));

/** None for an agent that has no one-shot runs. */
export function captureNames(agent: string): string[] {
  if (!existsSync(`${capturesDirectory}${agent}`)) return [];
  const entries = readdirSync(`${capturesDirectory}${agent}`, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

export function readCapture(agent: string, scenario: string): Capture {
  const directory = `${capturesDirectory}${agent}/${scenario}/`;
  const command = readFileSync(`${directory}cmd.txt`, "utf8").split("\n");
  const args = command.filter((line) => line !== "" && !line.startsWith("# "));
  return {
    agent,
    scenario,
    directory,
    args,
    cwd: workspaceOf(agent, scenario, command),
    isResumed: args.some((arg) => resumeArguments.has(arg)),
    stdout: linesOf(readStdout(directory)),
    stderr: linesOf(readFileSync(`${directory}stderr.txt`, "utf8")),
    exit: parseExit(readFileSync(`${directory}exit.txt`, "utf8")),
  };
}

/**
 * `cwd` as the command names it, or `--cwd` of a run by harness. The captures `<version>-<scenario>` that name neither were made in
 * `/workspace/<agent>-<scenario>`.
 */
function workspaceOf(agent: string, scenario: string, command: readonly string[]): string {
  const named = command.flatMap((line) => /^(?:# )?cwd[ =](.+)$/.exec(line)?.[1] ?? [])[0];
  const given = command[command.indexOf("--cwd") + 1];
  if (named !== undefined) return named;
  if (command.includes("--cwd") && given !== undefined) return given;
  const played = /^(?:[\d.]+|partial|streaming-json)-(.+)$/.exec(scenario)?.[1];
  return played === undefined ? "/workspace" : `/workspace/${agent}-${played}`;
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** `0`, `143 (killed by …)`, `null signal=SIGTERM`, `signal SIGTERM`, `SIGTERM`. */
function parseExit(text: string): Capture["exit"] {
  const code = /^\d+/.exec(text.trim())?.[0];
  return {
    exitCode: code === undefined ? null : Number(code),
    signal: /(?:^|signal[= ])(SIG\w+)/.exec(text.trim())?.[1] ?? null,
  };
}

/** An artificial clock: one second at the start, one millisecond per record. Captures have no times. */
export function timeOf(record: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, 1) + record).toISOString();
}

/** The capture as raw records. Standard error comes first, as most agents print it. */
export function recordsOf(capture: Capture): RawRecord[] {
  const lines: LineRecord[] = [
    ...capture.stderr.map((line) => ({ timestamp: "", stream: "stderr" as const, line })),
    ...capture.stdout.map((line) => ({ timestamp: "", stream: "stdout" as const, line })),
  ];
  const exit: ExitRecord = { timestamp: "", stream: "exit", ...capture.exit, reason: "failed" };
  return [...lines, exit].map((record, index) => ({ ...record, timestamp: timeOf(index + 1) }));
}

export interface TranslatedLine {
  record: RawRecord | undefined;
  events: HarnessEvent[];
  rule: string | undefined;
}

/** Every record of a capture with its events. The first entry is the start. */
export function translateCapture(agent: AgentDefinition, capture: Capture): TranslatedLine[] {
  const { cwd, isResumed } = capture;
  const translator = createFramedTranslator(agent, {
    runId: `${agent.id}-${capture.scenario}`,
    cwd,
    isResumed,
  });
  const lines: TranslatedLine[] = [
    { record: undefined, events: translator.start(timeOf(0)), rule: undefined },
  ];
  for (const record of recordsOf(capture)) {
    lines.push({ record, events: translator.record(record), rule: translator.lastRule });
  }
  return lines;
}
