import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { RawRecord } from "../../../src/events/raw-record.js";
import { recordings } from "../../../src/runs/archive/recordings.js";
import { readMeta } from "../../../src/runs/recording/meta.js";
import { recordingPaths } from "../../../src/runs/recording/paths.js";
import { readRecordedEnd } from "../../../src/runs/recording/recorded-outcome.js";
import { harness, jsonLines, temporaryDirectory } from "../../cli/harness.js";
import { messages, startTestServer } from "../../server/support.js";
import { unendedMeta, writeRecording } from "../archive/recordings.js";
import { endCases, spoilRecording } from "./end-cases.js";

/** A run of Claude Code that succeeded. */
const records: RawRecord[] = [
  line({ type: "system", subtype: "init", session_id: "s-1", model: "m-1", cwd: "/repo" }),
  line({ type: "assistant", message: { id: "m", content: [{ type: "text", text: "Done." }] } }),
  line({ type: "result", subtype: "success", is_error: false, result: "Done.", duration_ms: 5 }),
  { timestamp: "2026-11-15T10:00:01.500Z", stream: "exit", exitCode: 0, signal: null, reason: "completed" },
];

function line(record: object): RawRecord {
  return { timestamp: "2026-11-15T10:00:01.000Z", stream: "stdout", line: JSON.stringify(record) };
}

const missing = "nothing";
const id = "20261115-100000-00abcd";

/** Data directory, and the place of recordings in it, as the command finds it. */
function makeHome(): { env: Record<string, string>; directory: string } {
  const data = temporaryDirectory();
  const directory = join(data, "harness", "sessions");
  mkdirSync(directory, { recursive: true });
  return { env: { XDG_DATA_HOME: data }, directory };
}

/** The outcome that a stream of `full` events ends with; `running` when it has no end. */
function endOf(events: readonly Record<string, unknown>[]): unknown {
  expect(events.filter(({ type }) => type === "result").length).toBeLessThanOrEqual(1);
  const exited = events.find(({ type }) => type === "exited");
  const result = events.find(({ type }) => type === "result");
  if (exited !== undefined) expect(result?.["isSuccess"]).toBe(exited["reason"] === "completed");
  return exited === undefined ? "running" : exited["reason"];
}

/** The first word of a document about how its run ended. */
function wordIn(text: string): string {
  const word = /Completed|Failed|Cancelled|Timed out|Stalled|Interrupted|Running/.exec(text)?.[0] ?? missing;
  return word.toLowerCase().replace(" ", "_");
}

async function attempt(action: () => Promise<unknown>): Promise<unknown> {
  try {
    return await action();
  } catch {
    return "unreadable";
  }
}

interface PageImport {
  parseLog(name: string, text: string): object;
  importLog(log: object, agent: string, id: string): ImportedRun;
}

interface ImportedRun {
  about: { value: { row: { outcome: string } } };
  model: { events: Record<string, unknown>[] };
}

/** What the page makes of a file that is dropped on it. A name that is no literal: it is checked with the page's own settings. */
async function importOnPage(text: string): Promise<ImportedRun> {
  vi.stubGlobal("document", { hidden: true });
  const module: string = "../../../page/src/import/read-log.js";
  const page: PageImport = await import(module);
  return page.importLog(page.parseLog("raw.jsonl", text), "claude", "imported-1");
}

/** What the library, the command and the page say of a recording, each by all of their ways. */
async function askEverybody(
  directory: string,
  env: Record<string, string>,
): Promise<Record<string, unknown>> {
  const { raw } = recordingPaths(directory, id);
  const options = { directory };
  const command = async (...args: string[]) => {
    const { stdout, exitCode } = await harness(args, { env });
    if (exitCode !== 0) throw new Error(`exit code ${exitCode}`);
    return stdout.toString();
  };
  const server = await startTestServer({ directory });
  const listed = JSON.parse((await server.get("/api/runs")).text);
  let isRunning = false;
  const streamed = await messages(server, `/api/runs/${id}/stream`, ({ event, data }) => {
    if (event === "about") isRunning = rowOf(data)["outcome"] === "running";
    // The stream of a run that goes on has no end to wait for.
    return event === "refusal" || (isRunning && event === "steps");
  });
  const abouts = streamed.filter(({ event }) => event === "about");
  const answers: Record<string, unknown> = {
    "sessions.list": attempt(async () => (await recordings.list(options))[0]?.outcome ?? "unreadable"),
    "sessions.find": attempt(async () => (await recordings.find(id, options)).outcome),
    "sessions.read": attempt(async () => endOf((await recordings.read(id, options)).events)),
    "sessions.replay": attempt(async () => endOf(await all(await recordings.replay(id, options)))),
    "sessions.export": attempt(async () =>
      wordIn(await recordings.export(id, { ...options, format: "markdown" })),
    ),
    "harness sessions list": attempt(
      async () => JSON.parse(await command("sessions", "list", "--json"))[0]?.outcome ?? "unreadable",
    ),
    "harness sessions show": attempt(
      async () => JSON.parse(await command("sessions", "show", id, "--json")).outcome,
    ),
    "harness sessions show, in words": attempt(async () => wordIn(await command("sessions", "show", id))),
    "harness sessions replay": attempt(async () =>
      endOf(jsonLines(await command("sessions", "replay", id, "--format", "full", "--speed", "max"))),
    ),
    "harness sessions export": attempt(async () =>
      endOf(jsonLines(await command("sessions", "export", id, "--format", "full"))),
    ),
    "harness translate": attempt(async () =>
      endOf(jsonLines(await command("translate", "-a", "claude", "-f", "full", raw))),
    ),
    "the page's list": listed.runs[0]?.outcome ?? "unreadable",
    "the page of the run, its head": rowOf(abouts.at(-1)?.data)["outcome"] ?? "unreadable",
    "the page of the run, its events": abouts.length === 0 ? "unreadable" : endOf(eventsIn(streamed)),
  };
  const pairs = Object.entries(answers).map(async ([way, answer]) => [way, await answer]);
  return Object.fromEntries(await Promise.all(pairs));
}

function rowOf(data: Record<string, unknown> | undefined): Record<string, unknown> {
  const row = data?.["row"];
  return typeof row === "object" && row !== null ? { ...row } : {};
}

function eventsIn(streamed: readonly { event: string; data: Record<string, unknown> }[]) {
  return streamed.flatMap(({ event, data }): Record<string, unknown>[] =>
    event === "steps" && Array.isArray(data["events"]) ? data["events"] : [],
  );
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

// Each case starts eight commands.
describe("a recording ended in one way, whoever is asked", { timeout: 300_000 }, () => {
  it.each(endCases)("when $when: $outcome", async (endCase) => {
    const { env, directory } = makeHome();
    writeRecording(directory, endCase.meta({}), records);
    spoilRecording(directory, id, endCase);
    const { outcome, ofRawAlone = outcome } = endCase;
    const answers = await askEverybody(directory, env);
    // Translating needs no sidecar, and must not guess from one that cannot be read.
    const { "harness translate": translated, ...rest } = answers;
    expect(rest).toEqual(Object.fromEntries(Object.keys(rest).map((way) => [way, outcome])));
    expect(translated).toBe(outcome === "unreadable" ? ofRawAlone : outcome);

    const text = readFileSync(recordingPaths(directory, id).raw);
    const piped = await harness(["translate", "-a", "claude", "-f", "full"], { stdin: text });
    // Nothing at all is no recording either.
    if (text.length > 0) expect(endOf(jsonLines(piped.stdout))).toBe(ofRawAlone);
    if (text.length === 0) return;
    const imported = await importOnPage(text.toString());
    expect(imported.about.value.row.outcome).toBe(ofRawAlone);
    expect(endOf(imported.model.events)).toBe(ofRawAlone);
  });

  it("wherever its harness was killed", async () => {
    const { directory } = makeHome();
    writeRecording(directory, unendedMeta({ harness: { pid: 2 ** 22 + 1 } }), records);
    const { raw } = recordingPaths(directory, id);
    const whole = readFileSync(raw);
    const seen = new Set<unknown>();
    for (let length = whole.length; length >= 0; length -= length > whole.length - 150 ? 1 : 13) {
      writeFileSync(raw, whole.subarray(0, length));
      const { outcome, events } = await recordings.read(id, { directory });
      expect(endOf(events), `after ${length} bytes`).toBe(outcome);
      seen.add(outcome);
    }
    expect([...seen]).toEqual(["completed", "interrupted"]);
  });

  it("gives the end that the exit record tells, also in numbers", async () => {
    const { directory } = makeHome();
    writeRecording(directory, unendedMeta({ harness: { pid: 2 ** 22 + 1 } }), records);
    const { meta } = await recordings.find(id, { directory });
    expect(meta).toMatchObject({ endedAt: "2026-11-15T10:00:01.500Z", exitCode: 0 });
  });

  it("does not take a run for interrupted that ends while it is looked at", () => {
    const { directory } = makeHome();
    const open = unendedMeta({ harness: { pid: process.pid } });
    writeRecording(directory, open, records.slice(0, -1));
    const paths = recordingPaths(directory, id);
    const { outcome } = readRecordedEnd(open, paths, {
      readMeta,
      isAlive() {
        const outcome = { isSuccess: false, reason: "cancelled" };
        writeFileSync(paths.meta, JSON.stringify({ ...unendedMeta(), outcome, endedAt: open.startedAt }));
        return false;
      },
    });
    expect(outcome).toBe("cancelled");
  });
});
