import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { findProjectConfig, projectConfigName, userConfigPath } from "../../config/locate-config.js";
import { listSettings } from "../../config/settings.js";
import { configTemplate } from "../../config/template.js";
import { HarnessError, problemOf, systemCode } from "../../errors.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { InitFlags, ShowFlags } from "./command.js";

/** Prints every setting that is in effect, with the file and line it comes from. */
export async function showAction(flags: ShowFlags): Promise<number> {
  const config = readConfiguration();
  const rows = listSettings(config);
  const output = createOutput(process.stdout);
  if (flags.json) await output.printJson(rows);
  else if (rows.length === 0) await output.print(nothingSet(config.files.map(({ path }) => path)));
  else {
    const cells = rows.map(({ key, value, from }) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
      from,
    ]);
    await output.print(toTable(["KEY", "VALUE", "SET IN"], cells));
  }
  return 0;
}

function nothingSet(files: readonly string[]): string {
  return files.length === 0
    ? "nothing is set; `harness config init` writes a file to start from\n"
    : `nothing is set: in ${files.join(" and ")}, every line is commented out; remove a # to set it\n`;
}

/** Prints which files are read. */
export async function pathAction(): Promise<number> {
  const user = userConfigPath();
  const rows = [["user", existsSync(user) ? user : `${user} (does not exist)`]];
  const project = findProjectConfig(process.cwd()) ?? "no harness.toml here or above";
  await createOutput(process.stdout).print(toTable(["project", project], rows));
  return 0;
}

/** Writes a file to start from. An existing one is never changed. */
export async function initAction(flags: InitFlags): Promise<number> {
  const path = flags.user ? userConfigPath() : resolve(projectConfigName);
  try {
    if (flags.user) makeDirectories(dirname(path));
    // The user's own file may come to hold keys; a project's is meant to be shared.
    writeFileSync(path, configTemplate, { flag: "wx", mode: flags.user ? 0o600 : 0o666 });
  } catch (error) {
    const isThere = systemCode(error) === "EEXIST";
    const problem = isThere ? "it exists already; edit it, or remove it first" : problemOf(error);
    throw new HarnessError("config_not_written", `cannot write ${path}: ${problem}`, { cause: error });
  }
  await createOutput(process.stdout).print(`wrote ${path}\n`);
  return 0;
}
