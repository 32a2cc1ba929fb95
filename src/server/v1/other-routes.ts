import { resolve } from "node:path";
import * as v from "valibot";
import { loadConfig } from "../../config/load-config.js";
import { HarnessError } from "../../errors.js";
import { outputs } from "../../outputs/registry.js";
import { findAgentsHere } from "../agents-here.js";
import { toBatchAbout } from "../batches/batch-row.js";
import { createToCellRow } from "../batches/cell-row.js";
import { eventStream } from "../event-stream.js";
import { streamList } from "../stream-list.js";
import { batchComponents } from "./batch-schemas.js";
import { contentRoute, jsonRoute, type Route } from "./route.js";
import { components } from "./schemas.js";
import { waitingRequests } from "./session-routes.js";
import { streamedFormats } from "./stream-events.js";

const { AgentList, FormatList, Status, LiveList, LiveMore, LiveChange } = components;
const { BatchList, BatchDetail } = batchComponents;

const status = jsonRoute({
  method: "get",
  path: "/status",
  operation: "getStatus",
  tag: "server",
  summary: "Says which server this is",
  about: "The server.",
  schema: Status,
  refusals: [],
  handle: async (_, services) => ({
    api: 1 as const,
    pid: process.pid,
    cwd: services.cwd,
    directory: services.index.directory,
    waiting: (await waitingRequests(services)).length,
  }),
});

const agents = jsonRoute({
  method: "get",
  path: "/agents",
  operation: "listAgents",
  tag: "server",
  summary: "Lists the agents that can be run in a directory, and the defaults there",
  query: v.strictObject({
    cwd: v.optional(
      v.pipe(v.string(), v.description("The directory. Default: where `harness view` was started.")),
    ),
  }),
  about: "The agents. None is started for that.",
  schema: AgentList,
  refusals: ["invalid_config", "unreadable_config", "unreadable_registry"],
  handle({ query }, { cwd, trust }) {
    const directory = resolve(cwd, query.cwd ?? "");
    return findAgentsHere(loadConfig({ cwd: directory, trust }), directory);
  },
});

const formats = jsonRoute({
  method: "get",
  path: "/formats",
  operation: "listFormats",
  tag: "server",
  summary: "Lists the formats that runs can be read in",
  about: "The formats.",
  schema: FormatList,
  refusals: [],
  handle: () => ({
    formats: outputs.map(({ name, summary, isForPeople }) => ({
      name,
      summary,
      isForPeople,
      isStreamed: streamedFormats.includes(name),
    })),
  }),
});

const live = contentRoute({
  method: "get",
  path: "/live",
  operation: "streamRuns",
  tag: "runs",
  summary: "Streams the list of runs: what there is, then every change",
  description:
    "First a message `list` with the newest runs, then messages `more` until all others were sent, and a message `change` whenever something changes, until the reader is gone.",
  about: "The messages.",
  contents: { "text/event-stream": { messages: { list: LiveList, more: LiveMore, change: LiveChange } } },
  refusals: [],
  handle: ({ context }, { index }) => eventStream(context, (stream) => streamList(stream, index)),
});

const batchList = jsonRoute({
  method: "get",
  path: "/batches",
  operation: "listBatches",
  tag: "batches",
  summary: "Lists all batches, newest first",
  about: "The batches.",
  schema: BatchList,
  refusals: [],
  async handle(_, { batches }) {
    await batches.refresh();
    const { batches: rows, unreadable } = batches.list();
    return { batches: rows, unreadable };
  },
});

const batchDetail = jsonRoute({
  method: "get",
  path: "/batches/{id}",
  operation: "getBatch",
  tag: "batches",
  summary: "Describes one batch: its tasks, its arms, and how each cell stands",
  about: "The batch. The id of a run leads to what happened in a cell.",
  schema: BatchDetail,
  refusals: ["unknown_batch", "unreadable_batch"],
  handle: ({ context }, { batches }) =>
    batches.open(context.req.param("id") ?? "", async (batch) => {
      const { state, problems } = batch;
      if (state === undefined)
        throw new HarnessError("unreadable_batch", problems[0] ?? "the ledger of this batch is empty");
      const { row, tasks, arms, isolated, concurrency } = toBatchAbout(batch, state);
      const cells = Array.from(state.cells.values(), createToCellRow(state));
      return { batch: row, tasks, arms, isolated, concurrency, cells };
    }),
});

const openapi = jsonRoute({
  method: "get",
  path: "/openapi.json",
  operation: "getOpenApi",
  tag: "server",
  summary: "Hands out the description of this API (OpenAPI 3.1)",
  about: "The description.",
  schema: v.looseObject({ openapi: v.string() }),
  refusals: [],
  handle: async (_, { document }) => ({ openapi: "3.1.0", ...(await document()) }),
});

/** The server itself, the list of runs as it changes, and batches. */
export const otherRoutes: readonly Route[] = [status, agents, formats, live, batchList, batchDetail, openapi];
