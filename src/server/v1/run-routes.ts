import type { Context } from "hono";
import * as v from "valibot";
import { findAgent as findBuiltIn } from "../../agents/registry.js";
import { HarnessError } from "../../errors.js";
import { isRunId } from "../../events/run-id.js";
import { outputNames } from "../../outputs/registry.js";
import { parseTime } from "../../runs/archive/parse-time.js";
import { type Recording, recordingOutcomes } from "../../runs/archive/recording.js";
import { removeRecordings } from "../../runs/archive/remove.js";
import { streamRegularFile } from "../../runs/files/regular-file.js";
import { readChanges } from "../content-routes.js";
import { openExport } from "../export-run.js";
import { openPlainRecording } from "../open-plain-recording.js";
import { runIdOf } from "../requests.js";
import { describeRun } from "./describe-run.js";
import { contentRoute, jsonRoute, type Route, type Services } from "./route.js";
import { components } from "./schemas.js";
import { streamEvents, streamedFormats } from "./stream-events.js";
import { toBody } from "./to-body.js";

const { RunList, RunDetail, RunRef, RunEnd, HarnessEvent } = components;

const unreadable = ["unknown_session", "unreadable_recording", "gone"] as const;
const number = v.pipe(v.number("must be a whole number"), v.integer());
const said = (words: string) => v.pipe(v.string(), v.description(words));

export const recordingOf = (context: Context, { index }: Services): Recording =>
  openPlainRecording(index.directory, runIdOf(context));

const list = jsonRoute({
  method: "get",
  path: "/runs",
  operation: "listRuns",
  tag: "runs",
  summary: "Lists runs, newest first",
  description: "Recorded runs and those under way, whoever started them.",
  query: v.strictObject({
    agent: v.optional(said("Only runs of this agent: its id.")),
    outcome: v.optional(
      v.pipe(v.picklist(recordingOutcomes), v.description("Only runs that ended so, or that are `running`.")),
    ),
    since: v.optional(
      said("Only runs that began since then: an age (`2h`, `3d`), a day or a time (`2026-11-15T19:30Z`)."),
    ),
    limit: v.optional(
      v.pipe(number, v.minValue(1, "must be 1 to 1000"), v.maxValue(1000, "must be 1 to 1000")),
      100,
    ),
    after: v.optional(said("The id of the last run of the page before.")),
  }),
  about: "The runs.",
  schema: RunList,
  refusals: ["unknown_session", "unreadable_sessions"],
  handle({ query: { agent, outcome, since, limit, after } }, { index }) {
    const { total, unreadable } = index.list();
    if (after !== undefined && (!isRunId(after) || index.row(after) === undefined))
      throw new HarnessError(
        "unknown_session",
        "the run that `after` names is not in the list; begin again without it",
      );
    const filter = {
      agent: agent && (findBuiltIn(agent)?.id ?? agent),
      outcome,
      since: since === undefined ? undefined : momentOf(since),
    };
    const runs = index.page({ limit: limit + 1, after, filter });
    return { runs: runs.slice(0, limit), hasMore: runs.length > limit, total, unreadable };
  },
});

/** `T` and fractions of a second are how programs write a time. */
function momentOf(text: string): number {
  const time = parseTime(text)?.getTime() ?? (/^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN);
  if (!Number.isNaN(time)) return time;
  throw new HarnessError(
    "bad_request",
    "query.since must be an age such as 2h or 3d, or a date such as 2026-11-15",
  );
}

const longestWait = 600;

const detail = jsonRoute({
  method: "get",
  path: "/runs/{id}",
  operation: "getRun",
  tag: "runs",
  summary: "Describes one run, with its report if it has ended",
  query: v.strictObject({
    wait: v.optional(
      v.pipe(
        number,
        v.maxValue(longestWait, `must be at most ${longestWait}`),
        v.description("While the run goes on, the answer waits for its end: at most this many seconds."),
      ),
      0,
    ),
  }),
  about: "The run. `report` is what `--format json` prints.",
  schema: RunDetail,
  refusals: unreadable,
  async handle({ context, query: { wait } }, services) {
    const limits = [context.req.raw.signal, AbortSignal.timeout(wait * 1000)];
    const signal = AbortSignal.any(limits);
    let recording = recordingOf(context, services);
    while (wait > 0 && recording.outcome === "running" && !signal.aborted) {
      await services.index.pulse.next(signal);
      recording = recordingOf(context, services);
    }
    return describeRun(recording, services);
  },
});

const events = contentRoute({
  method: "get",
  path: "/runs/{id}/events",
  operation: "streamEvents",
  tag: "runs",
  summary: "Streams the events of a run until it ends",
  description: [
    "As server-sent events: each item is the `data` of a message, and `id` is the number of the run's event (`seq`) up to which the items are complete.",
    "A reader that reconnects with `Last-Event-ID` gets the rest.",
    "Formats of harness itself end with a message `end`, or `refusal` if the recording cannot be read on; close the connection then.",
    "With `Accept: application/x-ndjson`, each item is a line, and the end of the body is the end of the run.",
  ].join(" "),
  query: v.strictObject({
    format: v.optional(v.pipe(v.picklist(streamedFormats), v.description("What an item is.")), "full"),
    after: v.optional(
      v.pipe(
        number,
        v.description("Only items behind this event: its `seq`. `Last-Event-ID` has precedence."),
      ),
    ),
    follow: v.optional(
      v.pipe(v.boolean("must be true or false"), v.description("False: only what is recorded by now.")),
      true,
    ),
  }),
  headers: v.strictObject({ "Last-Event-ID": v.optional(said("The last `id` that the reader has seen.")) }),
  about:
    "The items. The schema of each format is in the package (`createJsonSchema`); here is that of `full`.",
  contents: {
    "text/event-stream": { messages: { message: HarnessEvent, end: RunEnd, refusal: components.Error } },
    "application/x-ndjson": { messages: { line: HarnessEvent } },
  },
  refusals: unreadable,
  handle({ context, query: { format, after = -1, follow: isFollowed } }, services) {
    const last = context.req.header("last-event-id");
    if (last !== undefined && !/^\d{1,12}$/.test(last))
      throw new HarnessError("bad_request", "Last-Event-ID is not an id of this stream");
    return streamEvents(context, recordingOf(context, services), {
      ...services,
      format,
      after: last === undefined ? after : Number(last),
      isFollowed,
    });
  },
});

const raw = contentRoute({
  method: "get",
  path: "/runs/{id}/raw",
  operation: "getRaw",
  tag: "runs",
  summary: "Hands out `raw.jsonl`: every line of the agent, with its time and where it came from",
  about: "One record in each line, as far as the run has come.",
  contents: { "application/x-ndjson": {} },
  refusals: unreadable,
  handle({ context }, services) {
    const file = streamRegularFile(recordingOf(context, services).paths.raw, 256 * 1024);
    return context.body(toBody(file), 200, {
      "content-type": "application/x-ndjson",
    });
  },
});

const changes = contentRoute({
  method: "get",
  path: "/runs/{id}/changes",
  operation: "getChanges",
  tag: "runs",
  summary: "Hands out what the run changed in its git repository, as a patch",
  about: "The patch, as `git apply` takes it.",
  contents: { "text/x-diff": {} },
  refusals: [...unreadable, "no_changes"],
  handle: async ({ context }, services) =>
    context.body(await readChanges(recordingOf(context, services).paths.patch), 200, {
      "content-type": "text/x-diff; charset=utf-8",
    }),
});

const exported = contentRoute({
  method: "get",
  path: "/runs/{id}/export/{format}",
  operation: "exportRun",
  tag: "runs",
  summary: "Hands out the run as a file, in any format",
  description: `The formats are those of \`harness run --format\`: ${outputNames.join(", ")}. \`GET /formats\` describes them.`,
  about: "The file. Its type depends on the format.",
  contents: { "*/*": {} },
  refusals: [...unreadable, "unknown_format"],
  async handle({ context }, services) {
    const format = context.req.param("format") ?? "";
    const recording = recordingOf(context, services);
    const { body, type, name } = await openExport(recording, format, services.known.find);
    // A recording that cannot be read is noticed before the answer begins.
    const first = await body.next();
    async function* all(): AsyncGenerator<string | Uint8Array> {
      if (!first.done) yield first.value;
      yield* body;
    }
    return context.body(toBody(all()), 200, {
      "content-type": type,
      // Never shown as a page of this server: it is made of what an agent said.
      "content-disposition": `attachment; filename="${name}"`,
    });
  },
});

const removed = jsonRoute({
  method: "delete",
  path: "/runs/{id}",
  operation: "deleteRun",
  tag: "runs",
  summary: "Removes the recording of a run that has ended",
  about: "It is gone. What the agent did to files stays.",
  schema: RunRef,
  refusals: [...unreadable, "session_running", "unremovable_recording"],
  async handle({ context }, services) {
    const { id } = recordingOf(context, services);
    await removeRecordings(id, { directory: services.index.directory });
    return { id };
  },
});

/** What is read and removed. */
export const runRoutes: readonly Route[] = [list, detail, events, raw, changes, exported, removed];
