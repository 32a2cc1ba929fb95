import { existsSync } from "node:fs";
import { findProjectConfig, userConfigPath } from "../../config/locate-config.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";

export async function pathAction(): Promise<number> {
  const user = userConfigPath();
  const rows = [["user", existsSync(user) ? user : `${user} (not there)`]];
  const project = findProjectConfig(process.cwd()) ?? "no harness.toml here or above";
  await createOutput(process.stdout).print(toTable(["project", project], rows));
  return 0;
}
