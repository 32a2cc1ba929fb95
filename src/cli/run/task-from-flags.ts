import { resolve } from "node:path";
import type { AgentDefinition } from "../../agents/definition.js";
import type { Config } from "../../config/load-config.js";
import { refuseWeakening } from "../../config/refuse-weakening.js";
import { taskSettings } from "../../config/task-settings.js";
import { HarnessError } from "../../errors.js";
import type { Recording } from "../../runs/archive/recordings.js";
import type { Task } from "../../runs/task.js";
import { splitWords } from "../../shell/split-words.js";
import { agentSessionOf } from "../running/resumed-session.js";
import type { RunFlags } from "./command.js";
import { permissionsFromFlags } from "./permissions-from-flags.js";
import { readTaskFiles } from "./read-task-files.js";

/** The task of a run. Flags win over the configuration; its extra arguments come before those of the command line. */
export function taskFromFlags(
  flags: RunFlags,
  rest: {
    agent: AgentDefinition;
    prompt: string;
    config: Config;
    behindDashes: readonly string[];
    model: string | undefined;
    /** The recording that `--resume` names, if it names one. */
    resumed: Recording | undefined;
  },
): Task {
  const { agent, config } = rest;
  const settings = taskSettings(agent.id, config);
  const permissions = permissionsFromFlags(flags, settings.permissions);
  if (permissions !== undefined) refuseWeakening(agent, permissions, config);
  return {
    agent,
    prompt: rest.prompt,
    model: rest.model,
    cwd: flags.cwd,
    permissions,
    timeoutMs: flags.timeout ?? settings.timeoutMs,
    idleTimeoutMs: flags.idleTimeout,
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    maxTurns: flags.maxTurns,
    maxBudgetUsd: flags.maxBudgetUsd,
    ...readTaskFiles(flags),
    effort: flags.effort,
    allowedTools: parseTools(flags.allowedTools),
    isolated: flags.isolated,
    home: flags.home,
    resume: rest.resumed === undefined ? flags.resume : agentSessionOf(rest.resumed, agent),
    binary: flags.binary === undefined ? settings.binary : fromHere(flags.binary),
    extraArgs: [...settings.extraArgs, ...parseExtraArgs(flags.extraArgs), ...rest.behindDashes],
    env: { ...settings.env, ...parseEnvironment(flags.env ?? []) },
    recordTo: flags.record,
    redact: flags.redact,
    log: flags.log,
    // Without the flag, the environment decides.
    ...(flags.changes === false && { changes: false }),
  };
}

/** A path is relative to the current directory, not to --cwd. A name is looked up on PATH. */
function fromHere(binary: string): string {
  return /[/\\]/.test(binary) ? resolve(binary) : binary;
}

function parseExtraArgs(line: string | undefined): string[] {
  const words = line === undefined ? [] : splitWords(line);
  if (words !== undefined) return words;
  const message = `--extra-args takes plain words, quoted as in a shell, not "${line}"; pass anything else after --`;
  throw new HarnessError("bad_extra_args", message);
}

/** `--allowed-tools Read,Grep --allowed-tools "Bash(npm test, npm run *)"`: commas inside parentheses belong to the tool. */
function parseTools(given: readonly string[] | undefined): string[] | undefined {
  const names = given?.flatMap((text) => text.split(/,(?![^(]*\))/)).map((name) => name.trim());
  if (names?.includes(""))
    throw new HarnessError(
      "invalid_option",
      "--allowed-tools has an empty name; separate names by one comma",
    );
  return names;
}

function parseEnvironment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw badPair();
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

/** The message does not quote what was given: it may be a secret value without its name. */
function badPair(): HarnessError {
  return new HarnessError(
    "bad_env",
    '--env takes NAME=value; in one that was given, the name or the "=" is missing',
  );
}
