import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerModelRequest } from "./answer.js";
import { answerOtherRequest } from "./answer-other.js";
import { anthropic } from "./apis/anthropic.js";
import { chat } from "./apis/chat.js";
import type { Dialect } from "./apis/dialect.js";
import { gemini } from "./apis/gemini.js";
import { responses } from "./apis/responses.js";
import { createConversations } from "./conversation.js";
import { type RecordedRequest, recordRequest } from "./recorded-request.js";
import type { Scenario } from "./scenario.js";
import { requireToolTable } from "./tools/index.js";
import type { ToolTable } from "./tools/tool-table.js";

/** What the scripted model plays, and where. */
export interface ScriptedModelOptions {
  readonly scenario: Scenario;
  /**
   * The agent whose tools are called: its id, or your own table. By default it is recognised by the tools that a request
   * advertises.
   */
  readonly agent?: string | ToolTable;
  /** The agent's working directory, for agents that accept only absolute paths. By default it is read from their prompts. */
  readonly workspace?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Called with each request when its answer was sent, or when its connection is gone. */
  readonly onAnswer?: (request: RecordedRequest) => void;
}

/** A scripted model that is running. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Closes every connection, including hanging ones. */
  close(): Promise<void>;
}

const dialects: readonly Dialect[] = [anthropic, responses, chat, gemini];

const known: readonly string[] = ["scenario", "agent", "workspace", "port", "onAnswer"];

/** For programs without types. Otherwise a mistake would show up late, as an agent that waits for an answer. */
function refuseInvalid(options: ScriptedModelOptions): void {
  const unknown = Object.keys(options ?? {}).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not an option; the options are ${known.join(", ")}.`);
  if (!Array.isArray(options?.scenario?.turns))
    throw new Error("The scenario is missing; pass the model's answers as `scenario.turns`.");
  const { port = 0 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("The port must be a whole number between 0 and 65535.");
}

/** Starts a model server on 127.0.0.1 that plays a scenario, through every API that it speaks. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  refuseInvalid(options);
  const { scenario, workspace } = options;
  const agent = typeof options.agent === "string" ? requireToolTable(options.agent) : options.agent;
  const requests: RecordedRequest[] = [];
  const conversations = createConversations(scenario);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const record = recordRequest(requests.length, request, text);
    requests.push(record);
    response.once("close", () => options.onAnswer?.(record));
    const path = record.path.replace(/\?.*$/, "");
    const dialect = request.method === "POST" ? dialects.find((one) => one.accepts(path)) : undefined;
    if (dialect === undefined) return answerOtherRequest(record, path, response);
    const { headers } = request;
    await answerModelRequest({
      scenario,
      agent,
      workspace,
      conversations,
      dialect,
      path,
      headers,
      record,
      response,
    });
  }

  // A client that disconnects in the middle of its request must not end the server.
  const server = createServer(noTimeouts, (request, response) =>
    handle(request, response).catch(() => response.destroy()),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An agent may be busy for a long time between two requests. Its connection must not be closed meanwhile. */
const noTimeouts = { keepAliveTimeout: 0 };

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
