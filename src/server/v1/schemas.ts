import * as v from "valibot";
import { eventSchemas, HarnessEvent } from "../../events/event.js";
import { ExitReason, Failure } from "../../events/failure.js";
import { tokenClasses, UsageScope } from "../../events/usage.js";
import { RunReport } from "../../outputs/json/schema.js";
import { outputNames } from "../../outputs/registry.js";
import { recordingOutcomes } from "../../runs/archive/recording.js";
import { answerForms } from "../sessions/answer.js";

/*
 * What the API answers. The OpenAPI file is made of these schemas, and the tests hold every answer to them. In the file, objects
 * of answers may have more fields: a later version may add some.
 */

const text = v.string();
const flag = v.exactOptional(v.literal(true));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(text, v.isoTimestamp());
const money = v.pipe(v.number(), v.minValue(0));
const said = <const Words extends string>(words: Words) => v.pipe(v.string(), v.description(words));

const RunId = v.pipe(said("The id of the run."), v.examples(["20261115-191302-k3f9x2"]));
const Outcome = v.picklist(recordingOutcomes);

const Run = v.pipe(
  v.strictObject({
    id: RunId,
    outcome: v.pipe(Outcome, v.description("`running`, or how the run ended.")),
    agent: text,
    agentVersion: v.exactOptional(text),
    model: v.exactOptional(text),
    prompt: said("The beginning of the prompt, in one line."),
    cwd: text,
    startedAt: time,
    endedAt: v.exactOptional(time),
    failure: v.exactOptional(Failure),
    usage: v.exactOptional(v.strictObject({ ...tokenClasses, scope: UsageScope })),
    tokens: v.exactOptional(
      v.pipe(count, v.description("Tokens so far, while the run's totals are not known.")),
    ),
    costUsd: v.exactOptional(money),
    costSource: v.exactOptional(v.picklist(["agent", "estimated"])),
    files: v.exactOptional(v.pipe(count, v.description("How many files the run changed."))),
    insertions: v.exactOptional(count),
    deletions: v.exactOptional(count),
    commands: v.exactOptional(count),
    errors: v.exactOptional(count),
    warnings: v.exactOptional(count),
    latest: v.exactOptional(said("What the run is doing, in words. Only in `GET /live`.")),
    stopping: v.exactOptional(
      v.pipe(
        v.picklist(["cancelled", "timed_out", "stalled", "not_exiting"]),
        v.description("Why the run is being stopped, while it is."),
      ),
    ),
    isOurs: v.exactOptional(
      v.pipe(v.boolean(), v.description("This server has started it, and can cancel it.")),
    ),
    isLive: v.exactOptional(v.pipe(v.boolean(), v.description("It is a live session, under way or over."))),
    isAnswerable: v.exactOptional(
      v.pipe(v.boolean(), v.description("It takes messages and answers, whoever started it.")),
    ),
    requests: v.exactOptional(
      v.pipe(count, v.description("How many requests wait for an answer. Only in `GET /live`.")),
    ),
    isDemo: flag,
    isImported: flag,
    batch: v.exactOptional(v.strictObject({ id: text, cell: text })),
  }),
  v.description("A run, as lists have it. What is not known (yet) is absent."),
);

const Unreadable = v.strictObject({ id: text, message: text });

const RunList = v.strictObject({
  runs: v.pipe(v.array(Run), v.description("Newest first.")),
  hasMore: v.pipe(
    v.boolean(),
    v.description("More runs follow. Ask again with `after`: the id of the last run."),
  ),
  total: v.pipe(count, v.description("The number of all runs, whatever the filters are.")),
  unreadable: v.pipe(
    v.array(Unreadable),
    v.description("Recordings that cannot be read, as far as is known."),
  ),
});

const RunDetail = v.pipe(
  v.strictObject({
    run: Run,
    prompt: said("The whole prompt. Empty for a live session: its prompts are in `report.turns`."),
    argv: v.pipe(v.array(text), v.description("The program and its arguments.")),
    permissions: text,
    sessionId: v.exactOptional(said("The agent's own session id.")),
    changes: v.exactOptional(
      v.strictObject({
        source: v.picklist(["git", "edits"]),
        files: count,
        insertions: count,
        deletions: count,
      }),
    ),
    problem: v.exactOptional(said("Why the recording, or a part of it, is missing.")),
    isUnknownAgent: v.exactOptional(v.boolean()),
    report: v.exactOptional(RunReport),
  }),
  v.description("One run. `report` is there when the run has ended."),
);

const LiveList = v.strictObject({
  runs: v.array(Run),
  unreadable: v.array(Unreadable),
  directory: text,
  total: count,
  ofBatches: count,
  outcomes: v.record(text, count),
  agents: v.array(text),
});
const LiveMore = v.strictObject({ runs: v.array(Run), isAll: v.boolean() });
const LiveChange = v.strictObject({
  changed: v.array(Run),
  removed: v.array(text),
  unreadable: v.exactOptional(v.array(Unreadable)),
});

const Started = v.strictObject({
  id: RunId,
  warnings: v.pipe(v.array(text), v.description("What the user should know, in sentences.")),
});

const RunRef = v.strictObject({ id: RunId });

const Abilities = v.pipe(
  v.strictObject({
    ask: v.boolean(),
    questions: v.boolean(),
    steer: v.boolean(),
    setModel: v.boolean(),
    always: v.boolean(),
    denyReason: v.boolean(),
    changeInput: v.boolean(),
    usage: v.picklist(["request", "turn", "session", "none"]),
    cost: v.boolean(),
    plan: v.boolean(),
    resume: v.boolean(),
  }),
  v.description("What the agent can do in a live session."),
);

const SessionState = v.strictObject({
  can: Abilities,
  isBusy: v.pipe(v.boolean(), v.description("A turn runs.")),
  queue: v.pipe(
    v.array(v.strictObject({ turnId: text, prompt: text })),
    v.description("Messages that wait for their turn. Long ones are shortened."),
  ),
  requests: v.pipe(v.array(text), v.description("The ids of the requests that wait for an answer.")),
  model: v.exactOptional(text),
});

const Requests = v.strictObject({ requests: v.array(eventSchemas.request) });

const capability = v.exactOptional(v.boolean());
const Agent = v.strictObject({
  id: text,
  name: text,
  isInstalled: v.boolean(),
  problem: v.exactOptional(said("Why it cannot be run, and what to do about it.")),
  install: said("One command that installs it."),
  capabilities: v.pipe(
    v.strictObject({
      model: v.boolean(),
      readOnly: v.boolean(),
      systemPrompt: v.boolean(),
      appendSystemPrompt: v.boolean(),
      maxTurns: v.boolean(),
      maxBudgetUsd: v.boolean(),
      resume: v.boolean(),
      mcpServers: capability,
      effort: v.exactOptional(v.pipe(v.array(text), v.readonly())),
      allowedTools: capability,
      schema: capability,
    }),
    v.description("Which options of a run it takes. Others are refused."),
  ),
  live: v.exactOptional(
    v.pipe(
      v.strictObject({ ask: v.boolean() }),
      v.description("It can be talked with. `ask`: it asks before it acts."),
    ),
  ),
  model: v.exactOptional(said("The model for runs that name none.")),
  models: v.array(text),
});

const AgentList = v.strictObject({
  agents: v.array(Agent),
  cwd: text,
  agent: v.exactOptional(said("The agent that the directory's configuration chooses.")),
  permissions: v.picklist(["full-access", "read-only"]),
  livePermissions: v.exactOptional(v.picklist(["full-access", "read-only", "ask", "rules"])),
  notice: v.exactOptional(said("Which settings of an untrusted `harness.toml` are ignored.")),
});

const FormatList = v.strictObject({
  formats: v.array(
    v.strictObject({
      name: v.picklist(outputNames),
      summary: text,
      isForPeople: v.boolean(),
      isStreamed: v.pipe(v.boolean(), v.description("`GET /runs/{id}/events` takes it.")),
    }),
  ),
});

const Status = v.strictObject({
  api: v.pipe(v.literal(1), v.description("The version of this API.")),
  pid: count,
  cwd: said("Where runs are started, unless they say otherwise."),
  directory: said("Where recordings are kept."),
  waiting: v.pipe(count, v.description("How many requests of live sessions wait for an answer.")),
});

const RunEnd = v.strictObject({ id: RunId, outcome: Outcome });

const Refused = v.strictObject({
  code: said("For programs. Codes are stable."),
  message: said("For people: what is wrong, and what to do next."),
});

/** Every schema with a name of its own in the OpenAPI file. */
export const components = {
  Run,
  RunList,
  RunDetail,
  RunReport,
  RunEnd,
  LiveList,
  LiveMore,
  LiveChange,
  Started,
  RunRef,
  SessionState,
  Request: eventSchemas.request,
  Requests,
  Answer: v.union(Object.values(answerForms)),
  Agent,
  AgentList,
  FormatList,
  Status,
  Failure,
  ExitReason,
  HarnessEvent,
  Error: Refused,
} as const;
