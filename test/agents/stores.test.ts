import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoredRecord } from "../../src/agents/store-contract.js";
import { agentsWithStores } from "../../src/runs/archive/stored-sessions.js";
import { brokenRules, invalidEvents } from "../../src/testing/check/stream-rules.js";
import { storedRuns, storeOf, translateStored } from "../support/stored-runs.js";

/** What must hold for the events of any lines. */
function problemsOf(
  agent: Parameters<typeof translateStored>[0],
  lines: readonly StoredRecord[],
): readonly string[] {
  const { events, unaccounted } = translateStored(agent, lines);
  return [...invalidEvents(events), ...brokenRules(events), ...unaccounted, ...unpairedTurns(events)];
}

function unpairedTurns(events: ReturnType<typeof translateStored>["events"]): string[] {
  const begun = events.flatMap((event) => (event.type === "turn" ? [event.turnId] : []));
  const ended = events.flatMap((event) => (event.type === "turn_end" ? [event.turnId] : []));
  const isUnique = new Set(begun).size === begun.length;
  return isUnique && JSON.stringify(begun) === JSON.stringify(ended) ? [] : [`turns ${begun} ended ${ended}`];
}

const agents = agentsWithStores();

describe.each(agents.map((agent) => [agent.id, agent] as const))("the store of %s", (_id, agent) => {
  const store = storeOf(agent);
  const sessions = storedRuns(agent).flatMap(({ reader, sessions }) =>
    sessions.map((session) => [...store.records(session, reader)]),
  );
  const all = sessions.flat();

  it("gives a valid stream for every session, also if it is cut off anywhere", () => {
    const problems = sessions.flatMap((lines) => {
      const lengths = [
        lines.length,
        ...[0.1, 0.25, 0.5, 0.75, 0.9].map((part) => Math.floor(lines.length * part)),
      ];
      return lengths.flatMap((length) => problemsOf(agent, lines.slice(0, length)));
    });
    expect(problems).toEqual([]);
  });

  it("gives a valid stream for lines in any order, damaged and repeated", () => {
    const line = fc.oneof(
      fc.nat(all.length - 1).map((index) => all[index] as StoredRecord),
      fc.tuple(fc.nat(all.length - 1), fc.double({ min: 0, max: 1, noNaN: true })).map(([index, share]) => {
        const { line: text = "", timestamp } = all[index] as StoredRecord;
        return { line: text.slice(0, Math.floor(text.length * share)), timestamp };
      }),
      fc.jsonValue({ maxDepth: 4 }).map((value) => ({ line: JSON.stringify(value), timestamp: undefined })),
      fc.constant({ bytes: "/w==", timestamp: undefined }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        expect(problemsOf(agent, lines)).toEqual([]);
      }),
    );
  });

  it("says when each session began, where, and what was asked first", () => {
    const missing = storedRuns(agent).flatMap(({ scenario, reader, sessions, truth }) =>
      sessions.flatMap((session) => {
        const about = store.about(session, store.records(session, reader));
        const isKnown = about.startedAt !== undefined && about.cwd?.startsWith("/workspace/");
        return isKnown && about.prompt === truth.prompts[0] ? [] : [`${scenario} ${JSON.stringify(about)}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});
