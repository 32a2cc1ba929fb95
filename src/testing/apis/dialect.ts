import type { ModelRequest } from "../model-request.js";
import type { Frame, Reply } from "../reply.js";

/** The model APIs that the server speaks. */
export type ModelApi = "anthropic" | "responses" | "chat" | "gemini";

/** One model API: how its requests are read and its answers are written. Pure, no input or output. */
export interface Dialect {
  readonly api: ModelApi;
  /** Does `POST path` belong to this API? The path comes without its query. */
  accepts(path: string): boolean;
  read(body: unknown, path: string): ModelRequest;
  /** The answer as server-sent events. */
  frames(reply: Reply, body: unknown): Iterable<Frame>;
  /** The answer as one JSON value. */
  whole(reply: Reply): object;
  /** An error as this API words it. */
  error(status: number, message: string, retryAfterSeconds?: number): object;
}
