import { resolveAgent } from "../../config/configured-agents.js";
import type { OutputName } from "../../outputs/registry.js";
import { readConfiguration } from "../configuration.js";
import { agentOfSidecar } from "../logs.js";
import type { Work } from "../many/job.js";
import { translateLog } from "./action.js";
import type { TranslateFlags } from "./command.js";

/** What all logs of one `translate` share. */
export interface TranslationSetup {
  flags: TranslateFlags;
  /** What is printed on standard output, if anything is. */
  format: OutputName | undefined;
}

export interface GivenLog {
  path: string;
  runId: string;
}

/** Translates logs one after the other, in the main thread or in a worker. The module of an agent is loaded once. */
export async function openTranslationWork({ flags, format }: TranslationSetup): Promise<Work<GivenLog>> {
  const { agent, trust, explain } = flags;
  const named = agent === undefined ? undefined : await resolveAgent(agent, readConfiguration({ trust }));
  return ({ path, runId }, { output, openFiles }) =>
    translateLog(
      path,
      { ...flags, runId },
      {
        chosen: named ?? agentOfSidecar(path),
        names: [],
        printed: format && { format, output, explains: explain },
        openFiles,
      },
    );
}
