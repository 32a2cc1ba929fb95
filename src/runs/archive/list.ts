import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentId } from "../../agents/registry.js";
import { relativeTo } from "../../text/paths.js";
import { defaultRecordingsDirectory } from "../recording/paths.js";
import type { RecordedOutcome } from "../recording/recorded-outcome.js";
import type { IndexFacts } from "./index-format.js";
import type { Recording } from "./recording.js";
import { listedFacts } from "./recording-index.js";
import { type WalkOptions, walkRecordings } from "./walk.js";

/** Which recordings `sessions.list` returns. */
export interface ListOptions extends Partial<WalkOptions> {
  /** An agent's id. */
  agent?: AgentId | undefined;
  outcome?: RecordedOutcome | readonly RecordedOutcome[] | undefined;
  /** A part of the model's name, in any case. */
  model?: string | undefined;
  /** Runs that worked in this directory or below it. */
  cwd?: string | undefined;
  /** The runs of this batch, by its id. False: the runs that belong to none. */
  batch?: string | false | undefined;
  /** Called for each run that only `batch: false` leaves out. */
  onBatchRun?: (() => void) | undefined;
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
    if (hasModel(recording, rest.model) && (matches?.(listedFacts(recording)) ?? true)) found.push(recording);
    if (found.length >= limit) break;
  }
  return found;
}

/** The index does not have the model: each sidecar is asked, or the copy of it. */
function hasModel({ meta }: Recording, part: string | undefined): boolean {
  if (part === undefined) return true;
  // A sidecar can be written by hand.
  return typeof meta.model === "string" && meta.model.toLowerCase().includes(part.toLowerCase());
}

type Matches = (facts: Omit<IndexFacts, "time">) => boolean;

/** Undefined when every recording matches. */
function createFilter({ agent, outcome, cwd, batch, onBatchRun }: ListOptions): Matches | undefined {
  if ([agent, outcome, cwd, batch].every((filter) => filter === undefined)) return undefined;
  const outcomes = outcome === undefined ? undefined : new Set<string>([outcome].flat());
  const isBelow = cwd === undefined ? undefined : directoryFilterOf(cwd);
  return (facts) => {
    const isAsked =
      (agent === undefined || facts.agent === agent) &&
      (outcomes === undefined || outcomes.has(facts.outcome)) &&
      (isBelow === undefined || isBelow(facts.cwd));
    if (!isAsked || batch === undefined) return isAsked;
    const isOfBatch = facts.batch === (batch || "");
    if (!isOfBatch && batch === false) onBatchRun?.();
    return isOfBatch;
  };
}

/** True for a directory and everything below it. */
export function directoryFilterOf(cwd: string): (path: string) => boolean {
  const directories = spellingsOf(cwd);
  return (path) => directories.some((directory) => isWithin(path, directory));
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
