import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerModelRequest } from "./answer.js";
import { dialects } from "./apis/index.js";
import { createConversations } from "./conversation.js";
import { type RecordedRequest, recordRequest } from "./recorded-request.js";
import { respondJson } from "./respond.js";
import type { Scenario } from "./scenario.js";
import type { ToolTable } from "./tools/tool-table.js";

export interface ScriptedModelOptions {
  readonly scenario: Scenario;
  /**
   * Whose tools are to be called: an agent's id, or your own table. By default every request is looked at: the tools
   * that it advertises tell whose it is.
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

/** Starts a model on 127.0.0.1 that plays a scenario to whoever asks, in whatever API it is asked. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: RecordedRequest[] = [];
  const conversations = createConversations(options.scenario);
  const server = createServer(async (request, response) => {
    const text = await readBody(request);
    const record = recordRequest(requests.length, request, text);
    requests.push(record);
    response.once("close", () => {
      record.answer.status = response.statusCode;
    });
    const [path = ""] = record.path.split("?");
    const dialect = request.method === "POST" ? dialects.find((one) => one.accepts(path)) : undefined;
    if (dialect === undefined) answerOther(request, path, response);
    else await answerModelRequest({ options, conversations, dialect, record, request, response, path });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

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
