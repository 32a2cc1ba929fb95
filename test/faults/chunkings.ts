import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentDefinition } from "../../src/agents/definition.js";
import { generic } from "../../src/agents/generic/definition.js";
import { requireAgent } from "../../src/agents/registry.js";
import { createLineSplitter } from "../../src/process/line-splitter.js";
import { toLineRecord } from "../../src/process/to-line-record.js";
import { type Run, run } from "../../src/run/index.js";
import { createFramedTranslator } from "../../src/translator/frame.js";
import type { HarnessEvent } from "../../src/vocabulary/event.js";
import type { LineRecord, RawRecord } from "../../src/vocabulary/raw-record.js";
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
    name: "what real agents printed, in chunks of random sizes",
    times: 30,
    attempt: (_index, random) =>
      inDirectory((directory) => {
        const { agent, file } = random.pick(captures());
        return printInChunks(agent, file, directory, random);
      }),
  },
  {
    name: "random bytes, in chunks of random sizes",
    times: 30,
    attempt: (_index, random) =>
      inDirectory((directory) => {
        const file = join(directory, "bytes");
        writeFileSync(file, someBytes(random));
        return printInChunks(generic, file, directory, random);
      }),
  },
];

/** What the agents really printed, whatever is not too long for a test that is made many times. */
function captures(): [Capture, ...Capture[]] {
  const found = readdirSync(capturesDirectory).flatMap((id) =>
    readdirSync(join(capturesDirectory, id)).flatMap((scenario) => {
      const file = join(capturesDirectory, id, scenario, "stdout.jsonl");
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      return size > 0 && size < largestCapture ? [{ agent: requireAgent(id), file }] : [];
    }),
  );
  const [first, ...rest] = found;
  if (first === undefined) throw new Error(`there are no captures in ${capturesDirectory}`);
  return [first, ...rest];
}

interface Capture {
  agent: AgentDefinition;
  file: string;
}

/** Line feeds, characters of every length and pieces of them, NUL, what looks like JSON. */
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
  const { records, problems } = await checkRecording(join(directory, "sessions"), runId, agent);
  const bytes = readFileSync(file);
  const expected = eventsOfBytes(started, agent, directory, bytes);
  const isSame = JSON.stringify(events.map(timeless)) === JSON.stringify(expected.map(timeless));
  return {
    problems: [
      ...problems,
      ...problemsOfStream(events),
      ...(bytesOf(records).equals(bytes) ? [] : ["the recording does not hold the same bytes"]),
      ...(isSame ? [] : [`the events of ${file} are not those of the whole text`]),
    ],
    eventsLost: Math.max(0, expected.length - events.length),
    processesLeft: left,
  };
}

/** The events of a text that comes in one piece. */
function eventsOfBytes({ runId }: Run, agent: AgentDefinition, cwd: string, bytes: Buffer): HarnessEvent[] {
  const translator = createFramedTranslator(agent, { runId, cwd, prompt: "do it" });
  const events = translator.start();
  const splitter = createLineSplitter({
    onLine(text, extra) {
      events.push(...translator.record(toLineRecord("stdout", "", text, extra)));
    },
  });
  splitter.push(bytes);
  splitter.end();
  return [...events, ...translator.end({ exitCode: 0, signal: null })];
}

/** An event without the times of this run. */
function timeless(event: HarnessEvent): unknown {
  return event.type === "result" ? { ...event, timestamp: "", durationMs: 0 } : { ...event, timestamp: "" };
}

function bytesOf(records: readonly RawRecord[]): Buffer {
  const lines = records.filter((record): record is LineRecord => record.stream === "stdout");
  return Buffer.concat(
    lines.flatMap(({ line, bytes, newline }) => [
      line === undefined ? Buffer.from(bytes ?? "", "base64") : Buffer.from(line),
      Buffer.from(newline === false ? "" : "\n"),
    ]),
  );
}
