import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../errors.js";
import { suggestFrom } from "../../text/suggest.js";

const directory = fileURLToPath(new URL("../../../demo/", import.meta.url));

/** What the agent was asked in every demo. */
export const demoPrompt = "The test for the cart total fails. Find out why and fix it.";

/** The agents that there is a recorded run of. */
export function demoAgents(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
}

/** The recording of an agent's run. */
export function demoRecording(agent: string): string {
  const known = demoAgents();
  if (known.includes(agent)) return `${directory}${agent}.jsonl`;
  const message = `there is no demo of "${agent}"${suggestFrom(agent, known, "there is one of")}`;
  throw new HarnessError("no_demo", message);
}

/** The program that plays a recording. */
export const player = fileURLToPath(new URL("../../../dist/cli/demo/play.js", import.meta.url));
