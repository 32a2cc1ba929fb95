import { join } from "node:path";
import { directory } from "../inputs/file.mjs";
import { measureIn } from "../measure.mjs";

/** What each of many runs in one process takes. */
export async function held({ isShort }) {
  const runs = isShort ? "40" : "200";
  const { kilobytes } = measureIn("hold-runs.mjs", [runs, join(directory, "held")], ["--expose-gc"]);
  return [{ figure: `memory, each of ${runs} runs in one process`, value: kilobytes, unit: "KB" }];
}
