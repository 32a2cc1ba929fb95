import { toVisibleLine } from "../../text/cut.js";
import { formatAge } from "../moments.js";
import { createOutput } from "../output.js";
import type { CompletedThing } from "./command.js";

/** A value to choose, and what it is. */
interface Choice {
  value: string;
  description: string;
}

const mostSessions = 50;
const longestDescription = 60;

/** Each is loaded when it is asked for: a shell waits for the answer while its user types. */
const sources: Readonly<Record<CompletedThing, () => Promise<Choice[]>>> = {
  async sessions() {
    const { listRecordings } = await import("../../runs/archive/list.js");
    const now = Date.now();
    const found = await listRecordings({ limit: mostSessions, batch: false });
    const newest = found.length === 0 ? [] : [{ value: "last", description: "the newest run" }];
    return [
      ...newest,
      ...found.map(({ id, outcome, meta }) => ({
        value: id,
        description: `${formatAge(meta.startedAt, now)}, ${meta.agent}, ${outcome}: ${meta.prompt}`,
      })),
    ];
  },
  async models() {
    const { readConfiguration } = await import("../configuration.js");
    const { loadModels } = await import("../../models/load-models.js");
    const { listModels } = await import("../../models/list-models.js");
    return listModels(loadModels(readConfiguration()).layers).map(({ name, description = "" }) => ({
      value: name,
      description,
    }));
  },
  async agents() {
    const { agents } = await import("../../agents/registry.js");
    const { readConfiguration } = await import("../configuration.js");
    const { ownAgentNames } = await import("../../config/configured-agents.js");
    const own = ownAgentNames(readConfiguration()).map((value) => ({ value, description: "your own" }));
    return [...agents.map(({ id, name }) => ({ value: id, description: name })), ...own];
  },
  async batches() {
    const { batchesIn } = await import("../batches.js");
    return batchesIn().map(({ batchId }) => ({ value: batchId, description: "" }));
  },
};

/** A value goes into a command line as it is. One that a shell would read in another way is left out. */
const plainValue = /^[A-Za-z0-9][\w.@+/-]*$/;

/** Prints nothing rather than an error: nobody could read it between the words that are being typed. */
export async function completeAction(what: CompletedThing): Promise<number> {
  const choices = await sources[what]().catch((): Choice[] => []);
  const lines = choices
    .filter(({ value }) => plainValue.test(value))
    .map(({ value, description }) => `${value}\t${toDescription(description)}\n`);
  await createOutput(process.stdout).print(lines.join(""));
  return 0;
}

/** Prompts and names may contain anything: the description is one safe line without tabs. */
function toDescription(text: string): string {
  return toVisibleLine(text.replace(/\s+/g, " "), longestDescription);
}
