import { resolve } from "node:path";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { loadConfig } from "../config/load-config.js";
import { HarnessError, systemCode } from "../errors.js";
import { isRunId } from "../events/run-id.js";
import type { Recording } from "../runs/archive/recording.js";
import { removeRecordings } from "../runs/archive/remove.js";
import { toJson } from "../text/to-json.js";
import { findAgentsHere } from "./agents-here.js";
import type { BatchIndex } from "./batches/batch-index.js";
import { addBatchRoutes } from "./batches/routes.js";
import { addContentRoutes } from "./content-routes.js";
import { eventStream } from "./event-stream.js";
import { exportRun } from "./export-run.js";
import type { KnownAgents } from "./find-agent.js";
import { findEvent } from "./find-event.js";
import { parseNewRun, parseNewSession } from "./new-task.js";
import { openPlainRecording } from "./open-plain-recording.js";
import type { OwnRuns } from "./own-runs.js";
import type { Refusal } from "./protocol.js";
import { createRawReader } from "./raw-lines.js";
import { maxBodyBytes, numberOf, runIdOf, tooLarge } from "./requests.js";
import type { RunIndex } from "./run-index.js";
import { streamRun } from "./run-stream.js";
import { addSessionRoutes } from "./sessions/routes.js";
import type { SessionControls } from "./sessions/session-controls.js";
import { openOwnSession, startOwnRun } from "./start-own.js";
import { streamList } from "./stream-list.js";

export interface ApiOptions {
  index: RunIndex;
  batches: BatchIndex;
  ownRuns: OwnRuns;
  controls: SessionControls;
  known: KnownAgents;
  /** Where the server was started. */
  cwd: string;
  /** True: the `harness.toml` of every project is trusted. */
  trust: boolean;
}

const maxRawLines = 500;
const maxRuns = 10_000;

/** Everything under `/api`. Access has been checked before. */
export function createApi(options: ApiOptions): Hono {
  const api = new Hono();
  addListRoutes(api, options);
  addRecordingRoutes(api, options);
  addRunRoutes(api, options);
  addFileRoutes(api, options);
  addSessionRoutes(api, options.controls, options.index);
  addBatchRoutes(api, options.batches);
  api.onError(answerError);
  return api;
}

function addListRoutes(api: Hono, { index }: ApiOptions): void {
  api.get("/runs", (context) => {
    const list = index.list();
    const limit = Math.min(maxRuns, numberOf(context.req.query("limit") ?? "200"));
    const after = context.req.query("after");
    if (after !== undefined && !isRunId(after))
      throw new HarnessError("bad_request", "`after` is not a valid run id");
    return context.json({ ...list, runs: index.page({ limit, after }) });
  });

  api.get("/live", (context) => eventStream(context, (stream) => streamList(stream, index)));
}

/** What is in one recording. */
function addRecordingRoutes(api: Hono, { index, controls, known: { find: findAgent } }: ApiOptions): void {
  const raw = createRawReader();
  const recordingOf = (context: Context): Recording => openPlainRecording(index.directory, runIdOf(context));

  api.get("/runs/:id/stream", (context) => {
    const id = runIdOf(context);
    const last = context.req.header("last-event-id") ?? context.req.query("after") ?? "";
    const after = Number.parseInt(last, 10);
    return eventStream(context, (stream) =>
      streamRun(stream, id, { index, controls, findAgent, after: Number.isNaN(after) ? -1 : after }),
    );
  });

  api.get("/runs/:id/events/:seq", async (context) => {
    const seq = numberOf(context.req.param("seq"));
    const event = await findEvent(recordingOf(context), seq, { index, findAgent });
    if (event === undefined) throw new HarnessError("unknown_event", "the run has no such event");
    return context.body(toJson(event), 200, { "content-type": "application/json" });
  });

  api.get("/runs/:id/raw", async (context) => {
    const from = numberOf(context.req.query("from") ?? "1");
    const count = Math.min(maxRawLines, numberOf(context.req.query("count") ?? "200"));
    return context.json(await raw.read(recordingOf(context).paths.raw, from, count));
  });

  addContentRoutes(api, { recordingOf, raw });

  api.get("/runs/:id/raw/:line", async (context) => {
    const line = numberOf(context.req.param("line"));
    const text = await raw.readWhole(recordingOf(context).paths.raw, line);
    if (text === undefined) throw new HarnessError("unknown_line", "the recording has no such line");
    return context.body(text, 200, { "content-type": "text/plain; charset=utf-8" });
  });
}

/** Removes a recording, or hands it out as a file. */
function addFileRoutes(api: Hono, { index, known }: ApiOptions): void {
  api.delete("/runs/:id", async (context) => {
    const { id } = openPlainRecording(index.directory, runIdOf(context));
    await removeRecordings(id, { directory: index.directory });
    return context.json({ id });
  });

  api.get("/runs/:id/export/:format", async (context) => {
    const recording = openPlainRecording(index.directory, runIdOf(context));
    const { body, type, name } = await exportRun(recording, context.req.param("format"), known.find);
    // Never shown as a page of this server: it is made of what an agent said.
    const disposition = `attachment; filename="${name}"`;
    return context.body(body, 200, { "content-type": type, "content-disposition": disposition });
  });
}

/** Starts and cancels runs and live sessions. */
function addRunRoutes(api: Hono, options: ApiOptions): void {
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });

  api.get("/agents", (context) => {
    const directory = resolve(options.cwd, context.req.query("cwd") ?? "");
    return context.json(findAgentsHere(loadConfig({ cwd: directory, trust: options.trust }), directory));
  });

  api.post("/runs", limit, async (context) =>
    context.json(await startOwnRun(parseNewRun(await bodyOf(context)), options), 201),
  );

  api.post("/sessions", limit, async (context) =>
    context.json(await openOwnSession(parseNewSession(await bodyOf(context)), options), 201),
  );

  api.post("/runs/:id/cancel", (context) => {
    const id = runIdOf(context);
    if (!options.ownRuns.cancel(id))
      throw new HarnessError("not_ours", `${id} was not started from this page, or has ended already`);
    return context.json({ id }, 202);
  });
}

function bodyOf(context: Context): Promise<unknown> {
  return context.req.json().catch(() => undefined);
}

const notFound = new Set([
  "unknown_session",
  "unreadable_recording",
  "unknown_event",
  "unknown_line",
  "no_changes",
  "not_ours",
  "session_gone",
  "request_gone",
  "unknown_batch",
  "unknown_cell",
]);

function answerError(error: Error, context: Context): Response {
  if (error instanceof HarnessError) {
    const refusal: Refusal = { code: error.code, message: error.message };
    return context.json(refusal, notFound.has(error.code) ? 404 : 400);
  }
  if (systemCode(error) === "ENOENT")
    return context.json({ code: "gone", message: "the recording no longer exists" }, 404);
  return context.json({ code: "failed", message: error.message }, 500);
}
