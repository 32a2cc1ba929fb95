import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentId } from "../../agents/registry.js";
import { relativeTo } from "../../text/paths.js";
import { defaultSessionsDirectory } from "../recording/paths.js";
import type { IndexFacts } from "./index-format.js";
import type { Session, SessionOutcome } from "./recording.js";
import { type WalkOptions, walkSessions } from "./walk.js";

export interface ListOptions extends Partial<WalkOptions> {
  /** An agent's id. */
  agent?: AgentId | undefined;
  outcome?: SessionOutcome | readonly SessionOutcome[] | undefined;
  /** Runs that worked in this directory or below it. */
  cwd?: string | undefined;
  /** At most so many. */
  limit?: number | undefined;
}

/** The recordings that match, newest first. Opens no more files than it must. */
export async function listSessions(options: ListOptions = {}): Promise<Session[]> {
  const { directory = defaultSessionsDirectory(), limit = Number.POSITIVE_INFINITY, ...rest } = options;
  const sessions: Session[] = [];
  if (limit <= 0) return sessions;
  const matches = createFilter(rest);
  const mayMatch = matches && ((facts: IndexFacts) => matches(facts));
  for await (const session of walkSessions({ ...rest, directory, mayMatch })) {
    const { agent, cwd } = session.meta;
    if (matches?.({ agent, cwd, outcome: session.outcome }) ?? true) sessions.push(session);
    if (sessions.length >= limit) break;
  }
  return sessions;
}

type Matches = (facts: Pick<IndexFacts, "agent" | "cwd" | "outcome">) => boolean;

/** Undefined when nothing is left out. */
function createFilter({ agent, outcome, cwd }: ListOptions): Matches | undefined {
  if (agent === undefined && outcome === undefined && cwd === undefined) return undefined;
  const outcomes = outcome === undefined ? undefined : new Set<string>([outcome].flat());
  const directories = cwd === undefined ? undefined : spellingsOf(cwd);
  return (facts) =>
    (agent === undefined || facts.agent === agent) &&
    (outcomes === undefined || outcomes.has(facts.outcome)) &&
    (directories === undefined || directories.some((directory) => isWithin(facts.cwd, directory)));
}

/** A run may have been started through a link or in the directory itself. */
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
