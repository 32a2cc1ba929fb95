import { resolve } from "node:path";
import type { AgentDefinition } from "../../agents/definition.js";
import type { Config } from "../../config/load-config.js";
import { refuseWeakening } from "../../config/refuse-weakening.js";
import { taskSettings } from "../../config/task-settings.js";
import { HarnessError } from "../../errors.js";
import type { Recording } from "../../runs/archive/recordings.js";
import type { Task } from "../../runs/task.js";
import { splitWords } from "../../shell/split-words.js";
import type { RunFlags } from "./flags.js";
import { agentSessionOf } from "./resumed-session.js";

/** What is to be run: flags over the configuration, arguments of the configuration before those of the command. */
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
  const permissions = flags.permissions ?? settings.permissions;
  if (permissions !== undefined) refuseWeakening(agent, permissions, config);
  return {
    agent,
    prompt: rest.prompt,
    model: rest.model,
    cwd: flags.cwd,
    permissions,
    timeoutMs: milliseconds(flags.timeout) ?? settings.timeoutMs,
    idleTimeoutMs: milliseconds(flags.idleTimeout),
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    maxTurns: flags.maxTurns,
    maxBudgetUsd: flags.maxBudgetUsd,
    resume: rest.resumed === undefined ? flags.resume : agentSessionOf(rest.resumed, agent),
    binary: flags.binary === undefined ? settings.binary : fromHere(flags.binary),
    extraArgs: [...settings.extraArgs, ...parseExtraArgs(flags.extraArgs), ...rest.behindDashes],
    env: { ...settings.env, ...parseEnvironment(flags.env ?? []) },
    recordTo: flags.record,
    redact: flags.redact,
    log: flags.log,
  };
}

/** A path is meant from where the command is given, as all paths of a command are; a name is looked for on PATH. */
function fromHere(binary: string): string {
  return /[/\\]/.test(binary) ? resolve(binary) : binary;
}

function parseExtraArgs(line: string | undefined): string[] {
  const words = line === undefined ? [] : splitWords(line);
  if (words !== undefined) return words;
  const message = `--extra-args takes plain words, quoted as in a shell, not "${line}"; pass anything else behind --`;
  throw new HarnessError("bad_extra_args", message);
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

/** What was given is not shown: it may be the value alone, which may be a secret. */
function badPair(): HarnessError {
  return new HarnessError(
    "bad_env",
    '--env takes NAME=value; in one that was given, the name or the "=" is missing',
  );
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
