import { readFileSync } from "node:fs";
import { type AnyMessage, client, type SessionUpdate } from "@agentclientprotocol/sdk";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { HarnessEvent } from "../../../src/events/event.js";
import { acpFormat } from "../../../src/outputs/acp/format.js";
import { AcpMessage } from "../../../src/outputs/acp/schema.js";
import { formatEvents } from "../../../src/outputs/format-events.js";
import { arbitraryOf } from "../arbitrary.js";
import { completed, eventsOf, type Given, started, succeeded } from "../support.js";
import { cutInHalf, everyRun, type RealRun } from "./every-run.js";

/** The JSON Schema of the protocol (version 1, stable), as its SDK ships it. */
const schema = JSON.parse(
  readFileSync(
    new URL("../../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json", import.meta.url),
    "utf8",
  ),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");
function definition(name: string): ValidateFunction {
  const found = ajv.getSchema(`acp#/$defs/${name}`);
  if (found === undefined) throw new Error(`no schema of ${name}`);
  return found;
}
const isUpdate = definition("SessionNotification");
const isOpening = definition("NewSessionResponse");
const isAnswer = definition("PromptResponse");
const isError = definition("Error");

/** What is wrong with the messages of one run. */
function problemsOf(messages: readonly AcpMessage[], prompts: number, checkedFrom = 0): string[] {
  const problems: string[] = [];
  const complain = (what: string, message: unknown): void => {
    problems.push(`${what}: ${JSON.stringify(message).slice(0, 300)}`);
  };
  const open = new Set<string>();
  const known = new Set<string>();
  const sessions = new Set<string>();
  let nextId = 1;
  for (const [index, message] of messages.entries()) {
    if ("method" in message) {
      if (nextId === 1) complain("an update before the session", message);
      if (index >= checkedFrom && !isUpdate(message.params))
        complain(ajv.errorsText(isUpdate.errors), message);
      sessions.add(message.params.sessionId);
      const { update } = message.params;
      if (update.sessionUpdate === "tool_call") {
        if (known.has(update.toolCallId)) complain("an id twice", message);
        known.add(update.toolCallId);
        open.add(update.toolCallId);
      }
      if (update.sessionUpdate === "tool_call_update") {
        if (!known.has(update.toolCallId)) complain("an unknown call", message);
        if (update.status !== undefined && !open.delete(update.toolCallId)) complain("ended twice", message);
      }
      continue;
    }
    if (message.id !== nextId) complain(`not the id ${nextId}`, message);
    nextId += 1;
    if ("error" in message) {
      if (!isError(message.error)) complain(ajv.errorsText(isError.errors), message);
    } else if ("sessionId" in message.result) {
      if (!isOpening(message.result) || message.id !== 1) complain("a wrong opening", message);
      sessions.add(message.result.sessionId);
    } else if (!isAnswer(message.result)) complain(ajv.errorsText(isAnswer.errors), message);
  }
  if (messages.length > 0 && sessions.size !== 1) complain("sessions", [...sessions]);
  if (open.size > 0) complain("open calls", [...open]);
  if (messages.length > 0 && nextId !== 2 + prompts) complain("answers", nextId - 2);
  return problems;
}

/** One prompt per run, or one for each turn that a user began. */
function promptsOf(events: readonly HarnessEvent[]): number {
  const turns = events.filter((event) => event.type === "turn");
  return turns.length === 0 ? 1 : turns.filter((event) => event.origin === "user").length;
}

/** Everything that the messages have of ours, at any depth: so nothing is left out in silence. */
function factsIn(messages: readonly AcpMessage[]): string {
  return JSON.stringify(messages);
}

function missingOf({ events }: RealRun, messages: readonly AcpMessage[]): string[] {
  const all = factsIn(messages);
  const said = messages.flatMap((message) => ("method" in message ? [message.params.update] : []));
  const chunks = said.map((update) =>
    update.sessionUpdate === "agent_message_chunk" ? update.content.text : "",
  );
  const text = chunks.join("").replace(/\s+/g, "");
  return events.flatMap((event) => {
    switch (event.type) {
      case "agent":
        return event.role === undefined &&
          event.parentCallId === undefined &&
          !text.includes(event.message.replace(/\s+/g, ""))
          ? [`message ${event.message.slice(0, 80)}`]
          : [];
      case "command":
        return event.exitCode === undefined || all.includes(`"exitCode":${event.exitCode}`)
          ? []
          : ["exit code"];
      case "usage":
        return event.totalTokens === undefined || all.includes(`"totalTokens":${event.totalTokens}`)
          ? []
          : [`usage ${event.scope}`];
      case "unknown":
      case "changes":
      case "edits":
      case "request":
      case "request_end":
        return all.includes(`"type":"${event.type}"`) ? [] : [event.type];
      case "result":
        return event.failure === undefined || all.includes(`"kind":"${event.failure.kind}"`)
          ? []
          : ["failure"];
      default:
        return [];
    }
  });
}

describe("the acp output", () => {
  it("is valid by the protocol's own schema for every run, whole and cut in half, and the SDK's client takes it", async () => {
    const problems: string[] = [];
    const played = /\/(?:edit|parallel|two-turns)$/;
    let clients = 0;
    let runs = 0;
    let count = 0;
    for (const whole of everyRun())
      for (const run of [whole, cutInHalf(whole)]) {
        const messages = formatEvents(acpFormat, run.events, { prompt: "Do it" });
        // What comes before the cut is checked in the whole run.
        const checkedFrom = run === whole ? 0 : messages.length - 5;
        const found = problemsOf(messages, promptsOf(run.events), checkedFrom);
        if (run === whole) found.push(...missingOf(run, messages));
        for (const problem of found) problems.push(`${run.name}: ${problem}`);
        runs += 1;
        count += messages.length;
        if (!played.test(run.name)) continue;
        const { problem, ...seen } = await play(messages);
        const sent = messages.map((message) =>
          "method" in message ? message.params.update.sessionUpdate : message.id,
        );
        if (problem !== undefined || JSON.stringify(seen.all) !== JSON.stringify(sent))
          problems.push(`${run.name}: the client saw ${JSON.stringify(seen.all).slice(0, 300)} ${problem}`);
        clients += 1;
      }
    expect(problems.slice(0, 20)).toEqual([]);
    expect(runs).toBeGreaterThan(2000);
    expect(clients).toBeGreaterThan(10);
    expect(count).toBeGreaterThan(30_000);
  });

  it("is valid for any events in any order, however they are grouped", () => {
    const lines = fc.array(fc.array(arbitraryOf(HarnessEvent), { maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(lines, (events) => {
        const view = acpFormat.create({ prompt: "p" });
        const messages = [...events.flatMap((line) => view.push(line)), ...(view.end?.() ?? [])];
        const over = events.flat().findIndex((event) => event.type === "exited");
        const seen = over === -1 ? events.flat() : events.flat().slice(0, over + 1);
        expect(problemsOf(messages, promptsOf(seen))).toEqual([]);
        expect(messages.filter((message) => !v.is(AcpMessage, message))).toEqual([]);
        const single = acpFormat.create({ prompt: "p" });
        const again = [...events.flat().flatMap((event) => single.push([event])), ...(single.end?.() ?? [])];
        expect(again).toEqual(messages);
      }),
    );
  });

  it("reads as a session with one prompt", () => {
    const given: Given[] = [
      started,
      { type: "session", model: "m-1", sessionId: "s1" },
      { type: "thinking", message: "Hm.", sessionId: "s1" },
      {
        type: "tool_start",
        callId: "c1",
        name: "shell",
        input: { command: "false" },
        operations: [{ type: "command", command: "false" }],
      },
      { type: "tool_end", callId: "c1", name: "shell", isSuccess: false, output: "oh" },
      { type: "command", command: "false", exitCode: 1, isSuccess: false, callId: "c1" },
      { type: "warning", message: "slow", code: "retry" },
      { type: "usage", scope: "run", inputTokens: 3, outputTokens: 4, totalTokens: 7 },
      { type: "result", isSuccess: true, text: "Done.", costUsd: 0.5 },
      completed,
    ];
    const [opening, ...rest] = formatEvents(acpFormat, eventsOf(...given), { prompt: "Fail" });
    expect(opening).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {
        sessionId: "s1",
        _meta: { "harness-stream": { runId: "r1", agent: "claude", cwd: "/repo", model: "m-1" } },
      },
    });
    const answer = rest.pop();
    expect(rest.map((message) => "params" in message && message.params.update)).toEqual([
      { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Fail" } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      {
        sessionUpdate: "tool_call",
        toolCallId: "c1",
        status: "in_progress",
        title: "false",
        name: "shell",
        kind: "execute",
        locations: [],
        content: [],
        rawInput: { command: "false" },
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        status: "failed",
        content: [{ type: "content", content: { type: "text", text: "```\noh\n```" } }],
        rawOutput: "oh",
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "c1",
        _meta: {
          "harness-stream": {
            operation: { type: "command", command: "false", exitCode: 1, isSuccess: false, callId: "c1" },
          },
        },
      },
      {
        sessionUpdate: "notice",
        severity: "warning",
        title: "slow",
        _meta: { "harness-stream": { code: "retry" } },
      },
    ]);
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: 2,
      result: {
        stopReason: "end_turn",
        _meta: {
          "harness-stream": {
            outcome: { isSuccess: true, reason: "completed", exitCode: 0 },
            text: "Done.",
            costUsd: 0.5,
            usage: { scope: "run", inputTokens: 3, outputTokens: 4, totalTokens: 7 },
          },
        },
      },
    });
  });

  it.each([
    [{ kind: "max_turns", message: "m" }, { stopReason: "max_turn_requests" }],
    [{ kind: "refusal", message: "m" }, { stopReason: "refusal" }],
    [{ kind: "cancelled", message: "m" }, { stopReason: "cancelled" }],
    [{ kind: "output_limit", message: "m" }, { stopReason: "max_tokens" }],
  ] as const)("stops for %j", (failure, result) => {
    const events = eventsOf(started, { type: "result", isSuccess: false, failure }, completed);
    expect(formatEvents(acpFormat, events).at(-1)).toMatchObject({ id: 2, result });
  });

  it("answers with an error if the protocol has no reason to stop for the failure", () => {
    const failure = { kind: "auth", message: "no key", hint: "Sign in." } as const;
    const events = eventsOf(
      started,
      { type: "result", isSuccess: false, failure },
      {
        type: "exited",
        exitCode: 1,
        reason: "failed",
      },
    );
    expect(formatEvents(acpFormat, events).at(-1)).toMatchObject({
      id: 2,
      error: {
        code: -32000,
        message: "no key\nSign in.",
        data: { kind: "auth", _meta: { "harness-stream": { outcome: { exitCode: 1, reason: "failed" } } } },
      },
    });
  });

  it("says that a stream was cut", () => {
    const messages = formatEvents(
      acpFormat,
      eventsOf(started, { type: "tool_start", callId: "c", name: "x" }),
    );
    expect(messages.at(-2)).toMatchObject({ params: { update: { toolCallId: "c", status: "failed" } } });
    expect(messages.at(-1)).toMatchObject({ error: { data: { kind: "interrupted" } } });
    expect(formatEvents(acpFormat, eventsOf(started, succeeded)).at(-1)).toMatchObject({
      result: { stopReason: "end_turn" },
    });
  });
});

/** The SDK's client asks for a session and for as many prompts as are answered. It gets the messages as its agent's. */
async function play(messages: readonly AcpMessage[]) {
  const all: (SessionUpdate["sessionUpdate"] | number)[] = [];
  let push: (message: AnyMessage) => void = () => {};
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      push = (message) => controller.enqueue(message);
    },
  });
  /** The client numbers its requests from 0, or from any number: ours are put in that order. */
  const ids: (string | number)[] = [];
  let asked: () => void = () => {};
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ("id" in message && "method" in message && message.id !== null) ids.push(message.id);
      asked();
    },
  });
  const app = client({ name: "test" }).onNotification("session/update", ({ params }) => {
    all.push(params.update.sessionUpdate);
  });
  const connection = app.connect({ readable, writable });
  const requests: Promise<unknown>[] = [];
  const ask = async (method: "session/new" | "session/prompt", id: number): Promise<void> => {
    const sent = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const params =
      method === "session/new"
        ? { cwd: "/", mcpServers: [] }
        : { sessionId: "s", prompt: [{ type: "text" as const, text: "x" }] };
    requests.push(
      connection.agent.request(method, params as never).then(
        () => all.push(id),
        () => all.push(id),
      ),
    );
    await sent;
  };
  let problem: unknown;
  try {
    let count = 0;
    for (const message of messages) {
      if ("method" in message) {
        push(message as AnyMessage);
        continue;
      }
      await ask(message.id === 1 ? "session/new" : "session/prompt", message.id);
      push({ ...message, id: ids[count++] } as AnyMessage);
      await requests.at(-1);
    }
    await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    problem = error;
  }
  connection.close();
  return { all, problem };
}
