import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HarnessError } from "../../errors.js";
import { suggestFrom } from "../../text/suggest.js";
import { packageFile } from "../package-files.js";

const directory = fileURLToPath(packageFile("demo/"));

/** The program that plays a recording: `play.ts`. */
export const player = fileURLToPath(packageFile("dist/cli/demo-player.cjs"));

/** What the agent was asked in every demo. */
export const demoPrompt = "The test for the cart total fails. Find out why and fix it.";

/** The agents that have a demo. */
export function demoAgents(): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.slice(0, -".jsonl".length))
    .sort();
}

/** The path of an agent's demo. */
export function demoRecording(agent: string): string {
  const known = demoAgents();
  if (known.includes(agent)) return `${directory}${agent}.jsonl`;
  const message = `there is no demo of "${agent}"${suggestFrom(agent, known, "there is one of")}`;
  throw new HarnessError("no_demo", message);
}
