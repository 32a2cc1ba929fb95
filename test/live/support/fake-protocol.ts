import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Sink } from "../../../src/agents/contract.js";
import type { AgentDefinition } from "../../../src/agents/definition.js";
import type { Abilities, LiveProtocol, Peer } from "../../../src/agents/live-contract.js";
import type { HarnessEvent } from "../../../src/events/event.js";
import { open } from "../../../src/live/open.js";
import type { Session } from "../../../src/live/session.js";
import type { SessionTask } from "../../../src/live/session-task.js";
import { isObject } from "../../../src/text/fields.js";
import type { JsonObject } from "../../../src/text/json.js";
import { parseOwnJson } from "../../../src/text/parse-json.js";
import { temporaryDirectory, testAgent } from "../../runs/test-agent.js";

const abilities: Abilities = {
  ask: true,
  questions: true,
  steer: true,
  setModel: true,
  always: false,
  denyReason: true,
  changeInput: false,
  usage: "turn",
  cost: false,
  plan: false,
  resume: true,
};

/** The protocol of `fake-agent.mjs`. */
const fakeProtocol: LiveProtocol = {
  id: "fake",
  abilities,
  unasked: [],
  launch: ({ extraArgs }) => ({ args: [...extraArgs] }),
  createMapping: () => ({
    record: readRecord,
    sent(line, out) {
      const parsed = parseOwnJson(line);
      const sent = isObject(parsed) ? parsed : {};
      if (sent["do"] === "prompt") out.live.beginTurn({ prompt: String(sent["text"]) });
      if (sent["do"] === "interrupt") out.live.interruptTurn();
      if (sent["do"] === "answer")
        out.live.endRequest(
          String(sent["id"]),
          sent["answers"] !== undefined ? "answered" : sent["allow"] ? "allowed" : "denied",
        );
    },
  }),
  createPeer(host): Peer {
    const send = (value: JsonObject, note = {}): void => host.send(JSON.stringify(value), note);
    return {
      open: () => send({ do: "hello" }),
      received(line) {
        const value = parseOwnJson(line);
        if (!isObject(value)) return;
        if (value["type"] === "session") host.ready();
        if (value["type"] === "refused") host.fail(String(value["message"]));
        if (value["type"] === "strange")
          send({ do: "answer", id: value["id"] ?? "", error: "unknown request" });
      },
      prompt: (text, turnId) => send({ do: "prompt", text }, { turnId }),
      async steer(text) {
        send({ do: "steer", text });
      },
      interrupt: () => send({ do: "interrupt" }),
      answer(request, answer, note) {
        if ("allow" in answer) {
          const { allow } = answer;
          const message = "message" in answer ? answer.message : undefined;
          send(
            { do: "answer", id: request.requestId, allow, ...(message !== undefined && { message }) },
            note,
          );
        } else {
          const answers = "answers" in answer ? { ...answer.answers } : {};
          send({ do: "answer", id: request.requestId, answers: answers as JsonObject }, note);
        }
      },
      async setModel(model) {
        send({ do: "model", model });
      },
      close() {},
    };
  },
};

function readRecord(record: JsonObject, out: Sink): void {
  const text = String(record["text"] ?? "");
  const id = String(record["id"] ?? "");
  switch (record["type"]) {
    case "session":
      out.identify(id);
      return out.session({ model: String(record["model"]) });
    case "own":
      return out.live.beginTurn({ origin: "agent" });
    case "say":
      return out.emit({ type: "agent", message: text });
    case "ask": {
      const command = String(record["command"]);
      return out.live.request({
        requestId: id,
        kind: "permission",
        name: "shell",
        input: { command },
        operations: [{ type: "command", command }],
        choices: ["allow", "deny"],
      });
    }
    case "question": {
      const options = Array.isArray(record["options"])
        ? record["options"].map((label) => ({ label: String(label) }))
        : [];
      return out.live.request({
        requestId: id,
        kind: "question",
        name: "ask",
        questions: [{ id: "q", question: String(record["question"]), options }],
        choices: ["answer", "deny"],
      });
    }
    case "end":
      out.run.terminal = record["status"] === "ok" ? "success" : "failure";
      out.run.text = text;
      out.run.usage = { inputTokens: 10, outputTokens: 1, scope: "run" };
      return out.live.endTurn(record["status"] === "interrupted" ? { isInterrupted: true } : {});
  }
}

export const fakeProgram = fileURLToPath(new URL("./fake-agent.mjs", import.meta.url));

/** An agent that speaks the fake protocol. */
export const fakeAgent: AgentDefinition = {
  ...testAgent,
  id: "fake",
  name: "Fake Agent",
  live: fakeProtocol,
};

export interface OpenedFake {
  session: Session;
  /** All events so far. */
  events: HarnessEvent[];
  /** All events, after the session has ended. */
  all(): Promise<HarnessEvent[]>;
  sessions: string;
}

/** A session with the fake agent. It is closed when the test is over. */
export function openFake(task: Partial<SessionTask> = {}): OpenedFake {
  const sessions = task.sessionsDirectory ?? temporaryDirectory();
  const session = open({
    agent: fakeAgent,
    binary: fakeProgram,
    permissions: "ask",
    sessionsDirectory: sessions,
    ...task,
  });
  onTestFinished(async () => void (await session.close()));
  const events: HarnessEvent[] = [];
  const read = (async () => {
    for await (const event of session) events.push(event);
  })();
  return { session, events, all: () => read.then(() => events), sessions };
}
