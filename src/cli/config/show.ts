import { listSettings } from "../../config/settings.js";
import { readConfiguration } from "../configuration.js";
import { createOutput } from "../output.js";
import { toTable } from "../table.js";
import type { ShowFlags } from "./command.js";

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
  const next =
    files.length === 0
      ? "`harness config init` writes a file to start from"
      : `what is to count in ${files.join(" and ")} must not stand behind a #`;
  return `nothing is set; ${next}\n`;
}
