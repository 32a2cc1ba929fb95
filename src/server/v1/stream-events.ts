import type { Context } from "hono";
import { HarnessError, messageOf } from "../../errors.js";
import type { Step } from "../../events/step.js";
import type { Output } from "../../outputs/contract.js";
import { outputs } from "../../outputs/registry.js";
import type { Recording } from "../../runs/archive/recording.js";
import { createReplay } from "../../runs/archive/replay.js";
import { openRegularFile } from "../../runs/files/regular-file.js";
import { readPatch } from "../../runs/recording/read-patch.js";
import type { ApiOptions } from "../api.js";
import { eventStream } from "../event-stream.js";
import { flat, outputNamed } from "../export-run.js";
import { followRecording } from "../follow-recording.js";
import { openPlainRecording } from "../open-plain-recording.js";
import { createFrames } from "./frames.js";
import { toBody } from "./to-body.js";

/** `raw` has no events: it has a file and an operation of its own. */
export const streamedFormats: readonly string[] = outputs.flatMap(({ name, isForPeople }) =>
  isForPeople || name === "raw" ? [] : [name],
);

/** Formats of our own. The readers of others know only the messages of their own format: nothing is added to these. */
const ownFormats = new Set<string>(["full", "events", "ndjson", "run-events", "json"]);

/** What the readers of a format look for. */
const headersOf: Readonly<Record<string, Record<string, string>>> = {
  "ui-message": { "x-vercel-ai-ui-message-stream": "v1" },
};

interface EventsOptions extends Pick<ApiOptions, "index" | "known"> {
  format: string;
  /** The `seq` of the last event that the reader has. */
  after: number;
  /** False: only what is recorded now. */
  isFollowed: boolean;
}

/** What a part of a run adds to the stream. */
interface Added {
  pieces: Iterable<string | Uint8Array>;
  /** The last event of the run that is in it. */
  seq: number;
}

/** The events of one run in any format that programs read, until the run has ended. */
export async function streamEvents(
  context: Context,
  recording: Recording,
  options: EventsOptions,
): Promise<Response> {
  // Nothing is answered yet: what is missing can still be said.
  await (await openRegularFile(recording.paths.raw)).close();
  const { agent } = options.known.find(recording);
  const output = await outputNamed(options.format).open({
    about: { meta: recording.meta, outcome: recording.outcome },
    agentName: agent.name,
    prompt: recording.meta.prompt,
    narrates: agent.traits.narrates,
    recording: () => recording.paths.ndjson,
    patch: () => readPatch(recording.paths.patch),
  });
  const accepted = context.req.header("accept") ?? "";
  return accepted.includes("application/x-ndjson")
    ? sendLines(context, (signal) => addedBy(output, recording, { ...options, signal }))
    : sendMessages(context, recording, {
        ...options,
        added: (signal) => addedBy(output, recording, { ...options, signal }),
      });
}

async function* addedBy(
  output: Output,
  recording: Recording,
  options: EventsOptions & { signal: AbortSignal },
): AsyncGenerator<Added[]> {
  const { index, known, format, after, isFollowed, signal } = options;
  const { agent } = known.find(recording);
  const source = isFollowed
    ? followRecording(recording, agent, { pulse: index.pulse, signal })
    : createReplay(recording, { agent, signal }).batches();
  let seq = -1;
  for await (const steps of source) {
    const batch: Added[] = [];
    for (const step of steps.flatMap((each) => (format === "full" ? oneEventEach(each) : [each]))) {
      seq = step.events.at(-1)?.seq ?? seq;
      // What the reader has goes through the output too, because later items depend on it.
      const pieces = output.push([step]);
      if (seq > after && pieces.length > 0) batch.push({ pieces: flat(pieces), seq });
    }
    if (batch.length > 0) yield batch;
  }
  if (signal.aborted || (!isFollowed && recording.outcome === "running")) return;
  yield [{ pieces: flat(output.end()), seq }];
}

/** Each event of the full vocabulary is an item, so a reader can go on behind any of them. */
function oneEventEach(step: Step): Step[] {
  return step.events.map((event) => ({ ...step, events: [event] }));
}

/** A recording that cannot be read on breaks the connection, so that nobody takes a part for the whole. */
function sendLines(context: Context, added: (signal: AbortSignal) => AsyncGenerator<Added[]>): Response {
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of added(context.req.raw.signal))
      yield* gathered(batch, ({ pieces }) => withoutDone(withoutFields(texts(pieces))));
  }
  return context.body(toBody(lines()), 200, { "content-type": "application/x-ndjson" });
}

function sendMessages(
  context: Context,
  recording: Recording,
  options: EventsOptions & { added: (signal: AbortSignal) => AsyncGenerator<Added[]> },
): Response {
  const { index, format, added } = options;
  const isOwn = ownFormats.has(format);
  const frames = createFrames();
  function* framed({ pieces, seq }: Added): Generator<string> {
    for (const text of withoutFields(texts(pieces))) yield frames.push(text);
    yield frames.end(seq);
  }
  for (const [name, value] of Object.entries(headersOf[format] ?? {})) context.header(name, value);
  return eventStream(context, async (stream) => {
    try {
      for await (const batch of added(stream.signal)) await stream.write(gathered(batch, framed));
      if (stream.signal.aborted || !isOwn) return;
      const { id, outcome } = openPlainRecording(index.directory, recording.id);
      if (outcome !== "running") await stream.send("end", { id, outcome });
    } catch (error) {
      const code = error instanceof HarnessError ? error.code : "unreadable_recording";
      if (isOwn) await stream.send("refusal", { code, message: messageOf(error) });
    }
  });
}

function* texts(pieces: Iterable<string | Uint8Array>): Generator<string> {
  for (const piece of pieces) yield typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
}

const field = "data: ";

/** The items alone, one in each line, of an output that prints messages of an event stream itself. */
function* withoutFields(all: Iterable<string>): Generator<string> {
  let isAtStart = true;
  let hasFields: boolean | undefined;
  for (const text of all) {
    // A line of JSON never begins so.
    hasFields ??= text.startsWith(field);
    const lines = hasFields ? text.split("\n") : [];
    const items = lines.map((line, at) =>
      (at > 0 || isAtStart) && line.startsWith(field) ? line.slice(field.length) : line,
    );
    yield hasFields ? items.join("\n").replaceAll("\n\n", "\n") : text;
    isAtStart = text.endsWith("\n");
  }
}

/** The mark behind the last message of an event stream is no item. */
function* withoutDone(all: Iterable<string>): Generator<string> {
  for (const text of all) yield text === "[DONE]\n" ? "" : text.replace(/\n\[DONE\]\n$/, "\n");
}

const gatheredLength = 64 * 1024;

/** Short texts become one write. */
function* gathered(batch: readonly Added[], toTexts: (added: Added) => Iterable<string>): Generator<string> {
  let text = "";
  for (const added of batch)
    for (const each of toTexts(added)) {
      text += each;
      if (text.length < gatheredLength) continue;
      yield text;
      text = "";
    }
  if (text !== "") yield text;
}
