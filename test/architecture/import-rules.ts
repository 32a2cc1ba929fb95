/**
 * What may import what. The tests beside this file check the code against it and write the table of ARCHITECTURE.md
 * from it.
 */
export interface Room {
  /** A folder or file of `src/`; `page` is beside `src/`. A file belongs to the room with the longest matching path. */
  path: string;
  about: string;
  /** Rooms that it may import. Files of the same room may always import each other. */
  imports: readonly string[];
  /** Rooms of which it may import types only: nothing of them is loaded. */
  types?: readonly string[];
  /** npm packages that it may import; `valibot` allows `valibot/…` too. */
  packages?: readonly string[];
  /** It may import Node's modules. Everything else runs in browsers. */
  isNode?: true;
  /** Files or folders inside it that may import more. */
  exceptions?: readonly Exception[];
}

export interface Exception {
  /** Relative to the room. */
  path: string;
  imports?: readonly string[];
  packages?: readonly string[];
  /** Modules of Node, by name. */
  node?: readonly string[];
}

/** They run in browsers and need no clock, no disk and no process. */
export const pure: readonly string[] = ["errors.ts", "text", "events", "shell", "agents", "story", "outputs"];
const allBatches: readonly string[] = [
  "batch/model",
  "batch/report",
  "batch/workspace",
  "batch",
  "batch/queue",
];
export const allRuns: readonly string[] = [
  "runs/files",
  "runs/changes",
  "runs/redact",
  "runs/recording",
  "runs/archive",
  "runs",
];

/** In layers: a room only imports rooms that are above it in this list. */
export const rooms: readonly Room[] = [
  {
    path: "errors.ts",
    about: "the one error class with its codes, and words for what the system refuses",
    imports: [],
  },
  {
    path: "text",
    about: "strings only, no events: JSON, paths, tolerant fields, escapes, safe text, numbers, cutting",
    imports: ["errors.ts"],
    packages: ["valibot"],
  },
  {
    path: "events",
    about: "the waist: the event union, raw records, token classes, kinds of failure, the outcome rule",
    imports: ["text"],
    packages: ["valibot"],
  },
  {
    path: "shell",
    about: "what a shell command did to files",
    imports: [],
    packages: ["unbash"],
  },
  {
    path: "agents",
    about:
      "left of the waist: the contract, the frame, the step machine, shared pieces, one folder per agent, the registry",
    imports: ["errors.ts", "text", "events", "shell"],
    packages: ["valibot"],
    /** Types only: nothing of it is loaded. */
    exceptions: [{ path: "shared/acp", packages: ["@agentclientprotocol/sdk"] }],
  },
  {
    path: "story",
    about: "a run as people read it: summary, timeline, what was done in words, spoken text, previews",
    imports: ["text", "events", "shell"],
    packages: ["diff"],
  },
  {
    path: "outputs",
    about: "right of the waist: one contract, one registry, one folder per output",
    imports: ["errors.ts", "text", "events", "story"],
    packages: ["valibot"],
    exceptions: [
      { path: "json-schema.ts", packages: ["@valibot/to-json-schema"] },
      { path: "text", packages: ["string-width", "markdown-it"] },
      { path: "markdown-quote.ts", packages: ["markdown-it"] },
      { path: "html", packages: ["markdown-it"], node: ["node:crypto"] },
      /** A command of another agent is one of Claude Code's shell if both would do the same with it. */
      { path: "claude", imports: ["shell"] },
    ],
  },
  {
    path: "core.ts",
    about: "the public entry that runs in browsers",
    imports: pure,
  },
  {
    path: "sending",
    about: "takes a run to other systems over HTTP while it goes on: bounded, and never in the run's way",
    imports: pure,
    isNode: true,
    exceptions: [{ path: "otlp", packages: ["@opentelemetry"] }],
  },
  {
    path: "live/rules",
    about: "rules for permissions: parsed, matched with the shell parser and resolved paths, judged",
    imports: ["errors.ts", "text", "events", "shell"],
    packages: ["valibot"],
    exceptions: [{ path: "real-path.ts", node: ["node:fs", "node:path"] }],
  },
  {
    path: "process",
    about: "finds, probes, starts, reads, stops and watches programs; does not know what a line means",
    imports: ["errors.ts", "text", "events"],
    isNode: true,
    exceptions: [{ path: "inspect-agent.ts", imports: ["agents"] }],
  },
  {
    path: "live/wires",
    about: "connections to running agents: move lines both ways, and do not know what a line means",
    imports: ["errors.ts", "text", "events", "process"],
    isNode: true,
  },
  {
    path: "runs/files",
    about: "files that are opened and written safely",
    imports: ["errors.ts", "text"],
    isNode: true,
  },
  {
    path: "runs/changes",
    about:
      "what changed in a directory between two moments: git with nothing that a repository names, private to the run",
    imports: ["errors.ts", "text", "events", "process", "runs/files"],
    isNode: true,
  },
  {
    path: "config",
    about: "`harness.toml` and the user's own file: found, read, checked, trusted; the agents they define",
    imports: [...pure, "runs/files", "live/rules"],
    packages: ["valibot", "toml-eslint-parser"],
    isNode: true,
  },
  {
    path: "models",
    about: "names of models and their ids for each agent, prices, the fetched registry",
    imports: [...pure, "runs/files", "config"],
    packages: ["valibot"],
    isNode: true,
  },
  {
    path: "runs/redact",
    about: "secrets: what they look like, and how they are masked in lines and in text that comes in pieces",
    imports: ["text", "events", "agents"],
  },
  {
    path: "runs/recording",
    about: "what is on disk of a run: written, read, replayed",
    imports: [...pure, "process", "runs/files"],
    packages: ["valibot"],
    exceptions: [{ path: "output-check.ts", packages: ["@cfworker/json-schema"] }],
    isNode: true,
  },
  {
    path: "runs/archive",
    about: "recorded runs: list, find, replay with their timing, export, remove",
    imports: [...pure, "process", "runs/files", "runs/recording"],
    packages: ["valibot"],
    isNode: true,
  },
  {
    path: "runs",
    about: "`run(task)`: a process, its steps and its recording as one stream",
    imports: [
      ...pure,
      "live/rules",
      "process",
      "models",
      "runs/files",
      "runs/changes",
      "runs/redact",
      "runs/recording",
    ],
    packages: ["valibot"],
    isNode: true,
  },
  {
    path: "live",
    about:
      "conversations with a running agent: `open(task)`, its turns, requests and limits; `run(task)`, which is one when somebody must be asked",
    imports: [...pure, "live/rules", "live/wires", "process", ...allRuns],
    packages: ["valibot"],
    isNode: true,
  },
  {
    path: "batch/model",
    about:
      "what a batch is: its plan, its cells, the lines of its ledger, and the state that follows from them",
    imports: [...pure, "live/rules"],
    packages: ["valibot"],
  },
  {
    path: "batch/report",
    about: "what came out of a batch: figures, intervals and differences, and the report in every form",
    imports: [...pure, "live/rules", "batch/model"],
    packages: ["valibot"],
  },
  {
    path: "batch/workspace",
    about:
      "a clean place for each run: worktrees and copies, what was changed in them, and the commands around a run",
    imports: [...pure, "process", "runs/files", "runs/changes", "batch/model"],
    isNode: true,
  },
  {
    path: "batch",
    about:
      "many runs: a plan becomes cells, the ledger says what became of each, and everything can be resumed",
    imports: [
      ...pure,
      "live/rules",
      "process",
      "config",
      "models",
      ...allRuns,
      "live",
      "batch/model",
      "batch/report",
      "batch/workspace",
    ],
    packages: ["valibot"],
    isNode: true,
  },
  {
    path: "batch/queue",
    about:
      "a batch on many machines: cells as jobs of BullMQ, workers, live events and recordings that are shipped",
    imports: [
      ...pure,
      "live/rules",
      "process",
      ...allRuns,
      "live",
      "batch/model",
      "batch/report",
      "batch/workspace",
      "batch",
    ],
    packages: ["valibot", "bullmq", "ioredis"],
    isNode: true,
  },
  {
    path: "testing/check",
    about: "the check of an agent's definition, with output of its program",
    imports: pure,
    packages: ["valibot"],
  },
  {
    path: "testing",
    about: "`harness-stream/testing`: the scripted model, and how real agents are pointed at it",
    imports: ["testing/check"],
    isNode: true,
    exceptions: [{ path: "script-file.ts", imports: ["text"], packages: ["valibot"] }],
  },
  {
    path: "index.ts",
    about: "the public entry of the library",
    imports: [
      ...pure,
      "core.ts",
      "process",
      "config",
      "models",
      "live",
      "live/rules",
      ...allRuns,
      "batch/model",
      "batch/report",
      "batch",
      "sending",
    ],
  },
  {
    path: "server",
    about:
      "what is behind `harness view`: who is let in, the list of runs, live runs; `protocol.ts` is what it says to the page",
    imports: [...pure, "process", "config", "models", "live", "live/rules", ...allRuns, ...allBatches],
    packages: ["valibot", "hono", "@hono/node-server"],
    exceptions: [{ path: "v1/openapi.ts", packages: ["@valibot/to-json-schema"] }],
    isNode: true,
  },
  {
    path: "page",
    about: "the page itself (Preact)",
    imports: ["text", "events", "agents", "story", "outputs", "batch/model", "batch/report"],
    types: ["server/protocol.ts", "server/batch-protocol.ts"],
    packages: ["preact", "@preact/signals", "@tanstack/virtual-core"],
  },
  {
    path: "cli",
    about: "the `harness` command: one folder per command, shared pieces beside them",
    imports: [
      ...pure,
      "process",
      "config",
      "models",
      "live",
      "live/rules",
      ...allRuns,
      ...allBatches,
      "server",
      "sending",
    ],
    packages: ["commander"],
    /** Of the SDK, types only: nothing of it is loaded. */
    exceptions: [
      { path: "acp", packages: ["@agentclientprotocol/sdk"] },
      { path: "mcp", packages: ["@modelcontextprotocol/server", "@valibot/to-json-schema", "valibot"] },
      { path: "scripted-model", imports: ["testing"] },
    ],
    isNode: true,
  },
];

/** A folder with one folder per member. A member imports no other member. */
export interface Family {
  path: string;
  member: string;
  /** Folders that are not members: members may import them. */
  shared: readonly string[];
  /** Files that members have under the same name, however small they are. */
  usualFiles: readonly string[];
}

export const families: readonly Family[] = [
  {
    path: "src/agents",
    member: "agent",
    shared: ["shared", "frame"],
    usualFiles: ["definition.ts", "launch.ts", "mapping.ts", "tools.ts", "usage.ts", "subagents.ts"],
  },
  { path: "src/outputs", member: "output", shared: [], usualFiles: ["output.ts", "schema.ts"] },
  {
    path: "src/cli",
    member: "command",
    shared: ["printing", "running", "many"],
    usualFiles: ["command.ts", "action.ts"],
  },
];
