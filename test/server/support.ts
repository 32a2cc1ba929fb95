import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../src/live/run.js";
import type { Task } from "../../src/runs/task.js";
import { type PageServer, type ServerOptions, startServer } from "../../src/server/server.js";
import { programThatReplays } from "../cli/harness.js";

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "harness-view-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export interface TestServer extends PageServer {
  directory: string;
  batches: string;
  /** As somebody with the token. */
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
}

/** A server of its own directory, with a page that is one word. */
export async function startTestServer(options: ServerOptions = {}): Promise<TestServer> {
  const home = temporaryDirectory();
  const page = join(home, "page");
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(page, "index.html"), "<!doctype html>page");
  writeFileSync(join(page, "assets", "a.js"), "1");
  const directory = options.directory ?? join(home, "sessions");
  const batches = options.batchesDirectory ?? join(home, "batches");
  const server = await startServer({
    port: 0,
    directory,
    batchesDirectory: batches,
    pageDirectory: page,
    keyPath: join(home, "key"),
    cwd: home,
    ...options,
  });
  onTestFinished(() => server.close());
  return {
    ...server,
    directory,
    batches,
    get: (path, headers = {}) =>
      ask(server, path, { headers: { authorization: `Bearer ${server.token}`, ...headers } }),
  };
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** A request whose path and headers go out exactly as given; `fetch` would tidy them up. */
export function ask(
  server: Pick<PageServer, "port">,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = options;
    const sent = request({ host: "127.0.0.1", port: server.port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A recorded run of a real agent, as it was captured. */
export async function record(
  directory: string,
  agent: string,
  scenario: string,
  task: Partial<Task> = {},
): Promise<string> {
  const started = run({
    agent,
    prompt: `${scenario} of ${agent}`,
    binary: programThatReplays(agent, scenario),
    sessionsDirectory: directory,
    ...task,
  });
  await started.result;
  return started.runId;
}

export interface Message {
  event: string;
  id?: string;
  data: Record<string, unknown>;
}

/** The messages of an event stream, until `isLast` holds or it ends. */
export async function messages(
  server: Pick<PageServer, "origin" | "token">,
  path: string,
  isLast: (message: Message) => boolean = () => false,
  headers: Record<string, string> = {},
): Promise<Message[]> {
  const response = await fetch(server.origin + path, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  });
  const found: Message[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string): string | undefined =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      // The mark behind the last message of some formats is no JSON.
      if (field("data") === undefined || field("data") === "[DONE]") continue;
      const event = field("event") ?? "message";
      const id = field("id");
      const message = { event, data: JSON.parse(field("data") ?? "{}"), ...(id !== undefined && { id }) };
      found.push(message);
      if (isLast(message)) return found;
    }
  }
  return found;
}
