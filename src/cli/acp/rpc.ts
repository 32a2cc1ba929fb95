import { type RpcId, readRpcMessage } from "../../agents/shared/json-rpc.js";
import { isHarnessError, messageOf } from "../../errors.js";
import { asText } from "../../text/fields.js";
import type { JsonObject } from "../../text/json.js";
import { parseJson } from "../../text/parse-json.js";

/** The codes of JSON-RPC and of ACP that we answer with. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  authRequired: -32000,
  notFound: -32002,
} as const;

/** An error that the other side gets as it is. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export interface RpcHandlers {
  /** By method. What it resolves to is the answer. */
  requests: Readonly<Record<string, (params: JsonObject) => Promise<object>>>;
  notifications: Readonly<Record<string, (params: JsonObject) => void>>;
}

/** A JSON-RPC connection on which both sides ask: one object per line. */
export interface Rpc {
  /** One line of the other side. */
  received(line: string): void;
  notify(method: string, params: object): Promise<void> | undefined;
  /** Asks the other side. Rejects with its error, or when the connection is closed or the question is withdrawn. */
  ask(method: string, params: object, withdrawn?: AbortSignal): Promise<JsonObject>;
  /** The other side is gone: nobody answers any more. */
  close(): void;
}

interface Question {
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

export function createRpc(
  write: (line: string) => Promise<void> | undefined,
  { requests, notifications }: RpcHandlers,
): Rpc {
  const questions = new Map<RpcId, Question>();
  let asked = 0;
  const send = (message: object): Promise<void> | undefined =>
    write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  async function serve(id: RpcId, method: string, params: JsonObject): Promise<void> {
    try {
      const handler = Object.hasOwn(requests, method) ? requests[method] : undefined;
      if (handler === undefined)
        throw new RpcError(rpcCodes.unknownMethod, `harness does not know the method ${method}`);
      await send({ id, result: await handler(params) });
    } catch (error) {
      await send({ id, error: toRpcError(error) });
    }
  }

  return {
    received(line) {
      if (line.trim() === "") return;
      const value = parseJson(line);
      const message = readRpcMessage(value);
      if (message === undefined) {
        const code = value === undefined ? rpcCodes.parse : rpcCodes.invalidRequest;
        void send({ id: null, error: { code, message: "this line is not a message of JSON-RPC" } });
        return;
      }
      if (message.type === "request") void serve(message.id, message.method, message.params);
      else if (message.type === "notification") {
        if (Object.hasOwn(notifications, message.method)) notifications[message.method]?.(message.params);
      } else {
        const question = questions.get(message.id);
        questions.delete(message.id);
        if (message.type === "result") question?.resolve(message.result);
        else question?.reject(new Error(asText(message.error["message"]) ?? "it was refused"));
      }
    },
    notify: (method, params) => send({ method, params }),
    ask(method, params, withdrawn) {
      asked += 1;
      const id = asked;
      return new Promise<JsonObject>((resolve, reject) => {
        questions.set(id, { resolve, reject });
        withdrawn?.addEventListener("abort", () => {
          if (!questions.delete(id)) return;
          void send({ method: "$/cancel_request", params: { requestId: id } });
          reject(new Error("the question was withdrawn"));
        });
        void send({ id, method, params });
      });
    },
    close() {
      for (const { reject } of questions.values()) reject(new Error("the client is gone"));
      questions.clear();
    },
  };
}

function toRpcError(error: unknown): object {
  if (error instanceof RpcError)
    return {
      code: error.code,
      message: error.message,
      ...(error.data !== undefined && { data: error.data }),
    };
  if (isHarnessError(error))
    return { code: rpcCodes.invalidParams, message: error.message, data: { code: error.code } };
  return { code: rpcCodes.internal, message: messageOf(error) };
}
