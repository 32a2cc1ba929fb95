import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { loadConfig } from "../../config/load-config.js";
import {
  findProjectConfig,
  isProjectConfig,
  projectConfigName,
  userConfigPath,
} from "../../config/locate-config.js";
import { type LoadedConfig, readConfig } from "../../config/read-config.js";
import { settingsThatNeedTrust } from "../../config/restrict-config.js";
import {
  listTrusted,
  recordTrust,
  revokeTrust,
  type TrustRecord,
  toTrustRecord,
  trustDirectory,
  trustStateOf,
} from "../../config/trust-store.js";
import { HarnessError } from "../../errors.js";
import { runVariable } from "../../process/environment.js";
import { cleanText } from "../../text/clean-text.js";
import { cleanLine } from "../../text/cut.js";
import { spellSafely } from "../../text/to-json.js";
import { complain } from "../complain.js";
import { exitCodes } from "../exit-codes.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { TrustFlags } from "./command.js";

/** Shows what a project's file would set and records that the user trusts it; or lists or revokes trust. */
export async function trustAction(path: string | undefined, flags: TrustFlags): Promise<number> {
  if (flags.list) return listAction(flags);
  return flags.revoke ? revokeAction(path) : trustOne(path, flags);
}

async function trustOne(given: string | undefined, { yes }: TrustFlags): Promise<number> {
  refuseInsideRun();
  const file = read(given);
  const directory = trustDirectory();
  const settings = settingsThatNeedTrust(file.values);
  const output = createOutput(process.stdout);
  const name = cleanLine(file.path);
  if (settings.length === 0 && file.values.default_permissions !== "full-access") {
    await output.print(
      `${name} does not need trust: it only sets names of models, default_* and rules that deny or ask\n`,
    );
    return exitCodes.success;
  }
  if (trustStateOf(file, directory).kind === "trusted") {
    await output.print(`${name} is already trusted\n`);
    return exitCodes.success;
  }
  // Exactly what is shown is recorded: nothing is read again after the answer.
  const record = toTrustRecord(file);
  await output.print(describe(file, record));
  if (!yes && !(await confirm(name))) {
    await output.print("nothing was trusted\n");
    return exitCodes.runFailed;
  }
  recordTrust(record, directory);
  await output.print(`${name} is trusted until it changes\n`);
  return exitCodes.success;
}

/** Only a person may decide what is trusted, never an agent that works in the project. */
function refuseInsideRun(): void {
  if (process.env[runVariable] === undefined) return;
  throw new HarnessError(
    "trust_in_run",
    `an agent cannot trust a project's file (${runVariable} is set); run harness trust in your own terminal`,
  );
}

function read(given: string | undefined): LoadedConfig {
  const path = given === undefined ? findProjectConfig(process.cwd()) : locate(resolve(given));
  const file = path === undefined ? undefined : readConfig(path);
  if (file === undefined) {
    const where = given === undefined ? "here" : `in ${cleanLine(given)}`;
    const message = `there is no ${projectConfigName} ${where} or above; name the project's folder`;
    throw new HarnessError("no_project_config", message);
  }
  // Other problems of the file, such as the name of a built-in agent, are errors before anything is asked.
  loadConfig({ cwd: resolve(file.path, "..") });
  return file;
}

function locate(path: string): string | undefined {
  return isProjectConfig(path) && !isDirectory(path) ? path : findProjectConfig(path);
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Nothing is shortened: what is left out could be what matters. */
function describe(file: LoadedConfig, { files }: TrustRecord): string {
  const { default_permissions } = file.values;
  const rows: [string, unknown][] = [
    ...(default_permissions === "full-access"
      ? [["default_permissions", default_permissions] satisfies [string, unknown]]
      : []),
    ...settingsThatNeedTrust(file.values),
  ];
  const lines = rows.map(([key, value]) => `  ${spelled(key)} = ${spelledValue(value)}\n`);
  const paths = Object.keys(files).map((path) => `  ${spelled(path)}\n`);
  const named =
    paths.length === 0 ? "" : `\nIt names these files, which are trusted as they are now:\n${paths.join("")}`;
  return `${cleanLine(file.path)} would set, for every run below its folder:\n\n${lines.join("")}${named}\n`;
}

/** Every character, invisible ones as escapes: otherwise they would be trusted unseen. */
function spelledValue(value: unknown): string {
  return cleanText(spellSafely(JSON.stringify(value)));
}

/** Unchanged if nothing can hide in it. */
function spelled(text: string): string {
  return /^[\w@%+=:,./ -]+$/.test(text) ? text : spelledValue(text);
}

async function confirm(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    const message = `cannot ask whether to trust ${name}: standard input is not a terminal; read what it sets, and confirm with --yes`;
    throw new HarnessError("trust_not_confirmed", message);
  }
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await questions.question("Programs and modules run as you. Trust it? [y/N] ");
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch {
    return false;
  } finally {
    questions.close();
  }
}

async function revokeAction(given: string | undefined): Promise<number> {
  const path = given === undefined ? findProjectConfig(process.cwd()) : toConfigPath(resolve(given));
  if (path === undefined)
    throw new HarnessError(
      "no_project_config",
      `there is no ${projectConfigName} here or above; name the file to stop trusting (see: harness trust --list)`,
    );
  const wasTrusted = revokeTrust(path, trustDirectory());
  const name = cleanLine(path);
  if (wasTrusted) await createOutput(process.stdout).print(`${name} is no longer trusted\n`);
  else complain(`${name} was not trusted; harness trust --list shows what is`);
  return exitCodes.success;
}

/** The file or its folder may no longer exist. */
function toConfigPath(path: string): string {
  if (isProjectConfig(path)) return path;
  return (isDirectory(path) ? findProjectConfig(path) : undefined) ?? join(path, projectConfigName);
}

async function listAction({ json }: TrustFlags): Promise<number> {
  const directory = trustDirectory();
  const rows = listTrusted(directory).map((record) => ({ ...record, state: stateOf(record, directory) }));
  const output = createOutput(process.stdout);
  if (json) await output.printJson(rows);
  else if (rows.length > 0)
    await output.print(
      toTable(
        ["PROJECT'S FILE", "STATE", "TRUSTED SINCE"],
        rows.map(({ path, state, trustedAt }) => [cleanLine(path), state, cleanLine(trustedAt)]),
      ),
    );
  else complain(`nothing is trusted besides your own ${userConfigPath()}`);
  return exitCodes.success;
}

function stateOf({ path }: TrustRecord, directory: string): string {
  try {
    const file = readConfig(path);
    return file === undefined ? "gone" : trustStateOf(file, directory).kind;
  } catch {
    return "unreadable";
  }
}
