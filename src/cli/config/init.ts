import { writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { projectConfigName, userConfigPath } from "../../config/locate-config.js";
import { configTemplate } from "../../config/template.js";
import { HarnessError, problemOf, systemCode } from "../../errors.js";
import { makeDirectories } from "../../runs/files/make-directories.js";
import { createOutput } from "../output.js";
import type { InitFlags } from "./command.js";

/** Writes a file to start from. One that is there is never touched. */
export async function initAction(flags: InitFlags): Promise<number> {
  const path = flags.user ? userConfigPath() : resolve(projectConfigName);
  try {
    if (flags.user) makeDirectories(dirname(path));
    // The user's own file may come to hold keys; a project's is meant to be shared.
    writeFileSync(path, configTemplate, { flag: "wx", mode: flags.user ? 0o600 : 0o666 });
  } catch (error) {
    const isThere = systemCode(error) === "EEXIST";
    const problem = isThere ? "it is there already; edit it, or remove it first" : problemOf(error);
    throw new HarnessError("config_not_written", `cannot write ${path}: ${problem}`, { cause: error });
  }
  await createOutput(process.stdout).print(`wrote ${path}\n`);
  return 0;
}
