import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentId } from "../../agents/registry.js";
import { relativeTo } from "../../text/paths.js";
import { defaultRecordingsDirectory } from "../recording/paths.js";
import type { RecordedOutcome } from "../recording/recorded-outcome.js";
import type { IndexFacts } from "./index-format.js";
import type { Recording } from "./recording.js";
import { type WalkOptions, walkRecordings } from "./walk.js";

export interface ListOptions extends Partial<WalkOptions> {
  /** An agent's id. */
  agent?: AgentId | undefined;
  outcome?: RecordedOutcome | readonly RecordedOutcome[] | undefined;
  /** Runs that worked in this directory or below it. */
  cwd?: string | undefined;
  /** The most recordings to return. */
  limit?: number | undefined;
}

/** Lists the recordings that match, newest first. It opens as few files as possible. */
export async function listRecordings(options: ListOptions = {}): Promise<Recording[]> {
  const { directory = defaultRecordingsDirectory(), limit = Number.POSITIVE_INFINITY, ...rest } = options;
  const found: Recording[] = [];
  if (limit <= 0) return found;
  const matches = createFilter(rest);
  const mayMatch = matches && ((facts: IndexFacts) => matches(facts));
  for await (const recording of walkRecordings({ ...rest, directory, mayMatch })) {
    const { agent, cwd } = recording.meta;
    if (matches?.({ agent, cwd, outcome: recording.outcome }) ?? true) found.push(recording);
    if (found.length >= limit) break;
  }
  return found;
}

type Matches = (facts: Pick<IndexFacts, "agent" | "cwd" | "outcome">) => boolean;

/** Undefined when every recording matches. */
function createFilter({ agent, outcome, cwd }: ListOptions): Matches | undefined {
  if (agent === undefined && outcome === undefined && cwd === undefined) return undefined;
  const outcomes = outcome === undefined ? undefined : new Set<string>([outcome].flat());
  const directories = cwd === undefined ? undefined : spellingsOf(cwd);
  return (facts) =>
    (agent === undefined || facts.agent === agent) &&
    (outcomes === undefined || outcomes.has(facts.outcome)) &&
    (directories === undefined || directories.some((directory) => isWithin(facts.cwd, directory)));
}

/** A run may have been started in the directory itself or through a link to it. */
function spellingsOf(directory: string): string[] {
  const path = resolve(directory);
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    return [path];
  }
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || relativeTo(path, directory) !== path;
}
