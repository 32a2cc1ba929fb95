import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import type { StoredRecord, StoreReader } from "../../src/agents/store-contract.js";
import type { HarnessEvent } from "../../src/events/event.js";
import { cutLine, expectWellFormed, spoiltLine } from "./conformance.js";
import { storedRuns, storeOf, translateStored } from "./stored-runs.js";

/** What files of a store may look like: damaged, half written, of another version or made by an enemy. Nothing may throw, and no line is lost. */
export function describeStoreConformance(agent: AgentDefinition): void {
  const store = storeOf(agent);
  const runs = storedRuns(agent);
  const all = runs.flatMap(({ reader, sessions }) =>
    sessions.flatMap((session) => [...store.records(session, reader)]),
  );

  describe(`${agent.id}: what its store may contain`, () => {
    it("survives lines that were cut, dropped, doubled, swapped, or whose values were replaced", () => {
      const lines = all.flatMap(({ line }) => (line !== undefined && line.length < 20_000 ? [line] : []));
      const damaged = fc
        .constantFrom(...lines)
        .chain((text) => fc.oneof(fc.constant(text), cutLine(text), spoiltLine(text)));
      const line = fc.oneof({ weight: 9, arbitrary: damaged }, fc.constantFrom(...hostile));
      fc.assert(
        fc.property(fc.array(line, { maxLength: 40 }), (list) => expectReadable(agent, list.map(toRecord))),
        { numRuns: 100 },
      );
    });

    it("gives an ending to every session that is cut anywhere", () => {
      const problems: string[] = [];
      for (const { scenario, reader, sessions } of runs) {
        const session = sessions[0];
        const records = session === undefined ? [] : [...store.records(session, reader)];
        for (let length = 0; length < records.length; length += Math.ceil(records.length / 7)) {
          const ends = readable(agent, records.slice(0, length)).filter(({ type }) => type === "result");
          if (ends.length !== 1) problems.push(`${scenario}, ${length} lines: ${ends.length} results`);
        }
      }
      expect(problems).toEqual([]);
    });

    it("survives files with damaged bytes, and those that end too early", () => {
      const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), {
        maxLength: 20,
      });
      const share = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }));
      fc.assert(
        fc.property(fc.constantFrom(...runs), damage, share, ({ reader }, bytes, kept) => {
          const damaged = damagedReader(reader, bytes, kept);
          for (const session of store.sessions(damaged)) {
            store.about(session, store.records(session, damaged));
            expectReadable(agent, [...store.records(session, damaged)]);
          }
        }),
        { numRuns: 40 },
      );
    });
  });
}

/** Lines that nobody wrote by accident. */
const hostile: readonly string[] = [
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  "[".repeat(10_000),
  '{"__proto__":{"type":"user"},"constructor":1,"type":"__proto__"}',
  '{"type":"toString","message":{"role":"constructor"},"table":"hasOwnProperty"}',
  "\u0000\u001b[2J",
  "",
];

const toRecord = (line: string): StoredRecord => ({ line, timestamp: undefined });

function expectReadable(agent: AgentDefinition, records: readonly StoredRecord[]): void {
  expectWellFormed(readable(agent, records));
}

function readable(agent: AgentDefinition, records: readonly StoredRecord[]): HarnessEvent[] {
  const { events, unaccounted } = translateStored(agent, records, { runId: "fuzz", cwd: "/workspace" });
  expect(unaccounted).toEqual([]);
  return events;
}

/** The files in memory, each with some bytes replaced, and cut at this share of its length. */
function damagedReader(
  reader: StoreReader & { directory: string },
  bytes: readonly (readonly [at: number, value: number])[],
  kept: number,
): StoreReader {
  const contents = new Map(
    reader.files.map(({ path }) => {
      const content = readFileSync(join(reader.directory, path));
      for (const [at, value] of bytes) content[Math.floor(at * (content.length - 1))] = value;
      return [path, content.subarray(0, Math.ceil(kept * content.length))] as const;
    }),
  );
  const text = (path: string): string | undefined => contents.get(path)?.toString("utf8");
  return {
    files: reader.files,
    lines: (path) => (text(path) ?? "").split("\n").map((line) => ({ line })),
    text,
    bytes: (path, offset, length) =>
      new Uint8Array(contents.get(path)?.subarray(offset, offset + length) ?? []),
  };
}
