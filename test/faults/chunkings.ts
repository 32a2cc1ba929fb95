import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { generic } from "../../src/agents/generic/definition.js";
import { requireAgent } from "../../src/agents/registry.js";
import type { HarnessEvent } from "../../src/events/event.js";
import type { LineRecord, RawRecord } from "../../src/events/raw-record.js";
import { run } from "../../src/live/run.js";
import { capturesDirectory } from "../support/captures.js";
import { inDirectory, program } from "./agent.js";
import { checkRecording } from "./check-recording.js";
import type { Attempt, Fault } from "./fault.js";
import { problemsOfStream } from "./observe-run.js";
import type { Random } from "./random.js";
import { countSurvivors } from "./survivors.js";

const largestCapture = 300_000;

export const chunkings: readonly Fault[] = [
  {
    name: "output of real agents, in chunks of random size",
    times: 20,
    attempt: (_index, random) =>
      inDirectory((directory) => {
        const { agent, file } = random.pick(captures());
        return printInChunks(agent, file, directory, random);
      }),
  },
  {
    name: "random bytes, in chunks of random size",
    times: 20,
    attempt: (_index, random) =>
      inDirectory((directory) => {
        const file = join(directory, "bytes");
        writeFileSync(file, someBytes(random));
        return printInChunks(generic, file, directory, random);
      }),
  },
];

/** Real output of agents, except captures that are too long for a test that is repeated many times. */
function captures(): [Capture, ...Capture[]] {
  const found = readdirSync(capturesDirectory, { recursive: true, encoding: "utf8" }).flatMap((path) => {
    const file = join(capturesDirectory, path);
    const [id = ""] = path.split(sep);
    const isCapture = basename(path) === "stdout.jsonl" && isBetween(statSync(file).size, 1, largestCapture);
    return isCapture ? [{ agent: requireAgent(id), file }] : [];
  });
  const [first, ...rest] = found;
  if (first === undefined) throw new Error(`there are no captures in ${capturesDirectory}`);
  return [first, ...rest];
}

function isBetween(size: number, least: number, most: number): boolean {
  return size >= least && size <= most;
}

interface Capture {
  agent: AgentDefinition;
  file: string;
}

/** Line feeds, characters of every length and parts of them, NUL, and text that looks like JSON. */
function someBytes(random: Random): Buffer {
  const pieces = ["\n", "\r\n", "\0", "\u2028", "ä", "✓", "🙂", '{"a":"b"}', "x".repeat(500)] as const;
  return Buffer.concat(
    Array.from({ length: 1 + random.below(400) }, () =>
      random.below(4) === 0 ? Buffer.from([random.below(256)]) : Buffer.from(random.pick(pieces)),
    ),
  );
}

async function printInChunks(
  agent: AgentDefinition,
  file: string,
  directory: string,
  random: Random,
): Promise<Attempt> {
  const started = run({
    agent,
    prompt: "do it",
    cwd: directory,
    binary: program("chunks.mjs"),
    env: { CHUNK_FILE: file, CHUNK_SEED: String(random.below(2 ** 31)) },
    sessionsDirectory: join(directory, "sessions"),
  });
  const events: HarnessEvent[] = [];
  for await (const event of started) events.push(event);
  const { runId } = started;
  const left = countSurvivors({ token: `CHUNK_FILE=${file}`, runId });
  const recording = await checkRecording(join(directory, "sessions"), runId, agent);
  const bytes = readFileSync(file);
  const isSame = JSON.stringify(events) === JSON.stringify(recording.events);
  return {
    problems: [
      ...recording.problems,
      ...problemsOfStream(events),
      ...(bytesOf(recording.records).equals(bytes) ? [] : ["the recording does not contain the same bytes"]),
      ...(isSame ? [] : [`the events of ${file} are not those of its replay`]),
    ],
    eventsLost: Math.max(0, recordsOf(bytes) - recording.records.filter(isLine).length),
    processesLeft: left,
  };
}

/** The number of lines in a text that arrives in one piece. */
function recordsOf(bytes: Buffer): number {
  const ends = bytes.filter((byte) => byte === 10).length;
  return ends + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}

function isLine(record: RawRecord): record is LineRecord {
  return record.stream === "stdout";
}

function bytesOf(records: readonly RawRecord[]): Buffer {
  return Buffer.concat(
    records
      .filter(isLine)
      .flatMap(({ line, bytes, newline }) => [
        line === undefined ? Buffer.from(bytes ?? "", "base64") : Buffer.from(line),
        Buffer.from(newline === false ? "" : "\n"),
      ]),
  );
}
