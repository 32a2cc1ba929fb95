import { expect, it } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { gemini } from "../../src/agents/gemini/definition.js";
import { opencode } from "../../src/agents/opencode/definition.js";
import { pi } from "../../src/agents/pi/definition.js";
import { readStoredRow } from "../../src/agents/shared/opencode-store/lines.js";
import type { StoreReader } from "../../src/agents/store-contract.js";
import { questions, storedRuns, storeOf, translateStored } from "../support/stored-runs.js";

/** Stores in the shapes of earlier versions, made from what the newest version has stored. */

it("OpenCode before 1.2 has a file for each session, message and part", () => {
  for (const scenario of ["files", "subagent"]) {
    const { lines, reader } = linesOf(opencode, scenario);
    const files = Object.fromEntries(
      lines.map((line): [string, string] => {
        const { kind, id, data } = readStoredRow(JSON.parse(line));
        const folder = { session: "global", message: data["sessionID"], part: data["messageID"] }[
          kind ?? "part"
        ];
        return [`storage/${kind}/${folder}/${id}.json`, JSON.stringify(data, null, 2)];
      }),
    );
    expect(whatIn(opencode, inMemory(files))).toEqual(whatIn(opencode, reader));
  }
});

it("Gemini CLI before 0.40 has one document for each session", () => {
  const { lines, reader } = linesOf(gemini, "files");
  const records = lines.slice(1).map((line) => JSON.parse(line));
  const messages = new Map(records.filter(({ id }) => id !== undefined).map((record) => [record.id, record]));
  const document = { ...records[0], messages: [...messages.values()] };
  const files = {
    "workspace/.project_root": "/workspace/gemini-files",
    "workspace/chats/session-2026-11-17T17-39-2a6053c5.json": JSON.stringify(document, null, 2),
  };
  expect(whatIn(gemini, inMemory(files))).toEqual(whatIn(gemini, reader));
});

it("the tokens of a copied beginning are not counted again in a fork of Pi", () => {
  const { lines, reader } = linesOf(pi, "resume");
  const header = {
    ...JSON.parse(lines[0] ?? ""),
    parentSession: "/a.jsonl",
    timestamp: "2027-01-01T00:00:00.000Z",
  };
  const fork = inMemory({ "--a--/2027_fork.jsonl": [JSON.stringify(header), ...lines.slice(1)].join("\n") });
  const { tokens: copied, ...rest } = whatIn(pi, fork);
  const { tokens, ...original } = whatIn(pi, reader);
  expect(rest).toEqual(original);
  expect(tokens).not.toEqual([]);
  expect(copied).toEqual([]);
});

function linesOf(agent: AgentDefinition, scenario: string): { lines: string[]; reader: StoreReader } {
  const run = storedRuns(agent).find((one) => one.scenario === scenario);
  const session = run?.sessions[0];
  if (run === undefined || session === undefined) throw new Error(`no ${scenario}`);
  const records = storeOf(agent).records(session, run.reader);
  return { lines: [...records].flatMap(({ line }) => line ?? []), reader: run.reader };
}

/** What a list and a reader of the events see of the one session in a store. */
function whatIn(agent: AgentDefinition, reader: StoreReader) {
  const store = storeOf(agent);
  const [session, ...others] = store.sessions(reader);
  if (session === undefined || others.length > 0) throw new Error(`${others.length + 1} sessions`);
  const { prompt, cwd, startedAt } = store.about(session, store.records(session, reader));
  const options = cwd === undefined ? {} : { cwd };
  const { events } = translateStored(agent, store.records(session, reader), options);
  const { prompts, messages, calls, operations, tokens, outcome } = questions;
  return {
    about: { prompt, cwd, hasStart: startedAt !== undefined },
    prompts: prompts(events),
    messages: messages(events).sort(),
    calls: calls(events),
    operations: operations(events),
    tokens: tokens(events),
    outcome: outcome(events),
  };
}

function inMemory(files: Readonly<Record<string, string>>): StoreReader {
  const text = (path: string): string | undefined => files[path];
  return {
    files: Object.keys(files)
      .sort()
      .map((path) => ({ path, bytes: files[path]?.length ?? 0, modifiedAt: 0 })),
    lines: (path) => (text(path) ?? "").split("\n").map((line) => ({ line })),
    text,
    bytes: () => new Uint8Array(),
  };
}
