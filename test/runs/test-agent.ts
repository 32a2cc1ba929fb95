import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { AgentDefinition } from "../../src/agents/definition.js";
import type { EventOf, EventType, HarnessEvent } from "../../src/events/event.js";
import { run } from "../../src/live/run.js";
import type { Run, RunResult, Task } from "../../src/runs/task.js";

/** Path of a little program in `test/fixtures/programs`. */
export function program(name: string): string {
  return fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url));
}

/**
 * An agent for tests. Its lines: `{"type":"session","id","model"}`, `{"type":"say","text"}`,
 * `{"type":"done","text"}` (its final message), `{"type":"fatal","message"}`, `{"type":"usage",…}`,
 * `{"type":"open","work":[…]}` (what it waits for).
 */
export const testAgent: AgentDefinition = {
  id: "test",
  name: "Test Agent",
  aliases: [],
  binaries: ["harness-test-agent-that-is-not-installed"],
  version: { args: ["--version"], recorded: [] },
  install: "npm install -g test-agent",
  docs: "https://example.com",
  credentials: [],
  capabilities: {
    model: true,
    readOnly: false,
    systemPrompt: false,
    appendSystemPrompt: false,
    maxTurns: false,
    maxBudgetUsd: false,
    resume: true,
  },
  traits: { isStreaming: true },
  launch: (task) => ({ args: [...task.extraArgs], stdin: task.prompt }),
  createMapping: ({ isResumed }) => ({
    record(record, out) {
      const text = String(record["text"] ?? "");
      if (record["type"] === "session") {
        out.identify(String(record["id"]));
        out.session({ model: String(record["model"]) });
      } else if (record["type"] === "say") out.emit({ type: "agent", message: text });
      else if (record["type"] === "tick") out.consume("tick");
      else if (record["type"] === "open") {
        out.run.openWork = Array.isArray(record["work"]) ? record["work"].map(String) : [];
        out.consume("open");
      } else if (record["type"] === "done") {
        out.run.terminal = "success";
        out.run.failure = undefined;
        out.run.text = text;
        out.run.usage = {
          inputTokens: 3,
          outputTokens: 4,
          totalTokens: 7,
          scope: isResumed ? "session" : "run",
        };
        out.consume("done");
      } else if (record["type"] === "fatal") {
        out.run.failure = { message: String(record["message"]), isReported: true };
        out.emit({ type: "error", message: String(record["message"]) });
      }
    },
  }),
};

/** A directory that is removed when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "harness-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface Started {
  run: Run;
  sessions: string;
}

/** Runs a little program as the test agent, recorded in a directory of its own. */
export function start(name: string, task: Partial<Task> = {}): Started {
  const sessions = task.sessionsDirectory ?? temporaryDirectory();
  const started = run({
    agent: testAgent,
    prompt: "do it",
    binary: program(name),
    sessionsDirectory: sessions,
    ...task,
  });
  return { run: started, sessions };
}

export interface Finished extends Started {
  events: HarnessEvent[];
  result: RunResult;
}

/** Runs a little program to its end. */
export async function finish(name: string, task: Partial<Task> = {}): Promise<Finished> {
  const started = start(name, task);
  const events = await collect(started.run);
  return { ...started, events, result: await started.run.result };
}

export async function collect(iterable: AsyncIterable<HarnessEvent>): Promise<HarnessEvent[]> {
  const events: HarnessEvent[] = [];
  for await (const event of iterable) events.push(event);
  return events;
}

export function ofType<T extends EventType>(events: readonly HarnessEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}
