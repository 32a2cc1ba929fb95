import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { answerModelRequest } from "./answer.js";
import { answerOtherRequest } from "./answer-other.js";
import { dialects } from "./apis/index.js";
import { createConversations } from "./conversation.js";
import { type RecordedRequest, recordRequest } from "./recorded-request.js";
import type { Scenario } from "./scenario.js";
import { requireToolTable } from "./tools/index.js";
import type { ToolTable } from "./tools/tool-table.js";

export interface ScriptedModelOptions {
  readonly scenario: Scenario;
  /**
   * Whose tools are to be called: an agent's id, or your own table. By default the tools that a request
   * advertises tell whose it is.
   */
  readonly agent?: string | ToolTable;
  /** Where the agent works, for agents that only take absolute paths. By default their prompts tell. */
  readonly workspace?: string;
  /** Default: any free port. */
  readonly port?: number;
}

export interface ScriptedModel {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in the order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
}

const known: readonly string[] = ["scenario", "agent", "workspace", "port"];

/** For programs without types: a slip would be found out late, as an agent that waits for an answer. */
function refuseInvalid(options: ScriptedModelOptions): void {
  const unknown = Object.keys(options ?? {}).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not an option; known are ${known.join(", ")}.`);
  if (!Array.isArray(options?.scenario?.turns))
    throw new Error("The scenario is missing; give what the model is to say as `scenario.turns`.");
  const { port = 0 } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("The port must be a whole number between 0 and 65535.");
}

/** Starts a model on 127.0.0.1 that plays a scenario to whoever asks, in whatever API it is asked. */
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

  // A client that goes away in the middle of its own request is no reason to end the server.
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

/** An agent may be busy for long between two requests on one connection, and must not find it closed then. */
const noTimeouts = { keepAliveTimeout: 0 };

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
